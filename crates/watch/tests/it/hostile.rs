//! Hostile servers through the whole watcher: their pages become `unknown` with
//! a reason in the store, and other hosts go on.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use recrawl_fetch::Fetcher;
use recrawl_model::{Outcome, PageId};
use recrawl_store::{MemoryStore, Record, Store};
use recrawl_testkit::{Identity, Names, Reply, Request, Server};
use recrawl_watch::{Allowance, Event, Settings, Sources, SystemClock, Watcher};
use tokio_util::sync::CancellationToken;
use url::Url;

/// What the store says of a page's visit: what it taught, and why.
type Seen = (Outcome, String);

/// Little patience, no gap, and only 127.0.0.1 passes for public.
fn settings(visits: u64) -> Settings {
    let cycle = Duration::from_secs(3_600);
    let allowance = Allowance::at_once(visits, cycle).expect("a sound budget");
    let mut settings = Settings::new(allowance);
    settings.manners.gap = Duration::ZERO;
    settings.second_looks = 0.0;
    settings.fetch.total_timeout = Duration::from_millis(400);
    settings.fetch.connect_timeout = Duration::from_millis(400);
    settings.fetch.most_body = 1 << 20;
    settings.fetch.trusted = vec![Ipv4Addr::LOCALHOST.into()];
    settings
}

/// Watches these pages until each was visited once; what the store then says of
/// each, by address.
async fn watch(addresses: &[String], settings: Settings, names: Names) -> BTreeMap<String, Seen> {
    let lookup = Arc::new(move |name: &str| names.look_up(name));
    let fetcher = Fetcher::with_lookup(&settings.fetch, lookup).expect("sound settings");
    let mut sources = Sources::new();
    for address in addresses {
        sources.add(address).expect("an address");
    }
    let (clock, store) = (Arc::new(SystemClock), MemoryStore::new());
    let watcher = Watcher::open_with(settings, clock, store, &sources, fetcher);
    let mut watcher = watcher.expect("a watcher");
    let stop = CancellationToken::new();
    let mut left = addresses.len();
    let mut tell = |event: Event<'_>| {
        if let Event::Visited(_) = event {
            left -= 1;
            if left == 0 {
                stop.cancel();
            }
        }
    };
    watcher.run(&stop, &mut tell).await.expect("a watch");
    seen(&watcher.into_store())
}

/// All visits of a store's log.
fn seen(store: &MemoryStore) -> BTreeMap<String, Seen> {
    let mut urls: Vec<String> = Vec::new();
    let mut visits: Vec<(PageId, Seen)> = Vec::new();
    let mut read = |record: &Record| match record {
        Record::PageAdded { url, .. } => urls.push(url.clone()),
        Record::Seen {
            page,
            outcome,
            note,
            ..
        } => {
            let reason = note.as_ref().map(|note| note.reason.clone());
            visits.push((*page, (*outcome, reason.unwrap_or_default())));
        }
        _ => {}
    };
    store.replay(&mut read).expect("a log");
    let by_url = |(page, seen): (PageId, Seen)| (urls[page.index()].clone(), seen);
    visits.into_iter().map(by_url).collect()
}

fn public() -> IpAddr {
    Ipv4Addr::LOCALHOST.into()
}

/// Watches a page of a hostile server beside one of an honest server: the
/// honest one is seen, the reason of the other is returned.
async fn reason_beside_an_honest_host(hostile: &str, names: Names) -> String {
    let honest = Server::start(|_| Reply::page("<p>all is well</p>")).await;
    let names = names.with("honest.test", &[&[public()]]);
    let good = honest.url_on("honest.test", "/");
    let pages = [hostile.to_owned(), good.clone()];
    let seen = watch(&pages, settings(2), names).await;
    assert_eq!(seen[&good], (Outcome::First, String::new()));
    let address = Url::parse(hostile).expect("an address");
    let (outcome, reason) = seen[address.as_str()].clone();
    assert_eq!(outcome, Outcome::Unknown, "{reason}");
    reason
}

/// As above, for a server that gives this reply to everything but `/robots.txt`.
async fn reason_of(reply: Reply) -> String {
    let server = Server::start(move |request: &Request| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        _ => reply.clone(),
    })
    .await;
    let names = Names::new().with("hostile.test", &[&[public()]]);
    let page = server.url_on("hostile.test", "/");
    reason_beside_an_honest_host(&page, names).await
}

#[tokio::test]
async fn an_endless_body() {
    let reason = reason_of(Reply::endless_body()).await;
    assert_eq!(reason, "body larger than 1048576 bytes");
}

#[tokio::test]
async fn one_byte_now_and_then() {
    let reason = reason_of(Reply::dripping(Duration::from_millis(50))).await;
    assert_eq!(reason, "timed out");
}

#[tokio::test]
async fn a_gzip_bomb() {
    let reason = reason_of(Reply::gzip_bomb()).await;
    assert_eq!(reason, "body larger than 1048576 bytes");
}

#[tokio::test]
async fn a_redirect_loop() {
    let reason = reason_of(Reply::redirect("/")).await;
    assert_eq!(reason, "redirect loop");
}

#[tokio::test]
async fn a_redirect_to_a_private_address() {
    let reason = reason_of(Reply::redirect("http://169.254.169.254/")).await;
    let expected = "redirect to private address 169.254.169.254 refused";
    assert_eq!(reason, expected);
}

