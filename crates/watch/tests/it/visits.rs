//! What visits make of what servers say.

use std::sync::atomic::{AtomicUsize, Ordering};

use recrawl_model::PageId;
use recrawl_store::{MemoryStore, Standing, Store};
use recrawl_testkit::{Reply, Request, Server};

use crate::support::{outcomes, pages, settings, watch};

/// A server whose page is what `page` says at its n-th visit.
async fn serve(page: impl Fn(usize, &Request) -> Reply + Send + Sync + 'static) -> Server {
    let visits = AtomicUsize::new(0);
    Server::start(move |request| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        _ => page(visits.fetch_add(1, Ordering::SeqCst), request),
    })
    .await
}

#[tokio::test]
async fn a_page_is_first_then_unchanged_then_changed() {
    let server = serve(|visit, _| Reply::page(["old", "old", "new"][visit.min(2)])).await;
    assert_eq!(
        outcomes(&server, &["/a"], 4).await,
        ["first", "unchanged", "changed", "unchanged"]
    );
}

#[tokio::test]
async fn later_visits_ask_conditionally_and_304_is_unchanged() {
    let server = serve(|visit, request| {
        if visit == 0 {
            Reply::page("text").header("ETag", "\"v1\"")
        } else {
            assert_eq!(request.header("if-none-match"), Some("\"v1\""));
            Reply::status(304)
        }
    })
    .await;
    assert_eq!(
        outcomes(&server, &["/a"], 3).await,
        ["first", "unchanged", "unchanged"]
    );
}

#[tokio::test]
async fn a_page_that_is_gone_and_comes_back_is_born_again() {
    let server = serve(|visit, _| match visit {
        0 => Reply::page("one"),
        1 | 2 => Reply::status(410),
        _ => Reply::page("another"),
    })
    .await;
    let sources = pages(&server, &["/a"]);
    let (_, seen, store) = watch(settings(1, 2), MemoryStore::new(), &sources).await;
    assert_eq!(seen[1].reason.as_deref(), Some("gone: answered 410"));
    let standing = |store: &MemoryStore| {
        let rows = store.rows(&[PageId(0)]).expect("rows");
        rows[0].as_ref().map(|row| row.standing)
    };
    assert_eq!(standing(&store), Some(Standing::Gone));
    let (_, seen, store) = watch(settings(1, 4), store, &sources).await;
    let words: Vec<_> = seen.iter().map(|seen| seen.outcome.to_string()).collect();
    assert_eq!(words, ["unknown", "first", "unchanged", "unchanged"]);
    assert_eq!(standing(&store), Some(Standing::Watched));
}

#[tokio::test]
async fn a_failure_is_unknown_and_the_page_is_compared_with_the_last_good_visit() {
    let server = serve(|visit, _| match visit {
        1 => Reply::status(500),
        _ => Reply::page("same"),
    })
    .await;
    assert_eq!(
        outcomes(&server, &["/a"], 3).await,
        ["first", "unknown", "unchanged"]
    );
}

#[tokio::test]
async fn a_page_that_only_shows_a_counter_settles_after_a_second_look() {
    let text = "<p>Opening hours as ever, from nine to five, every day but Sunday.</p>";
    let server = serve(move |visit, _| {
        Reply::page(format!(
            "<html>{text}<p>Visitors: {}</p></html>",
            1_000 + visit * 7
        ))
    })
    .await;
    let (totals, seen, _) = watch(
        settings(3, 12),
        MemoryStore::new(),
        &pages(&server, &["/a"]),
    )
    .await;
    assert!(totals.second_looks >= 1, "{totals:?}");
    let last = &seen[seen.len() - 3..];
    assert!(
        last.iter().all(|seen| seen.outcome.name() == "unchanged"),
        "{seen:?}"
    );
}

#[tokio::test]
async fn redirects_are_recorded() {
    let server = serve(|_, request| match request.path.as_str() {
        "/a" => Reply::status(302).header("Location", "/b"),
        _ => Reply::page("here"),
    })
    .await;
    let (_, seen, _) = watch(settings(1, 1), MemoryStore::new(), &pages(&server, &["/a"])).await;
    assert_eq!(seen[0].location, Some(server.url("/b")));
    assert_eq!(seen[0].outcome.name(), "first");
}

#[tokio::test]
async fn a_page_closed_by_robots_is_never_asked_for_and_costs_nothing() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::page("User-agent: *\nDisallow: /private\n"),
        _ => Reply::page("text"),
    })
    .await;
    let sources = pages(&server, &["/private/a", "/open"]);
    let (totals, seen, _) = watch(settings(1, 2), MemoryStore::new(), &sources).await;
    assert_eq!(totals.visits, 2);
    assert!(seen.iter().all(|seen| seen.page.ends_with("/open")));
    let asked = server.requests();
    assert!(
        asked
            .iter()
            .all(|request| !request.path.starts_with("/private"))
    );
}

#[tokio::test]
async fn without_leave_a_private_address_is_refused() {
    let server = serve(|_, _| Reply::page("text")).await;
    let mut settings = settings(1, 1);
    settings.fetch.allow_private = false;
    let (_, seen, _) = watch(settings, MemoryStore::new(), &pages(&server, &["/a"])).await;
    let reasons: Vec<_> = seen
        .iter()
        .filter_map(|seen| seen.reason.as_deref())
        .collect();
    assert_eq!(
        reasons,
        ["robots.txt cannot be read: private address 127.0.0.1 refused"]
    );
    assert!(server.requests().is_empty());
}
