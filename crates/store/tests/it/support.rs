//! Random but possible groups of records, and small stores.

use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;
use recrawl_model::{Cost, Outcome, PageId, Timestamp, Weight};
use recrawl_store::{DirectoryStore, Held, Note, OpenMode, Record, Standing, Store, StoreSettings};

/// A new directory, in memory where there is such a place: tests are about what
/// is written, not about how long a disk takes.
pub(crate) fn directory() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory).expect("a directory")
    } else {
        tempfile::tempdir().expect("a directory")
    }
}

/// Settings with which segments fill after a few records.
pub(crate) fn small() -> StoreSettings {
    StoreSettings {
        segment_bytes: 700,
        ..StoreSettings::default()
    }
}

pub(crate) fn open(path: &Path) -> DirectoryStore {
    DirectoryStore::open_with(path, OpenMode::CreateIfMissing, small()).expect("a store")
}

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_seconds(1_800_000_000 + second)
}

pub(crate) fn added(page: u32) -> Record {
    Record::PageAdded {
        page: PageId(page),
        at: at(0),
        url: format!("https://site{}.example/{page}", page % 3),
        site: format!("site{}.example", page % 3),
        weight: Weight::ONE,
    }
}

pub(crate) fn asked(visit: u64, page: u32, second: i64) -> Record {
    Record::Asked {
        visit,
        page: PageId(page),
        at: at(second),
        cost: Cost::DOWNLOAD,
    }
}

pub(crate) fn seen(visit: u64, page: u32, second: i64, outcome: Outcome) -> Record {
    Record::Seen {
        visit,
        page: PageId(page),
        at: at(second),
        outcome,
        last_modified: None,
        note: None,
        held: None,
    }
}

pub(crate) fn held(second: i64, memory: &[u8]) -> Held {
    Held {
        at: at(second),
        etag: Some("\"a\"".to_owned()),
        last_modified: None,
        location: None,
        memory: memory.to_vec(),
    }
}

/// What a driver may do next, before it is known which pages and visits there
/// are.
#[derive(Debug, Clone)]
pub(crate) enum Deed {
    Add {
        site: u8,
        weight: u8,
    },
    Set {
        page: u16,
        standing: u8,
        weight: u8,
    },
    Ask {
        page: u16,
        skip: u8,
        cost: u32,
    },
    See {
        which: u16,
        outcome: u8,
        note: Option<Note>,
        held: Option<Held>,
        dated: bool,
    },
    Import {
        page: u16,
        outcome: u8,
        second: i32,
    },
    Begin {
        length: u32,
        budget: u16,
    },
    Hold {
        host: u8,
        until: i32,
    },
    Settle {
        name: u8,
        value: String,
    },
}

pub(crate) fn deeds() -> impl Strategy<Value = Vec<Vec<Deed>>> {
    let text = "[a-zé\u{0}\"\n]{0,12}";
    let note = (any::<u16>(), text, any::<u32>(), any::<u32>()).prop_map(
        |(status, reason, bytes, millis)| Note {
            status,
            reason,
            bytes,
            millis,
        },
    );
    let held = (
        any::<i32>(),
        prop::option::of(text),
        prop::option::of(text),
        prop::option::of(text),
        prop::collection::vec(any::<u8>(), 0..40),
    )
        .prop_map(|(second, etag, last_modified, location, memory)| Held {
            at: at(i64::from(second)),
            etag,
            last_modified,
            location,
            memory,
        });
    let deed = prop_oneof![
        3 => (any::<u8>(), any::<u8>()).prop_map(|(site, weight)| Deed::Add { site, weight }),
        1 => (any::<u16>(), 0u8..4, any::<u8>())
            .prop_map(|(page, standing, weight)| Deed::Set { page, standing, weight }),
        4 => (any::<u16>(), 0u8..3, 0u32..2_000_000)
            .prop_map(|(page, skip, cost)| Deed::Ask { page, skip, cost }),
        4 => (
            any::<u16>(),
            0u8..4,
            prop::option::of(note),
            prop::option::of(held),
            any::<bool>()
        )
            .prop_map(|(which, outcome, note, held, dated)| Deed::See {
                which, outcome, note, held, dated
            }),
        2 => (any::<u16>(), 0u8..4, any::<i32>())
            .prop_map(|(page, outcome, second)| Deed::Import { page, outcome, second }),
        1 => (any::<u32>(), any::<u16>())
            .prop_map(|(length, budget)| Deed::Begin { length, budget }),
        1 => (any::<u8>(), any::<i32>()).prop_map(|(host, until)| Deed::Hold { host, until }),
        1 => (any::<u8>(), text).prop_map(|(name, value)| Deed::Settle { name, value }),
    ];
    prop::collection::vec(prop::collection::vec(deed, 1..6), 1..14)
}

