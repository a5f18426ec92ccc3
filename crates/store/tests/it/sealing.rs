//! Segments become Parquet, and nobody sees a difference.

use std::fs;
use std::path::Path;

use recrawl_model::Outcome;
use recrawl_store::{Record, Store};

use crate::support::{added, asked, directory, held, open, records, seen};

fn fill(path: &Path, pages: u32) {
    let mut store = open(path);
    for page in 0..pages {
        let visit = u64::from(page) + 1;
        let mut group = vec![added(page), asked(visit, page, 1)];
        let mut seen = seen(visit, page, 2, Outcome::First);
        if let Record::Seen { held: kept, .. } = &mut seen {
            *kept = Some(held(2, &page.to_le_bytes()));
        }
        group.push(seen);
        store.append(&group).expect("room");
    }
}

fn names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path.join("log")).expect("a log");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn full_segments_are_sealed_and_compacting_merges_them() {
    let directory = directory();
    fill(directory.path(), 30);
    let filled = names(directory.path());
    assert!(filled.iter().any(|name| name.ends_with(".parquet")));
    let mut store = open(directory.path());
    let before = records(&store);
    let resume = store.resume().clone();
    store.compact().expect("room");
    let compacted = names(directory.path());
    assert_eq!(compacted.len(), 2, "{compacted:?}");
    assert!(compacted[0].contains('-') && compacted[0].ends_with(".parquet"));
    assert_eq!(records(&store), before);
    drop(store);
    let store = open(directory.path());
    assert_eq!(records(&store), before);
    assert_eq!(store.resume(), &resume);
    // What is held outlives the segment it was written in.
    store
        .scan(&mut |page, row| {
            assert_eq!(row.held, Some(held(2, &page.0.to_le_bytes())));
        })
        .expect("rows");
    assert_eq!(before.len(), 90);
}

#[test]
fn compacting_again_changes_nothing() {
    let directory = directory();
    fill(directory.path(), 10);
    let mut store = open(directory.path());
    store.compact().expect("room");
    let once = names(directory.path());
    let again = store.compact().expect("room");
    assert_eq!((again.sealed, again.merged), (0, 0));
    assert_eq!(names(directory.path()), once);
}
