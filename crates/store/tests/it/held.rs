//! What is held of a page is found wherever it stands: in the log, in the rows,
//! in stores of older formats.

use std::fs;
use std::path::Path;

use recrawl_model::{Outcome, PageId};
use recrawl_store::{DirectoryStore, OpenMode, Record, Store, StoreSettings};

use crate::support::{added, at, directory, held};

fn open(path: &Path) -> DirectoryStore {
    open_with(path, StoreSettings::default())
}

fn open_with(path: &Path, settings: StoreSettings) -> DirectoryStore {
    DirectoryStore::open_with(path, OpenMode::CreateIfMissing, settings).expect("a store")
}

/// A page is seen, pushed from elsewhere, and this is held of it.
fn hold(store: &mut DirectoryStore, page: u32, second: i64, memory: &[u8]) {
    let seen = holding(page, second, memory);
    store.append(&[seen]).expect("room");
}

fn holding(page: u32, second: i64, memory: &[u8]) -> Record {
    Record::Seen {
        visit: 0,
        page: PageId(page),
        at: at(second),
        outcome: Outcome::Changed,
        last_modified: None,
        note: None,
        held: Some(held(second, memory)),
    }
}

fn memory_of(store: &DirectoryStore, page: u32) -> Option<Vec<u8>> {
    let rows = store.rows(&[PageId(page)]).expect("rows");
    let row = rows.into_iter().next().flatten().expect("a page");
    row.held.map(|held| held.memory)
}

#[test]
fn the_newest_counts_in_the_log_and_in_the_rows() {
    let directory = directory();
    let path = directory.path();
    let mut store = open(path);
    store.append(&[added(0), added(1), added(2)]).expect("room");
    hold(&mut store, 0, 10, b"first");
    hold(&mut store, 1, 11, b"other");
    hold(&mut store, 0, 12, b"second");
    let check = |store: &DirectoryStore, newest: &[u8]| {
        assert_eq!(memory_of(store, 0).as_deref(), Some(newest));
        assert_eq!(memory_of(store, 1).as_deref(), Some(&b"other"[..]));
        assert_eq!(memory_of(store, 2), None);
    };
    check(&store, b"second");
    drop(store);
    let mut store = open(path);
    check(&store, b"second");
    store.compact().expect("room");
    check(&store, b"second");
    hold(&mut store, 0, 13, b"third");
    check(&store, b"third");
    drop(store);
    check(&open(path), b"third");
}

#[test]
fn every_segment_that_is_finished_hands_it_to_the_rows() {
    let directory = directory();
    let path = directory.path();
    let small = StoreSettings {
        segment_bytes: 2_000,
        ..StoreSettings::default()
    };
    let mut store = open_with(path, small);
    let pages: Vec<Record> = (0..40).map(added).collect();
    store.append(&pages).expect("room");
    for second in 0..400 {
        let page = (second % 40) as u32;
        hold(&mut store, page, second, &second.to_le_bytes());
    }
    let check = |store: &DirectoryStore| {
        for page in 0..40u32 {
            let newest = 360 + i64::from(page);
            let expected = newest.to_le_bytes().to_vec();
            assert_eq!(memory_of(store, page), Some(expected), "page {page}");
        }
    };
    check(&store);
    drop(store);
    check(&open(path));
}

#[test]
fn a_store_of_format_2_is_read_and_becomes_one_of_format_3() {
    let directory = directory();
    let path = directory.path();
    let mut store = open(path);
    store.append(&[added(0)]).expect("room");
    hold(&mut store, 0, 10, b"in the rows");
    store.compact().expect("room"); // the row holds it, as in format 2
    drop(store);
    let format = path.join("FORMAT");
    fs::write(&format, "recrawl store format 2\n").expect("room");
    let store = open(path);
    assert_eq!(memory_of(&store, 0).as_deref(), Some(&b"in the rows"[..]));
    let said = fs::read_to_string(format).expect("a format");
    assert_eq!(said, "recrawl store format 3\n");
}

#[test]
fn without_rows_what_the_open_segment_says_is_still_held() {
    let directory = directory();
    let path = directory.path();
    let mut store = open(path);
    store.append(&[added(0), added(1)]).expect("room");
    hold(&mut store, 0, 10, b"sealed away");
    store.compact().expect("room");
    hold(&mut store, 1, 11, b"in the log");
    drop(store);
    fs::remove_dir_all(path.join("rows")).expect("rows");
    let store = open(path);
    assert_eq!(memory_of(&store, 0), None);
    assert_eq!(memory_of(&store, 1).as_deref(), Some(&b"in the log"[..]));
}

#[test]
fn of_a_group_that_was_torn_what_is_whole_is_held() {
    let directory = directory();
    let path = directory.path();
    let mut store = open(path);
    store.append(&[added(0), added(1)]).expect("room");
    hold(&mut store, 1, 10, b"before");
    let group = [holding(0, 11, b"whole"), holding(1, 12, b"torn")];
    store.append(&group).expect("room");
    drop(store);
    let segment = path.join("log/00000001.seg");
    let bytes = fs::read(&segment).expect("a segment");
    fs::write(&segment, &bytes[..bytes.len() - 1]).expect("room");
    let store = open(path);
    assert_eq!(memory_of(&store, 0).as_deref(), Some(&b"whole"[..]));
    assert_eq!(memory_of(&store, 1).as_deref(), Some(&b"before"[..]));
}

#[test]
fn rows_newer_than_the_log_do_not_hide_what_is_appended() {
    let directory = directory();
    let path = directory.path();
    let mut store = open(path);
    store.append(&[added(0)]).expect("room");
    hold(&mut store, 0, 10, b"first");
    drop(store);
    let segment = path.join("log/00000001.seg");
    let copied = fs::read(&segment).expect("a segment");
    open(path).compact().expect("room");
    // The log was copied before segment 1 was finished, the rows after it.
    fs::remove_dir_all(path.join("log")).expect("a log");
    fs::create_dir(path.join("log")).expect("room");
    fs::write(&segment, copied).expect("room");
    let mut store = open(path);
    hold(&mut store, 0, 11, b"second");
    assert_eq!(memory_of(&store, 0).as_deref(), Some(&b"second"[..]));
    drop(store);
    let store = open(path);
    assert_eq!(memory_of(&store, 0).as_deref(), Some(&b"second"[..]));
    assert_eq!(store.resume().next_page, 1);
}
