//! `robots.txt` over the wire; what its answers mean is tested with `Stored`.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use recrawl_fetch::{Ask, Failure, Fetcher, Robots, RobotsPermit, RobotsVerdict, Unreachable};
use recrawl_model::Timestamp;
use recrawl_testkit::{Names, Reply, Server};

use crate::support::{fetcher_with, guarded, impatient, settings, url};

const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);
const ALLOWED: RobotsVerdict = RobotsVerdict::Allowed { delay: None };

fn fetcher() -> Fetcher {
    Fetcher::new(&settings()).expect("sound settings")
}

fn robots() -> Robots {
    Robots::new("example-bot/1.0")
}

async fn verdict(robots: &Robots, address: &str, now: Timestamp) -> RobotsVerdict {
    robots.verdict(&fetcher(), &url(address), now).await
}

#[tokio::test]
async fn rules_are_asked_for_once_a_day_and_followed() {
    let rules =
        "User-agent: example-bot\nDisallow: /closed\nCrawl-delay: 2\n\nUser-agent: *\nDisallow: /";
    let server = Server::start(move |_| Reply::page(rules)).await;
    let robots = robots();
    let open = RobotsVerdict::Allowed {
        delay: Some(Duration::from_secs(2)),
    };
    let after = |hours: u64| NOW.after(Duration::from_secs(hours * 3600));
    assert_eq!(verdict(&robots, &server.url("/open"), NOW).await, open);
    let closed = server.url("/closed/page");
    assert_eq!(
        verdict(&robots, &closed, after(23)).await,
        RobotsVerdict::Disallowed
    );
    assert_eq!(server.requests().len(), 1);
    assert_eq!(server.requests()[0].path, "/robots.txt");
    verdict(&robots, &closed, after(25)).await;
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn each_origin_has_rules_of_its_own() {
    let strict = Server::start(|_| Reply::page("User-agent: *\nDisallow: /")).await;
    let lax = Server::start(|_| Reply::status(404)).await;
    let robots = robots();
    let closed = verdict(&robots, &strict.url("/"), NOW).await;
    assert_eq!(closed, RobotsVerdict::Disallowed);
    assert_eq!(verdict(&robots, &lax.url("/"), NOW).await, ALLOWED);
}

#[tokio::test]
async fn a_server_in_trouble_is_left_alone_for_as_long_as_it_asks() {
    let server = Server::start(|_| Reply::status(503).header("Retry-After", "3600")).await;
    let expected = RobotsVerdict::Wait {
        until: NOW.after(Duration::from_secs(3600)),
        why: Unreachable::Status(503),
    };
    let robots = robots();
    assert_eq!(verdict(&robots, &server.url("/"), NOW).await, expected);
    let later = NOW.after(Duration::from_secs(3599));
    assert_eq!(verdict(&robots, &server.url("/"), later).await, expected);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_file_that_does_not_come_is_waited_for_with_a_reason() {
    let server = Server::start(|_| Reply::stalling()).await;
    let fetcher = Fetcher::new(&impatient()).expect("sound settings");
    let page = url(&server.url("/"));
    let verdict = robots().verdict(&fetcher, &page, NOW).await;
    let RobotsVerdict::Wait { why, .. } = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(why.to_string(), "robots.txt cannot be read: timed out");
}

#[tokio::test]
async fn a_file_of_a_hundred_megabytes_counts_up_to_where_reading_stops() {
    let server = Server::start(|_| Reply::large_robots(100_000_000)).await;
    let robots = robots();
    let closed = verdict(&robots, &server.url("/private/x"), NOW).await;
    assert_eq!(closed, RobotsVerdict::Disallowed);
    assert_eq!(verdict(&robots, &server.url("/open"), NOW).await, ALLOWED);
    assert!(
        server.sent() < 24 << 20,
        "{} bytes were sent",
        server.sent()
    );
}

#[tokio::test]
async fn more_redirects_than_five_count_as_no_file() {
    let server = Server::start(|request| match request.path.len() {
        0..=15 => Reply::redirect(&format!("{}x", request.path)),
        _ => Reply::page("User-agent: *\nDisallow: /"),
    })
    .await;
    // `/robots.txt` has 11 characters, so the file is five redirects away.
    let closed = verdict(&robots(), &server.url("/"), NOW).await;
    assert_eq!(closed, RobotsVerdict::Disallowed);
    let endless = Server::start(|request| Reply::redirect(&format!("{}x", request.path))).await;
    assert_eq!(verdict(&robots(), &endless.url("/"), NOW).await, ALLOWED);
    assert_eq!(endless.requests().len(), 6);
}

#[tokio::test]
async fn askers_of_one_origin_share_one_request() {
    let server = Server::start(|_| Reply::page("User-agent: *\nDisallow: /closed")).await;
    let (robots, fetcher) = (robots(), fetcher());
    let pages: Vec<_> = (0..3).map(|n| url(&server.url(&format!("/{n}")))).collect();
    let ask = |n: usize| robots.verdict(&fetcher, &pages[n], NOW);
    let verdicts = tokio::join!(ask(0), ask(1), ask(2));
    assert_eq!(verdicts, (ALLOWED, ALLOWED, ALLOWED));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn an_asker_that_gives_up_leaves_the_question_to_the_next() {
    let server = Server::start(|_| Reply::stalling()).await;
    let (robots, fetcher) = (robots(), fetcher());
    let page = url(&server.url("/"));
    let asking = robots.verdict(&fetcher, &page, NOW);
    let given_up = tokio::time::timeout(Duration::from_millis(100), asking).await;
    assert!(given_up.is_err());
    let quick = Fetcher::new(&impatient()).expect("sound settings");
    let verdict = robots.verdict(&quick, &page, NOW).await;
    assert!(matches!(verdict, RobotsVerdict::Wait { .. }), "{verdict:?}");
}

#[tokio::test]
async fn a_redirect_is_followed_only_where_robots_allow_it() {
    let target = Server::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::page("User-agent: *\nDisallow: /closed"),
        _ => Reply::page("never seen"),
    })
    .await;
    let closed = target.url("/closed");
    let server = Server::start(move |_| Reply::redirect(&closed)).await;
    let (robots, fetcher) = (robots(), fetcher());
    let permit = RobotsPermit {
        robots: &robots,
        fetcher: &fetcher,
        now: NOW,
    };
    let page = url(&server.url("/"));
    let failure = fetcher.fetch(Ask::new(&page), &permit).await;
    assert_eq!(failure.expect_err("closed"), Failure::Disallowed);
    let paths: Vec<_> = target.requests().into_iter().map(|one| one.path).collect();
    assert_eq!(paths, ["/robots.txt"]);
}

#[tokio::test]
async fn a_redirect_to_a_host_that_cannot_be_reached_says_why() {
    let server = Server::start(|_| Reply::redirect("http://inside.test/")).await;
    let private = IpAddr::from([10, 0, 0, 1]);
    let names = Arc::new(Names::new().with("inside.test", &[&[private]]));
    let fetcher = fetcher_with(&guarded(), &names);
    let robots = robots();
    let permit = RobotsPermit {
        robots: &robots,
        fetcher: &fetcher,
        now: NOW,
    };
    let page = url(&server.url("/"));
    let failure = fetcher.fetch(Ask::new(&page), &permit).await;
    let reason = failure.expect_err("private").to_string();
    assert_eq!(reason, "redirect to private address 10.0.0.1 refused");
}
