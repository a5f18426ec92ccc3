//! How a watch ends, and what it leaves behind.

use std::time::Duration;

use recrawl_model::{Outcome, PageId};
use recrawl_store::{MemoryStore, Record, Store};
use recrawl_testkit::{Reply, Server};
use recrawl_watch::{Settings, Sources, WatchError, Watcher};
use tokio_util::sync::CancellationToken;

use crate::support::{clock_after, pages, records, settings, watch};

#[tokio::test]
async fn told_to_stop_it_ends_soon_and_writes_down_what_was_under_way() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        _ => Reply::stalling(),
    })
    .await;
    let mut settings = settings(1, 1);
    settings.stop_after_cycles = None;
    settings.fetch.total_timeout = Duration::from_secs(600);
    let store = MemoryStore::new();
    let clock = clock_after(&store);
    let sources = pages(&server, &["/slow"]);
    let mut watcher = Watcher::open(settings, clock, store, &sources).expect("a watcher");
    let stop = CancellationToken::new();
    let asked = async {
        while server.requests().len() < 2 {
            tokio::task::yield_now().await;
        }
        stop.cancel();
    };
    let mut told = |_: recrawl_watch::Event<'_>| {};
    let (totals, ()) = tokio::join!(watcher.run(&stop, &mut told), asked);
    totals.expect("a watch");
    let store = watcher.into_store();
    assert!(store.resume().outstanding.is_empty());
    let last = records(&store).pop().expect("a record");
    let Record::Seen {
        outcome,
        note: Some(note),
        ..
    } = last
    else {
        panic!("{last:?}");
    };
    assert_eq!(outcome, Outcome::Unknown);
    assert!(note.reason.starts_with("stopped"), "{}", note.reason);
}

#[tokio::test]
async fn versions_are_kept_up_to_the_number_asked_for() {
    let visits = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |request| {
        if request.path == "/robots.txt" {
            return Reply::status(404);
        }
        let visit = visits.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        Reply::page(format!(
            "<p>edition {visit} of a text with some other words</p>"
        ))
    })
    .await;
    let mut settings = settings(1, 5);
    settings.keep = 3;
    settings.second_looks = 0.0;
    let (_, _, store) = watch(settings, MemoryStore::new(), &pages(&server, &["/a"])).await;
    let kept = recrawl_store::Versions::versions(&store, PageId(0)).expect("versions");
    assert!(kept.len() <= 3 && kept.len() > 1, "{}", kept.len());
}

#[test]
fn nothing_to_watch_is_an_error() {
    let settings = Settings::new(Settings::default_allowance().expect("a budget"));
    let store = MemoryStore::new();
    let clock = clock_after(&store);
    let none = Watcher::open(settings, clock, store, &Sources::new());
    assert!(matches!(none.err(), Some(WatchError::NothingToWatch)));
}

#[test]
fn a_policy_that_knows_too_much_is_refused() {
    let mut settings = Settings::new(Settings::default_allowance().expect("a budget"));
    settings.policy = "no-such-policy".to_owned();
    let store = MemoryStore::new();
    let clock = clock_after(&store);
    assert!(Watcher::open(settings, clock, store, &Sources::new()).is_err());
}
