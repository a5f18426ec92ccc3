//! What the tests share: a server, a fast clock, a watcher over a memory store.

use std::sync::Arc;
use std::time::Duration;

use recrawl_model::{Timestamp, Weight};
use recrawl_store::{MemoryStore, Record, Store};
use recrawl_testkit::Server;
use recrawl_watch::{
    Allowance, Clock, Event, FastClock, Settings, Sources, Totals, Visited, Watcher,
};
use tokio_util::sync::CancellationToken;
use url::Url;

/// A day passes in a second: long enough for a few visits on a busy machine.
const SPEED: f64 = 86_400.0;

/// When tests begin.
pub(crate) const BEGAN: Timestamp = Timestamp::from_seconds(1_800_000_000);

/// So many visits a day, made at once, without gaps, on loopback.
pub(crate) fn settings(visits_a_day: u64, days: u64) -> Settings {
    let day = Duration::from_secs(86_400);
    let mut settings = Settings::new(Allowance::at_once(visits_a_day, day).expect("a budget"));
    settings.fetch.allow_private = true;
    settings.fetch.total_timeout = Duration::from_secs(5);
    settings.manners.gap = Duration::ZERO;
    settings.stop_after_cycles = Some(days);
    settings
}

/// Pages of a server.
pub(crate) fn pages(server: &Server, paths: &[&str]) -> Sources {
    let mut sources = Sources::new();
    for path in paths {
        let url = Url::parse(&server.url(path)).expect("an address");
        sources.add_page(url, Weight::ONE);
    }
    sources
}

/// A clock that goes on where a store ends.
pub(crate) fn clock_after(store: &MemoryStore) -> Arc<dyn Clock> {
    let began = store.resume().last_time.unwrap_or(BEGAN);
    Arc::new(FastClock::new(began, SPEED))
}

/// Watches until the settings end it; tells all visits.
pub(crate) async fn watch(
    settings: Settings,
    store: MemoryStore,
    sources: &Sources,
) -> (Totals, Vec<Visited>, MemoryStore) {
    let clock = clock_after(&store);
    let mut watcher = Watcher::open(settings, clock, store, sources).expect("a watcher");
    let mut visits = Vec::new();
    let stop = CancellationToken::new();
    let totals = watcher
        .run(&stop, &mut |event| {
            if let Event::Visited(visited) = event {
                visits.push(visited.clone());
            }
        })
        .await
        .expect("a watch");
    (totals, visits, watcher.into_store())
}

/// What a watch of these pages for so many days saw, in words.
pub(crate) async fn outcomes(server: &Server, paths: &[&str], days: u64) -> Vec<String> {
    let visits = paths.len() as u64;
    let (_, seen, _) = watch(
        settings(visits, days),
        MemoryStore::new(),
        &pages(server, paths),
    )
    .await;
    seen.iter()
        .map(|visited| visited.outcome.to_string())
        .collect()
}

/// All records of a store.
pub(crate) fn records(store: &MemoryStore) -> Vec<Record> {
    let mut records = Vec::new();
    let all = &mut |record: &Record| records.push(record.clone());
    store.replay(all).expect("a log");
    records
}
