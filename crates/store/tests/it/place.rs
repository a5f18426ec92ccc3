//! One process at a time, in a directory that is a store of a known format.

use std::fs;

use recrawl_store::{DirectoryStore, OpenMode, Store, StoreError};

use crate::support::{added, directory, open};

#[test]
fn a_store_in_use_is_not_opened_again_and_the_holder_is_named() {
    let directory = directory();
    let path = directory.path().join("store");
    let held = open(&path);
    let refused = DirectoryStore::open(&path, OpenMode::Existing).err();
    let refused = refused.expect("it is in use");
    assert_eq!(
        refused.to_string(),
        format!(
            "store {} is in use by another process (pid {})",
            path.display(),
            std::process::id()
        )
    );
    assert!(refused.hint().is_some());
    drop(held);
    DirectoryStore::open(&path, OpenMode::Existing).expect("it is free again");
}

#[test]
fn the_log_can_be_read_while_another_process_appends() {
    let directory = directory();
    let mut store = open(directory.path());
    store.append(&[added(0), added(1)]).expect("room");
    let mut reader = recrawl_store::LogReader::open(directory.path()).expect("a log");
    // Fill segments, so that the one being read is sealed and taken away.
    for page in 2..60 {
        store.append(&[added(page)]).expect("room");
    }
    store.compact().expect("room");
    let mut count = 0;
    reader.replay(&mut |_| count += 1).expect("still there");
    assert_eq!(count, 2);
}

#[test]
fn a_newer_format_is_refused() {
    let directory = directory();
    drop(open(directory.path()));
    fs::write(directory.path().join("FORMAT"), "recrawl store format 4\n").expect("room");
    let refused = DirectoryStore::open(directory.path(), OpenMode::Existing).err();
    let refused = refused.expect("it is too new");
    assert_eq!(
        refused.to_string(),
        "store format 4 is newer than 3, the newest this program reads"
    );
    assert_eq!(
        refused.hint(),
        Some("upgrade, or point --store at another directory")
    );
}

#[test]
fn a_store_is_made_only_where_nothing_else_is() {
    let directory = directory();
    let path = directory.path().join("new").join("store");
    let missing = DirectoryStore::open(&path, OpenMode::Existing).err();
    assert!(matches!(missing, Some(StoreError::Missing { .. })));
    assert!(!path.exists(), "asking must not make it");
    drop(open(&path));
    let other = directory.path().join("photos");
    fs::create_dir(&other).expect("room");
    fs::write(other.join("cat.jpeg"), "").expect("room");
    let refused = DirectoryStore::open(&other, OpenMode::CreateIfMissing).err();
    assert!(matches!(refused, Some(StoreError::NotAStore { .. })));
    assert_eq!(fs::read_dir(&other).expect("a directory").count(), 1);
}

#[test]
fn a_store_that_was_never_finished_is_made_again() {
    let directory = directory();
    drop(open(directory.path()));
    fs::remove_file(directory.path().join("FORMAT")).expect("it is there");
    fs::remove_dir_all(directory.path().join("rows")).expect("it is there");
    fs::write(directory.path().join("log/00000001.seg"), "rcrw").expect("room");
    let mut store = open(directory.path());
    store.append(&[added(0)]).expect("room");
}

#[test]
fn lost_rows_are_made_again_from_the_log() {
    let directory = directory();
    let mut store = open(directory.path());
    for page in 0..40 {
        store.append(&[added(page)]).expect("room");
    }
    let before = store.resume().clone();
    drop(store);
    fs::remove_dir_all(directory.path().join("rows")).expect("it is there");
    let store = open(directory.path());
    assert_eq!(store.resume(), &before);
    let mut count = 0;
    store.scan(&mut |_, _| count += 1).expect("rows");
    assert_eq!(count, 40);
    let found = store.find("https://site1.example/7").expect("an index");
    assert_eq!(found.map(|page| page.0), Some(7));
}
