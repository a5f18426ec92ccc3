//! A process killed at any instant loses nothing it acknowledged.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use recrawl_model::{Outcome, PageId};
use recrawl_store::{DirectoryStore, OpenMode, Record, Store, StoreSettings};

use crate::support::{added, asked, directory, held, seen};

/// Names the store for the process that is to be killed.
const STORE: &str = "RECRAWL_TEST_CRASH_STORE";

/// Times the process is killed.
const KILLS: usize = 30;

fn open(path: &Path) -> DirectoryStore {
    let settings = StoreSettings {
        segment_bytes: 3_000, // some twenty groups: many are sealed on the way
        ..StoreSettings::default()
    };
    DirectoryStore::open_with(path, OpenMode::CreateIfMissing, settings).expect("a store")
}

/// The process that is killed: appends for ever and tells what is durable.
#[test]
#[ignore = "run by killed_at_any_instant_nothing_acknowledged_is_lost_or_doubled"]
fn append_until_killed() {
    let Some(path) = std::env::var_os(STORE).map(PathBuf::from) else {
        return;
    };
    let mut store = open(&path);
    let mut out = std::io::stdout();
    for asked in store.resume().outstanding.clone() {
        let given_up = seen(asked.visit, asked.page.0, 0, Outcome::Unknown);
        store.append(&[given_up]).expect("room");
    }
    loop {
        let (visit, page) = (store.resume().next_visit, store.resume().next_page);
        let page = if visit % 3 == 0 && page > 0 {
            (visit % u64::from(page)) as u32
        } else {
            store.append(&[added(page)]).expect("room");
            page
        };
        let second = i64::try_from(visit).expect("few visits");
        store.append(&[asked(visit, page, second)]).expect("room");
        let mut seen = seen(visit, page, second, Outcome::First);
        if let Record::Seen { held: kept, .. } = &mut seen {
            *kept = Some(held(second, &visit.to_le_bytes()));
        }
        store.append(&[seen]).expect("room");
        writeln!(out, "seen {visit}").expect("somebody listens");
    }
}

/// Runs the process, kills it once it has told of so many visits, and gives the
/// last it told of.
fn run_and_kill(path: &Path, after: usize) -> Option<u64> {
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .args([
            "--exact",
            "crash::append_until_killed",
            "--ignored",
            "--nocapture",
        ])
        .env(STORE, path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a process");
    let out = child.stdout.take().expect("a pipe");
    let mut told = BufReader::new(out).lines().map_while(Result::ok);
    let visit = |line: String| line.strip_prefix("seen ")?.parse::<u64>().ok();
    let mut last = told.by_ref().filter_map(visit).take(after).last();
    child.kill().expect("it runs"); // SIGKILL
    last = told.filter_map(visit).last().or(last);
    child.wait().expect("it is dead");
    last
}

#[test]
fn killed_at_any_instant_nothing_acknowledged_is_lost_or_doubled() {
    let directory = directory();
    let path = directory.path().join("store");
    let mut acknowledged = 0;
    for round in 0..KILLS {
        // From none, which is while the store is being opened, to many.
        let after = round * 7 % 23;
        acknowledged = run_and_kill(&path, after).unwrap_or(acknowledged);
        if !path.join("FORMAT").exists() {
            continue; // killed before there was a store
        }
        assert_eq!(recrawl_store::check(&path).expect("a store"), []);
        check(&path, acknowledged);
    }
    assert!(
        acknowledged > 100,
        "{acknowledged} visits are too few to tell"
    );
}

/// Every visit acknowledged is there once, none twice, and rows follow the log.
fn check(path: &Path, acknowledged: u64) {
    let store = open(path);
    let mut last_held = BTreeMap::new();
    let mut times_seen = BTreeMap::new();
    let replayed = store.replay(&mut |record| {
        if let Record::Seen {
            visit,
            page,
            outcome,
            ..
        } = record
        {
            *times_seen.entry(*visit).or_insert(0) += 1;
            if *outcome != Outcome::Unknown {
                last_held.insert(*page, *visit);
            }
        }
    });
    replayed.expect("a log");
    for visit in 1..=acknowledged {
        let unseen = store
            .resume()
            .outstanding
            .iter()
            .any(|asked| asked.visit == visit);
        assert!(!unseen, "visit {visit} was acknowledged");
        assert_eq!(times_seen.get(&visit), Some(&1), "visit {visit}");
    }
    assert!(times_seen.values().all(|&times| times == 1));
    for (page, visit) in last_held {
        let rows = store.rows(&[page]).expect("rows");
        let kept = rows[0].as_ref().and_then(|row| row.held.clone());
        let memory = kept.map(|held| held.memory);
        assert_eq!(
            memory,
            Some(visit.to_le_bytes().to_vec()),
            "page {}",
            page.0
        );
    }
    let pages: Vec<PageId> = (0..store.resume().next_page).map(PageId).collect();
    let rows = store.rows(&pages).expect("rows");
    assert!(rows.iter().all(Option::is_some));
}
