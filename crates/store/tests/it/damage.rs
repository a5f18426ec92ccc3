//! Torn ends are cut, damage is found and named.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use recrawl_model::Outcome;
use recrawl_store::{DirectoryStore, OpenMode, Store, StoreError};

use crate::support::{added, asked, directory, open, records, seen};

/// A store of several files: sealed ones, and an open segment with three
/// groups. Gives the open segment.
fn store(path: &Path) -> PathBuf {
    let mut store = open(path);
    for page in 0..20 {
        store.append(&[added(page)]).expect("room");
    }
    store.compact().expect("room");
    for visit in 1..4 {
        let page = visit as u32;
        let group = [
            asked(visit, page, 10),
            seen(visit, page, 11, Outcome::First),
        ];
        store.append(&group).expect("room");
    }
    let mut files = files(path);
    files.retain(|file| file.extension().is_some_and(|end| end == "seg"));
    files.pop().expect("an open segment")
}

fn files(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path.join("log")).expect("a log");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_cut_of_the_last_segment_leaves_a_whole_prefix(cut in 0.0..1.0f64) {
        let directory = directory();
        let segment = store(directory.path());
        let all = records(&open(directory.path()));
        let bytes = fs::metadata(&segment).expect("a file").len();
        let left = (bytes as f64 * cut) as u64;
        let file = fs::OpenOptions::new().write(true).open(&segment).expect("a file");
        file.set_len(left).expect("cut");
        prop_assert_eq!(recrawl_store::check(directory.path()).expect("a store"), vec![]);
        let mut store = open(directory.path());
        let found = records(&store);
        prop_assert_eq!(&found[..], &all[..found.len()]);
        prop_assert!(found.len() >= 20 && found.len() < all.len());
        // And it goes on from there.
        let next = store.resume().next_page;
        store.append(&[added(next)]).expect("room");
        drop(store);
        prop_assert_eq!(records(&open(directory.path())).len(), found.len() + 1);
    }

    #[test]
    fn a_flipped_byte_is_found(place in 0.0..1.0f64, flip in 1u8..=255, which in 0usize..2) {
        let directory = directory();
        store(directory.path());
        let file = &files(directory.path())[which];
        let mut bytes = fs::read(file).expect("a file");
        // The last group of the open segment may be what a crash left, and the
        // footer of a sealed file has no checksum of its own; see below.
        let end = if which == 0 { data_bytes(&bytes) } else { bytes.len() * 2 / 3 };
        let place = (end as f64 * place) as usize;
        bytes[place] ^= flip;
        fs::write(file, &bytes).expect("room");
        let found = recrawl_store::check(directory.path()).expect("a store");
        prop_assert_eq!(found.len(), 1, "{:?}", found);
        prop_assert_eq!(&found[0].file, file);
        if which == 1 {
            prop_assert!(found[0].offset <= place as u64);
            let refused = DirectoryStore::open(directory.path(), OpenMode::Existing).err();
            prop_assert!(matches!(refused, Some(StoreError::Damaged { .. })), "{:?}", refused);
            let read = log(directory.path());
            prop_assert!(matches!(read, Err(StoreError::Damaged { .. })), "nothing is left out");
        }
        prop_assert_eq!(&fs::read(file).expect("a file"), &bytes, "looking changes nothing");
    }
}

/// Where the footer of a Parquet file begins: its length stands before the last
/// four bytes.
fn data_bytes(parquet: &[u8]) -> usize {
    let end = parquet.len() - 8;
    let length = parquet[end..].first_chunk().expect("a length");
    end - u32::from_le_bytes(*length) as usize
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_flipped_byte_in_the_footer_of_a_sealed_file_is_found_or_does_no_harm(
        place in 0.0..1.0f64,
        flip in 1u8..=255,
    ) {
        let directory = directory();
        let path = directory.path();
        store(path);
        let all = log(path).expect("a log");
        let file = &files(path)[0];
        let mut bytes = fs::read(file).expect("a file");
        let footer = data_bytes(&bytes);
        let place = footer + ((bytes.len() - footer) as f64 * place) as usize;
        bytes[place] ^= flip;
        fs::write(file, &bytes).expect("room");
        let found = recrawl_store::check(path);
        let harmless = log(path).is_ok_and(|read| read == all);
        prop_assert!(harmless || found.is_err() || found.is_ok_and(|found| !found.is_empty()));
    }
}

fn log(path: &Path) -> Result<Vec<recrawl_store::Record>, StoreError> {
    let mut records = Vec::new();
    recrawl_store::LogReader::open(path)?.replay(&mut |record| records.push(record.clone()))?;
    Ok(records)
}

#[test]
fn a_missing_segment_is_named() {
    let directory = directory();
    let segment = store(directory.path());
    fs::rename(&segment, segment.with_file_name("00000099.seg")).expect("room");
    let found = recrawl_store::check(directory.path()).expect("a store");
    assert_eq!(found.len(), 1);
    let refused = DirectoryStore::open(directory.path(), OpenMode::Existing).err();
    let message = refused.expect("a hole").to_string();
    assert!(message.contains("begins with segment 99"), "{message}");
}

#[test]
fn every_damaged_stretch_is_listed() {
    let directory = directory();
    let segment = store(directory.path());
    let mut bytes = fs::read(&segment).expect("a file");
    let third = bytes.len() / 3;
    bytes[30] ^= 1;
    bytes[30 + third] ^= 1;
    fs::write(&segment, &bytes).expect("room");
    let found = recrawl_store::check(directory.path()).expect("a store");
    assert_eq!(found.len(), 2, "{found:?}");
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_damage_and_no_more(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        valid_header: bool,
    ) {
        let mut segment = Vec::new();
        if valid_header {
            segment.extend(b"rcrwlseg\x01\0\0\0\x01\0\0\0");
            segment.extend(crc32fast::hash(&segment).to_le_bytes());
        }
        segment.extend(&bytes);
        let found = recrawl_store::segment_damage(&segment, 1, false);
        prop_assert_eq!(found.is_empty(), valid_header && bytes.is_empty(), "{:?}", found);
        let as_last = recrawl_store::segment_damage(&segment, 1, true);
        prop_assert_eq!(as_last.is_empty(), valid_header || segment.len() < 20);
    }

    #[test]
    fn records_with_right_checksums_are_understood_or_told(
        bodies in prop::collection::vec((any::<u8>(), prop::collection::vec(any::<u8>(), 0..60)), 0..8),
    ) {
        let mut segment = b"rcrwlseg\x01\0\0\0\x01\0\0\0".to_vec();
        segment.extend(crc32fast::hash(&segment).to_le_bytes());
        let mut whole = 0;
        for (kind, fields) in &bodies {
            let kind = [(kind % 9) | (kind & 0x80)];
            let length = (1 + fields.len() as u32).to_le_bytes();
            let place = (segment.len() as u64).to_le_bytes();
            let sum = crc32fast::hash(&[&place[..], &length, &kind, fields].concat());
            segment.extend([&length[..], &sum.to_le_bytes(), &kind, fields].concat());
            whole += 1;
        }
        let found = recrawl_store::segment_damage(&segment, 1, false);
        prop_assert!(found.len() <= whole);
        let told = |(_, what): &(u64, String)| what.starts_with("a record cannot be understood");
        prop_assert!(found.iter().all(told), "{:?}", found);
    }
}