/// Turns deeds into a group of records a store takes.
pub(crate) fn group(store: &dyn Store, deeds: &[Deed]) -> Vec<Record> {
    let mut next_page = store.resume().next_page;
    let mut next_visit = store.resume().next_visit;
    let mut open: Vec<(u64, PageId)> = store
        .resume()
        .outstanding
        .iter()
        .map(|asked| (asked.visit, asked.page))
        .collect();
    let mut records = Vec::new();
    for (place, deed) in deeds.iter().enumerate() {
        let second = i64::from(next_page) * 100 + place as i64;
        let pick = |number: u16| PageId(u32::from(number) % next_page.max(1));
        records.push(match deed {
            Deed::Add { site, weight } => {
                next_page += 1;
                Record::PageAdded {
                    page: PageId(next_page - 1),
                    at: at(second),
                    url: format!("https://site{site}.example/{next_page}"),
                    site: format!("site{site}.example"),
                    weight: Weight::new(f64::from(*weight) / 8.0).expect("a weight"),
                }
            }
            Deed::Hold { host, until } => Record::HostHeld {
                host: format!("host{host}"),
                until: at(i64::from(*until)),
            },
            Deed::Settle { name, value } => Record::Setting {
                name: format!("name{name}"),
                value: value.clone(),
            },
            Deed::Begin { length, budget } => Record::CycleBegun {
                number: next_visit,
                at: at(second),
                length: Duration::from_micros(u64::from(*length)),
                budget: Cost::downloads(u64::from(*budget)),
            },
            _ if next_page == 0 => continue,
            Deed::Set {
                page,
                standing,
                weight,
            } => Record::PageSet {
                page: pick(*page),
                at: at(second),
                standing: Standing::ALL[usize::from(*standing)],
                weight: Weight::new(f64::from(*weight)).expect("a weight"),
            },
            Deed::Ask { page, skip, cost } => {
                let visit = next_visit + u64::from(*skip);
                next_visit = visit + 1;
                open.push((visit, pick(*page)));
                Record::Asked {
                    visit,
                    page: pick(*page),
                    at: at(second),
                    cost: Cost::from_millionths(u64::from(*cost)),
                }
            }
            Deed::See {
                which,
                outcome,
                note,
                held,
                dated,
            } => {
                if open.is_empty() {
                    continue;
                }
                let (visit, page) = open.remove(usize::from(*which) % open.len());
                Record::Seen {
                    visit,
                    page,
                    at: at(second),
                    outcome: OUTCOMES[usize::from(*outcome)],
                    last_modified: dated.then(|| at(-second)),
                    note: note.clone(),
                    held: held.clone(),
                }
            }
            Deed::Import {
                page,
                outcome,
                second,
            } => Record::Seen {
                visit: 0,
                page: pick(*page),
                at: at(i64::from(*second)),
                outcome: OUTCOMES[usize::from(*outcome)],
                last_modified: None,
                note: None,
                held: None,
            },
        });
    }
    records
}

const OUTCOMES: [Outcome; 4] = [
    Outcome::First,
    Outcome::Changed,
    Outcome::Unchanged,
    Outcome::Unknown,
];

/// All records of a store.
pub(crate) fn records(store: &dyn Store) -> Vec<Record> {
    let mut records = Vec::new();
    store
        .replay(&mut |record| records.push(record.clone()))
        .expect("a log");
    records
}
