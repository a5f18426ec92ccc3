//! The budget is never exceeded: not by restarts, not by clocks.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use recrawl_model::Timestamp;
use recrawl_store::{MemoryStore, Record};
use recrawl_testkit::{Reply, Server};
use recrawl_watch::{Allowance, Clock, Event, SystemClock, Watcher};
use tokio_util::sync::CancellationToken;

use crate::support::{BEGAN, pages, records, settings, watch};

const PATHS: [&str; 12] = [
    "/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9", "/10", "/11",
];

async fn serve() -> Server {
    Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        _ => Reply::page("text"),
    })
    .await
}

/// Visits asked for in each cycle, in order.
fn asked_by_cycle(store: &MemoryStore) -> Vec<usize> {
    let mut cycles = Vec::new();
    for record in records(store) {
        match (&record, cycles.last_mut()) {
            (Record::CycleBegun { .. }, _) => cycles.push(0),
            (Record::Asked { .. }, Some(count)) => *count += 1,
            _ => {}
        }
    }
    cycles
}

#[tokio::test]
async fn each_cycle_spends_its_budget_and_no_more() {
    let server = serve().await;
    let sources = pages(&server, &PATHS);
    let (totals, _, store) = watch(settings(5, 4), MemoryStore::new(), &sources).await;
    assert_eq!(totals.visits, 20);
    assert_eq!(asked_by_cycle(&store), [5, 5, 5, 5]);
    let requests = server.requests();
    let visits = requests
        .iter()
        .filter(|request| request.path != "/robots.txt");
    assert_eq!(visits.count(), 20);
}

#[tokio::test]
async fn a_restart_takes_up_the_cycle_and_its_budget_where_they_were() {
    let server = serve().await;
    let sources = pages(&server, &PATHS);
    let mut store = MemoryStore::new();
    let week = Duration::from_secs(7 * 86_400);
    let mut made = 0;
    for round in 0..6 {
        let mut settings = settings(5, 1);
        settings.allowance = Allowance::at_once(8, week).expect("a budget");
        settings.connections = 1;
        let clock = crate::support::clock_after(&store);
        let mut watcher = Watcher::open(settings, clock, store, &sources).expect("a watcher");
        let stop = CancellationToken::new();
        let mut seen = 0;
        let mut tell = |event: Event<'_>| {
            if matches!(event, Event::Visited(_)) {
                seen += 1;
                if seen == 2 {
                    stop.cancel();
                }
            }
        };
        watcher.run(&stop, &mut tell).await.expect("a watch");
        made += seen;
        store = watcher.into_store();
        assert!(made <= 8, "round {round}: {made}");
    }
    assert_eq!(made, 8);
    assert_eq!(asked_by_cycle(&store), [8]);
}

/// A wall clock that jumps by days between reads; the steady one is the machine's.
struct Jumping(AtomicI64);

impl Clock for Jumping {
    fn wall(&self) -> Timestamp {
        let turn = self.0.fetch_add(1, Ordering::SeqCst);
        let days = if turn % 3 == 0 { -40 } else { turn * 9 };
        BEGAN.after(Duration::from_secs((100 + days).unsigned_abs() * 86_400))
    }

    fn steady(&self) -> Duration {
        SystemClock.steady()
    }

    fn real(&self, span: Duration) -> Duration {
        span
    }
}

#[tokio::test]
async fn a_clock_that_jumps_does_not_spend_the_budget_twice() {
    let server = serve().await;
    let sources = pages(&server, &PATHS);
    let mut settings = settings(3, 5);
    settings.stop_after_cycles = None;
    settings.stop_after = Some(Duration::from_millis(400));
    let clock = Arc::new(Jumping(AtomicI64::new(0)));
    let mut watcher =
        Watcher::open(settings, clock, MemoryStore::new(), &sources).expect("a watcher");
    let stop = CancellationToken::new();
    let totals = watcher.run(&stop, &mut |_| {}).await.expect("a watch");
    assert_eq!((totals.cycles, totals.visits), (1, 3));
}

#[tokio::test]
async fn every_page_is_visited_once_before_long() {
    let server = serve().await;
    let sources = pages(&server, &PATHS);
    let (_, seen, _) = watch(settings(4, 6), MemoryStore::new(), &sources).await;
    let first = seen.iter().filter(|seen| seen.outcome.name() == "first");
    assert_eq!(first.count(), PATHS.len());
}

#[tokio::test]
async fn a_site_gets_no_more_than_its_cap() {
    let server = serve().await;
    let sources = pages(&server, &PATHS);
    let mut settings = settings(10, 3);
    settings.site_cap = Some(2);
    let (totals, _, store) = watch(settings, MemoryStore::new(), &sources).await;
    assert_eq!(totals.visits, 6);
    assert_eq!(asked_by_cycle(&store), [2, 2, 2]);
}

#[tokio::test]
async fn a_continuous_budget_is_spread_over_its_period() {
    let server = serve().await;
    let sources = pages(&server, &PATHS);
    let mut settings = settings(1, 1);
    settings.allowance = Allowance::parse("48/24d").expect("a budget");
    settings.stop_after_cycles = Some(4);
    let (totals, _, store) = watch(settings, MemoryStore::new(), &sources).await;
    assert!((6..=8).contains(&totals.visits), "{totals:?}");
    assert!(asked_by_cycle(&store).iter().all(|&asked| asked <= 2));
    let times: Vec<Timestamp> = records(&store)
        .iter()
        .filter_map(|record| match record {
            Record::Asked { at, .. } => Some(*at),
            _ => None,
        })
        .collect();
    let last = times.last().expect("visits");
    assert!(last.days_since(times[0]) > 2.0, "{times:?}");
}

#[tokio::test]
async fn a_host_that_is_busy_is_left_alone_after_a_restart_too() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        _ => Reply::status(503).header("Retry-After", "7200"),
    })
    .await;
    let sources = pages(&server, &PATHS);
    let mut one_hour = settings(12, 1);
    one_hour.allowance = Allowance::at_once(12, Duration::from_secs(3_600)).expect("a budget");
    let (totals, seen, store) = watch(one_hour.clone(), MemoryStore::new(), &sources).await;
    assert_eq!((totals.visits, totals.unknown), (1, 1));
    assert_eq!(seen[0].reason.as_deref(), Some("busy: answered 503"));
    let (totals, _, store) = watch(one_hour.clone(), store, &sources).await;
    assert_eq!(totals.visits, 0);
    let (totals, _, _) = watch(one_hour, store, &sources).await;
    assert!(totals.visits <= 1);
}
