//! The directory and its twin in memory answer alike.

use proptest::prelude::*;
use recrawl_model::PageId;
use recrawl_store::{MemoryStore, Record, Refusal, Resume, Store, StoreError, Version, Versions};

use crate::support::{added, asked, at, deeds, directory, group, open, records, seen};

/// What both must say alike. Hosts that may be asked again are forgotten at
/// some time by a store on disk.
fn check_alike(disk: &dyn Store, memory: &dyn Store) {
    assert_eq!(records(disk), records(memory));
    let without_past = |resume: &Resume| {
        let mut resume = resume.clone();
        let now = resume.last_time;
        resume
            .hosts
            .retain(|_, until| now.is_none_or(|now| *until > now));
        resume
    };
    assert_eq!(without_past(disk.resume()), without_past(memory.resume()));
    let pages: Vec<PageId> = (0..memory.resume().next_page + 2).map(PageId).collect();
    let rows = memory.rows(&pages).expect("rows");
    assert_eq!(disk.rows(&pages).expect("rows"), rows);
    let mut scanned = Vec::new();
    disk.scan(&mut |page, row| scanned.push((page, row)))
        .expect("rows");
    let mut glanced = 0;
    disk.glance(&mut |page, glance| {
        let row = rows[page.index()].as_ref().expect("a row");
        assert_eq!(glance, row.glance());
        assert_eq!(page.index(), glanced);
        glanced += 1;
    })
    .expect("rows");
    for (page, row) in pages.iter().zip(&rows) {
        let Some(row) = row else { continue };
        assert_eq!(disk.find(&row.url).expect("an index"), Some(*page));
        assert_eq!(scanned[page.index()], (*page, row.clone()));
    }
    assert_eq!(scanned.len(), glanced);
    assert_eq!(glanced, memory.resume().next_page as usize);
    assert_eq!(
        disk.find("https://nobody.example/").expect("an index"),
        None
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_same_calls_get_the_same_answers_also_after_opening_again(
        groups in deeds(),
        reopened in prop::collection::vec(any::<bool>(), 14),
        compacted in 0usize..14,
    ) {
        let directory = directory();
        let mut disk = open(directory.path());
        let mut memory = MemoryStore::new();
        for (place, deeds) in groups.iter().enumerate() {
            let records = group(&memory, deeds);
            memory.append(&records).expect("possible records");
            disk.append(&records).expect("possible records");
            if compacted == place {
                disk.compact().expect("room");
            }
            if reopened[place] {
                drop(disk);
                disk = open(directory.path());
            }
        }
        check_alike(&disk, &memory);
        drop(disk);
        check_alike(&open(directory.path()), &memory);
        prop_assert_eq!(recrawl_store::check(directory.path()).expect("a store"), vec![]);
    }
}

#[test]
fn impossible_records_are_refused_by_both_and_change_nothing() {
    let directory = directory();
    let mut disk = open(directory.path());
    let mut memory = MemoryStore::new();
    let first = [added(0), added(1), asked(5, 1, 10)];
    disk.append(&first).expect("possible records");
    memory.append(&first).expect("possible records");
    let unchanged = recrawl_model::Outcome::Unchanged;
    let mut same_url = added(2);
    if let Record::PageAdded { url, .. } = &mut same_url {
        "https://site1.example/1".clone_into(url);
    }
    let impossible = [
        (
            vec![added(2), added(2)],
            "page 2 cannot be added: the next number is 3",
        ),
        (
            vec![added(3)],
            "page 3 cannot be added: the next number is 2",
        ),
        (
            vec![same_url],
            "`https://site1.example/1` is page 1 already",
        ),
        (vec![seen(0, 2, 11, unchanged)], "there is no page 2"),
        (
            vec![asked(5, 0, 11)],
            "visit 5 cannot be asked for: the next number is 6 or more",
        ),
        (
            vec![seen(4, 1, 11, unchanged)],
            "visit 4 of page 1 was not asked for, or was seen already",
        ),
        (
            vec![seen(5, 0, 11, unchanged)],
            "visit 5 of page 0 was not asked for, or was seen already",
        ),
        (
            vec![seen(5, 1, 11, unchanged), seen(5, 1, 12, unchanged)],
            "visit 5 of page 1 was not asked for, or was seen already",
        ),
    ];
    for (records, message) in impossible {
        for store in [&mut disk as &mut dyn Store, &mut memory] {
            let refused = store.append(&records).expect_err(message);
            assert!(
                matches!(refused, StoreError::Refused(Refusal::TooLong { .. }))
                    || refused.to_string() == message,
                "{refused}"
            );
        }
    }
    check_alike(&disk, &memory);
    assert_eq!(records(&disk).len(), 3);
}

#[test]
fn the_newest_versions_of_each_page_are_kept() {
    let directory = directory();
    let mut disk = open(directory.path());
    let mut memory = MemoryStore::new();
    let version = |second: i64| Version {
        at: at(second),
        content_type: (second % 2 == 0).then(|| "text/html".to_owned()),
        body: format!("as it was at {second}; ").repeat(50).into_bytes(),
    };
    for (page, second) in [
        (7, -1_900_000_000),
        (7, 30),
        (8, 5),
        (7, 10),
        (7, 20),
        (7, 30),
    ] {
        for store in [&mut disk as &mut dyn Versions, &mut memory] {
            store.keep(PageId(page), &version(second), 3).expect("room");
        }
    }
    drop(disk);
    let disk = open(directory.path());
    for store in [&disk as &dyn Versions, &memory] {
        let kept = store.versions(PageId(7)).expect("versions");
        assert_eq!(kept, [version(30), version(20), version(10)]);
        assert_eq!(store.versions(PageId(8)).expect("versions").len(), 1);
        assert_eq!(store.versions(PageId(9)).expect("versions"), []);
    }
}
