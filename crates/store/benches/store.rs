//! What a store costs with a million pages: `cargo bench -p recrawl-store`.
//! `RECRAWL_BENCH_PAGES` takes fewer.
//!
//! CPU seconds of the process, all threads, and resident memory. The disk's own
//! time is not in them: it is shared and says nothing of the program.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark may stop, and talks"
)]

use std::path::Path;
use std::process::Command;

use recrawl_model::{Cost, Outcome, PageId, Timestamp, Weight};
use recrawl_store::{DirectoryStore, Held, Note, OpenMode, Record, Store};
use rustix::time::{ClockId, clock_gettime};

/// Pages appended together, and visits.
const GROUP: u32 = 1_000;

/// The order to read a store.
const READ: &str = "read";

/// Visits of each page, besides the first.
const VISITS: u32 = 4;

fn cpu_seconds() -> f64 {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

/// Resident memory in bytes.
fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0.0) * 4_096.0
}

/// The most memory that was ever resident, in MB.
fn most_resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kibibytes.unwrap_or(0.0) * 1_024.0 / 1e6
}

fn at(second: u32) -> Timestamp {
    Timestamp::from_seconds(1_800_000_000 + i64::from(second))
}

fn added(page: u32) -> Record {
    let site = format!("site{}.example", page % 9_973);
    Record::PageAdded {
        page: PageId(page),
        at: at(0),
        url: format!("https://{site}/some/longer/path/to/page-{page}.html"),
        site,
        weight: Weight::ONE,
    }
}

fn asked(visit: u32, page: u32) -> Record {
    Record::Asked {
        visit: u64::from(visit),
        page: PageId(page),
        at: at(visit),
        cost: Cost::DOWNLOAD,
    }
}

fn seen(visit: u32, page: u32, held: bool) -> Record {
    Record::Seen {
        visit: u64::from(visit),
        page: PageId(page),
        at: at(visit),
        outcome: if held {
            Outcome::First
        } else {
            Outcome::Unchanged
        },
        last_modified: None,
        note: Some(Note {
            status: if held { 200 } else { 304 },
            reason: if held { "first visit" } else { "not modified" }.to_owned(),
            bytes: 20_000,
            millis: 35,
        }),
        held: held.then(|| Held {
            at: at(visit),
            etag: Some(format!("\"{visit:x}\"")),
            last_modified: Some("Mon, 16 Nov 2026 00:00:00 GMT".to_owned()),
            location: None,
            memory: (0..96).map(|byte| (visit >> (byte % 24)) as u8).collect(),
        }),
    }
}

/// Runs something and prints CPU time for each of `count` things.
fn measure<T>(what: &str, count: u32, run: impl FnOnce() -> T) -> T {
    let before = cpu_seconds();
    let result = run();
    let spent = cpu_seconds() - before;
    let each = spent / f64::from(count) * 1e9;
    println!("{what:44} {spent:8.3} CPU s  {each:8.0} ns each");
    result
}

fn open(path: &Path) -> DirectoryStore {
    DirectoryStore::open(path, OpenMode::CreateIfMissing).expect("a store")
}

fn fill(path: &Path, pages: u32) {
    let mut store = measure("open an empty store", 1, || open(path));
    measure("add pages", pages, || {
        for first in (0..pages).step_by(GROUP as usize) {
            let group: Vec<Record> = (first..pages.min(first + GROUP)).map(added).collect();
            store.append(&group).expect("room");
        }
    });
    let mut visit = 1;
    for round in 0..=VISITS {
        let what = match round {
            0 => "visit, response held (asked and seen)",
            _ => "visit, not modified (asked and seen)",
        };
        measure(what, pages, || {
            for first in (0..pages).step_by(GROUP as usize) {
                let group = first..pages.min(first + GROUP);
                let visits = (visit..).zip(group);
                let asks: Vec<Record> = visits.clone().map(|(v, p)| asked(v, p)).collect();
                store.append(&asks).expect("room");
                let sees: Vec<Record> = visits.map(|(v, p)| seen(v, p, round == 0)).collect();
                store.append(&sees).expect("room");
                visit += asks.len() as u32;
            }
        });
    }
    drop(store);
    println!("most resident while writing: {:.0} MB", most_resident());
}

/// Runs [`read`] in a process of its own, whose memory is its own.
fn read_elsewhere(what: &str, path: &Path, pages: u32) {
    println!("{what}");
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args([READ.as_ref(), path.as_os_str()])
        .arg(pages.to_string())
        .status();
    assert!(status.is_ok_and(|status| status.success()));
}

/// Opens the store as a driver does: its state, its pages, its log.
fn read(path: &Path, pages: u32) {
    let before = resident();
    let store = measure("  open", 1, || open(path));
    let mut sites = 0;
    measure("  all pages at a glance", pages, || {
        let each = &mut |_, glance: recrawl_store::Glance<'_>| sites += glance.site.len();
        store.glance(each).expect("rows");
    });
    let mut records = 0;
    let count = pages * (1 + 2 * (VISITS + 1));
    measure("  replay, for each record", count, || {
        store.replay(&mut |_| records += 1).expect("a log");
    });
    assert_eq!(records, count, "all of them");
    let grown = resident() - before;
    println!(
        "  resident: {:.0} MB more, {:.0} bytes a page; {:.0} MB at most",
        grown / 1e6,
        grown / f64::from(pages),
        most_resident()
    );
    let pages: Vec<PageId> = (0..pages).step_by(101).map(PageId).collect();
    measure("  read a row, at random", pages.len() as u32, || {
        store.rows(&pages).expect("rows");
    });
}

#[expect(
    clippy::disallowed_methods,
    reason = "how much to measure comes from the environment"
)]
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, order, path, pages] = &arguments[..]
        && order == READ
    {
        read(Path::new(path), pages.parse().expect("a number of pages"));
        return;
    }
    let pages = std::env::var("RECRAWL_BENCH_PAGES");
    let pages = pages.map_or(1_000_000, |pages| pages.parse().expect("a number of pages"));
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("store");
    println!("{pages} pages, {} visits each", VISITS + 1);
    fill(&path, pages);
    read_elsewhere("after a stop:", &path, pages);
    let mut store = open(&path);
    let compacted = measure("compact", pages, || store.compact().expect("room"));
    println!(
        "bytes a page: {:.0} before, {:.0} after",
        compacted.bytes_before as f64 / f64::from(pages),
        compacted.bytes_after as f64 / f64::from(pages)
    );
    drop(store);
    read_elsewhere("compacted:", &path, pages);
}
