//! The format does not drift: a store written once is still read.

use std::fs;
use std::path::{Path, PathBuf};

use recrawl_model::{Outcome, PageId};
use recrawl_store::{DirectoryStore, LogReader, Note, OpenMode, Record, Store};

use crate::support::{added, asked, at, directory, held, seen};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/format-1")
}

/// What the fixture was made of: one record of each kind at least, in a sealed
/// file and in a segment. Page rows are not part of it: they are made from the
/// log.
fn groups() -> [Vec<Record>; 2] {
    let mut full = seen(2, 0, 21, Outcome::Changed);
    if let Record::Seen {
        last_modified,
        note,
        held: kept,
        ..
    } = &mut full
    {
        *last_modified = Some(at(-500));
        *note = Some(Note {
            status: 200,
            reason: "text".to_owned(),
            bytes: 1_234,
            millis: 56,
        });
        *kept = Some(held(21, b"memory"));
    }
    let sealed = vec![
        Record::CycleBegun {
            number: 1,
            at: at(0),
            length: std::time::Duration::from_secs(86_400),
            budget: recrawl_model::Cost::downloads(20),
        },
        added(0),
        added(1),
        asked(1, 0, 10),
        seen(1, 0, 10, Outcome::First),
        Record::PageSet {
            page: PageId(1),
            at: at(12),
            standing: recrawl_store::Standing::Paused,
            weight: recrawl_model::Weight::new(2.5).expect("a weight"),
        },
    ];
    let open = vec![
        Record::HostHeld {
            host: "site0.example".to_owned(),
            until: at(1_000),
        },
        Record::Setting {
            name: "detector".to_owned(),
            value: "7f".to_owned(),
        },
        asked(2, 0, 20),
        full,
        asked(3, 1, 22),
    ];
    [sealed, open]
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("room");
    for entry in fs::read_dir(from).expect("a directory") {
        let from = entry.expect("an entry").path();
        let to = to.join(from.file_name().expect("a name"));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("room");
        }
    }
}

#[test]
fn a_store_of_format_1_is_read_as_it_was_written() {
    let directory = directory();
    copy(&fixture(), directory.path());
    let expected: Vec<Record> = groups()
        .concat()
        .into_iter()
        .map(|mut record| {
            if let Record::Seen { held, .. } = &mut record {
                *held = None;
            }
            record
        })
        .collect();
    let mut read = Vec::new();
    LogReader::open(directory.path())
        .and_then(|mut log| log.replay(&mut |record| read.push(record.clone())))
        .expect("a log");
    assert_eq!(read, expected);
    assert_eq!(recrawl_store::check(directory.path()).expect("a store"), []);

    let mut store = DirectoryStore::open(directory.path(), OpenMode::Existing).expect("a store");
    assert_eq!(store.resume().next_page, 2);
    assert_eq!(store.resume().next_visit, 4);
    assert_eq!(store.resume().outstanding.len(), 1);
    let cycle = store.resume().cycle.as_ref().expect("a cycle");
    assert_eq!(cycle.spent.in_downloads(), 3.0);
    let rows = store.rows(&[PageId(0)]).expect("rows");
    let row = rows[0].as_ref().expect("a row");
    assert_eq!(row.held, Some(held(21, b"memory")));
    store.append(&[added(2)]).expect("it goes on");
}

/// Makes the fixture of a new format; the old ones stay as they are.
#[test]
#[ignore = "run by hand once for each new format, into an empty directory"]
fn write_the_fixture() {
    let path = fixture();
    assert!(!path.exists(), "an old fixture is never written again");
    let mut store =
        DirectoryStore::open(&path, OpenMode::CreateIfMissing).expect("a new directory");
    let [sealed, open] = groups();
    store.append(&sealed).expect("room");
    store.compact().expect("room");
    store.append(&open).expect("room");
    drop(store);
    fs::remove_dir_all(path.join("rows")).expect("they are made again");
    fs::remove_file(path.join("LOCK")).expect("it is there");
}
