//! `recrawl watch` killed at random instants, a hundred times over.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use recrawl_model::Cost;
use recrawl_store::{DirectoryStore, OpenMode, Record, Store};
use recrawl_testkit::{Reply, Server};

const RESTARTS: usize = 100;
const PAGES: usize = 40;
const BUDGET: u64 = 900;

/// A server whose pages change at every other visit.
async fn serve() -> Server {
    let visits = AtomicUsize::new(0);
    Server::start(move |request| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        path => {
            let edition = visits.fetch_add(1, Ordering::SeqCst) / 2;
            Reply::page(format!("<p>edition {edition} of {path}</p>"))
        }
    })
    .await
}

fn start(store: &Path, list: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_recrawl"))
        .args([
            "watch",
            "--allow-private",
            "--host-gap",
            "0s",
            "--format",
            "ndjson",
        ])
        .args([
            "--host-connections",
            "8",
            "--cycle",
            "2s",
            "--second-looks",
            "0",
        ])
        .args(["--budget", &BUDGET.to_string()])
        .arg("--store")
        .arg(store)
        .arg(list)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts")
}

/// Lets the watcher run for a while, kills it, and returns the visits it told.
fn run_and_kill(store: &Path, list: &Path, chance: &mut Pcg64Mcg) -> Vec<u64> {
    let mut child = start(store, list);
    let out = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let lines = BufReader::new(out).split(b'\n');
        let whole = lines.map_while(Result::ok).filter_map(|line| {
            let visit: serde_json::Value = serde_json::from_slice(&line).ok()?;
            visit["visit"].as_u64()
        });
        whole.collect::<Vec<u64>>()
    });
    let wait = Duration::from_millis(chance.random_range(0..400));
    #[expect(
        clippy::disallowed_methods,
        reason = "the instant of death is the test"
    )]
    std::thread::sleep(wait);
    child.kill().expect("SIGKILL"); // nothing is flushed, nobody is told
    child.wait().expect("it is dead");
    reader.join().expect("the reader")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_visit_told_is_in_the_log_once_and_no_budget_is_exceeded() {
    let server = serve().await;
    let directory = tempfile::tempdir().expect("a directory");
    let store = directory.path().join("store");
    let list = directory.path().join("urls.txt");
    let urls: Vec<String> = (0..PAGES)
        .map(|page| server.url(&format!("/{page}")))
        .collect();
    std::fs::write(&list, urls.join("\n")).expect("a list");
    let mut chance = Pcg64Mcg::seed_from_u64(1);
    let mut told = Vec::new();
    for _ in 0..RESTARTS {
        told.extend(run_and_kill(&store, &list, &mut chance));
    }
    assert!(
        told.len() > RESTARTS,
        "too few visits to mean anything: {}",
        told.len()
    );

    let opened = DirectoryStore::open(&store, OpenMode::Existing).expect("the store opens");
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    let mut asked: usize = 0;
    let mut spent_by_cycle = Vec::new();
    opened
        .replay(&mut |record| match record {
            Record::Seen { visit, .. } => *seen.entry(*visit).or_default() += 1,
            Record::Asked { .. } => {
                asked += 1;
                if let Some((_, spent)) = spent_by_cycle.last_mut() {
                    *spent += 1;
                }
            }
            Record::CycleBegun { budget, .. } => spent_by_cycle.push((*budget, 0u64)),
            _ => {}
        })
        .expect("the log is whole");
    assert!(
        seen.values().all(|&times| times == 1),
        "a visit was seen twice"
    );
    let lost: Vec<_> = told
        .iter()
        .filter(|visit| !seen.contains_key(visit))
        .collect();
    assert!(lost.is_empty(), "told and not in the log: {lost:?}");
    let requests = server.requests();
    let made = requests
        .iter()
        .filter(|request| request.path != "/robots.txt")
        .count();
    assert!(made <= asked, "{made} requests for {asked} visits paid for");
    for (budget, spent) in spent_by_cycle {
        assert!(Cost::downloads(spent) <= budget, "{spent} of {budget:?}");
    }
}