#[tokio::test]
async fn a_flood_of_headers() {
    let reason = reason_of(Reply::header_flood()).await;
    assert_eq!(reason, "headers too many or too long");
}

#[tokio::test]
async fn a_body_shorter_than_announced() {
    let reason = reason_of(Reply::shorter_than_announced()).await;
    assert_eq!(reason, "connection closed before the whole answer");
}

#[tokio::test]
async fn a_server_that_closes_mid_body() {
    let reason = reason_of(Reply::closing_mid_chunk()).await;
    assert_eq!(reason, "connection closed before the whole answer");
}

#[tokio::test]
async fn a_name_that_answers_private_on_the_second_look() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::status(404).closing(),
        _ => Reply::page("never seen"),
    })
    .await;
    let private = IpAddr::from([10, 0, 0, 1]);
    let names = Names::new().with("turning.test", &[&[public()], &[private]]);
    let page = server.url_on("turning.test", "/");
    let reason = reason_beside_an_honest_host(&page, names).await;
    assert_eq!(reason, "private address 10.0.0.1 refused");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_private_address() {
    let reason = reason_beside_an_honest_host("http://10.0.0.1/", Names::new()).await;
    let expected = "robots.txt cannot be read: private address 10.0.0.1 refused";
    assert_eq!(reason, expected);
}

#[tokio::test]
async fn a_host_without_an_address() {
    let reason = reason_beside_an_honest_host("http://nowhere.test/", Names::new()).await;
    assert!(reason.ends_with("host name does not resolve"), "{reason}");
}

#[tokio::test]
async fn a_certificate_for_another_name() {
    let identity = Identity::of(&["right.test"]);
    let server = Server::start_tls(identity, |_| Reply::page("never seen")).await;
    let names = Names::new().with("wrong.test", &[&[public()]]);
    let page = server.url_on("wrong.test", "/");
    let reason = reason_beside_an_honest_host(&page, names).await;
    assert!(reason.contains("tls refused: certificate"), "{reason}");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_a_page_like_any_other() {
    let server = Server::start(|_| Reply::invalid_utf8()).await;
    let names = Names::new().with("odd.test", &[&[public()]]);
    let page = server.url_on("odd.test", "/");
    let seen = watch(std::slice::from_ref(&page), settings(1), names).await;
    assert_eq!(seen[&page].0, Outcome::First);
}

#[tokio::test]
async fn a_robots_file_of_a_hundred_megabytes_is_followed_as_far_as_it_is_read() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::large_robots(100_000_000),
        _ => Reply::page("<p>open</p>"),
    })
    .await;
    let names = Names::new().with("large.test", &[&[public()]]);
    let mut patient = settings(1);
    patient.fetch.total_timeout = Duration::from_secs(20);
    let page = server.url_on("large.test", "/open");
    let seen = watch(std::slice::from_ref(&page), patient, names).await;
    assert_eq!(seen[&page].0, Outcome::First);
    assert!(
        server.sent() < 24 << 20,
        "{} bytes were sent",
        server.sent()
    );
}

/// A sitemap that would be a billion lines, were its entities put in.
const ENTITIES: &str = r#"<?xml version="1.0"?><!DOCTYPE urlset [
<!ENTITY a "http://x.test/"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">
<!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">
<!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;"><!ENTITY h "&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;">
<!ENTITY i "&h;&h;&h;&h;&h;&h;&h;&h;&h;&h;"><!ENTITY j "&i;&i;&i;&i;&i;&i;&i;&i;&i;&i;">]>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>&j;</loc></url></urlset>"#;

#[tokio::test]
async fn a_sitemap_of_a_billion_entities_names_no_page_and_stops_nobody() {
    let server = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::status(404),
        "/sitemap.xml" => Reply::page(ENTITIES).header("Content-Type", "application/xml"),
        _ => Reply::page("<p>a page</p>"),
    })
    .await;
    let names = Names::new().with("large.test", &[&[public()]]);
    let page = server.url_on("large.test", "/page");
    let mut sources = Sources::new();
    sources.add(&page).expect("an address");
    let sitemap = server.url_on("large.test", "/sitemap.xml");
    sources.add(&sitemap).expect("a sitemap");
    let settings = settings(10);
    let lookup = Arc::new(move |name: &str| names.look_up(name));
    let fetcher = Fetcher::with_lookup(&settings.fetch, lookup).expect("sound settings");
    let (clock, store) = (Arc::new(SystemClock), MemoryStore::new());
    let watcher = Watcher::open_with(settings, clock, store, &sources, fetcher);
    let mut watcher = watcher.expect("a watcher");
    let stop = CancellationToken::new();
    let mut notes = Vec::new();
    let mut tell = |event: Event<'_>| match event {
        Event::Visited(_) => stop.cancel(),
        Event::Note(note) => notes.push(note.to_owned()),
        _ => {}
    };
    watcher.run(&stop, &mut tell).await.expect("a watch");
    let seen = seen(watcher.store());
    assert_eq!(seen.keys().collect::<Vec<_>>(), [&page]);
    assert_eq!(seen[&page].0, Outcome::First);
    assert!(
        notes.iter().any(|note| note.contains("sitemap")),
        "{notes:?}"
    );
}
