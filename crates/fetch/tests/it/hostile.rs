//! What hostile and broken servers do: each ends in bounded time and memory,
//! with a reason.

use std::io;
use std::time::Duration;

use recrawl_fetch::{Ask, Everything, Failure, Fetcher, Settings};
use recrawl_testkit::{Identity, Reply, Server};
use tokio::net::TcpListener;

use crate::support::{fetch, get, impatient, settings, url};

/// More than the buffers of a loopback connection hold; what a server could
/// send beyond a limit was not read by us.
const BUFFERS: u64 = 24 << 20;

/// Why fetching from a server that gives everybody this reply fails, and how
/// many bytes of it were sent.
async fn failure_of(settings: &Settings, reply: Reply) -> (Failure, u64) {
    let server = Server::start(move |_| reply.clone()).await;
    let failure = fetch(settings, &server.url("/")).await;
    (failure.expect_err("a hostile server"), server.sent())
}

fn small() -> Settings {
    Settings {
        most_body: 1 << 20,
        ..settings()
    }
}

#[tokio::test]
async fn an_endless_body_is_left_at_the_limit() {
    let (failure, sent) = failure_of(&small(), Reply::endless_body()).await;
    assert_eq!(failure, Failure::TooLarge { limit: 1 << 20 });
    assert!(sent < BUFFERS, "{sent} bytes were sent");
}

#[tokio::test]
async fn a_body_announced_too_large_is_not_read_at_all() {
    let reply = Reply::endless_body().header("Content-Length", "1048577");
    let (failure, _) = failure_of(&small(), reply).await;
    assert_eq!(failure, Failure::TooLarge { limit: 1 << 20 });
}

#[tokio::test]
async fn a_larger_limit_can_be_given_to_one_fetch() {
    let server = Server::start(|_| Reply::page(vec![b'x'; 2 << 20])).await;
    let fetcher = Fetcher::new(&small()).expect("sound settings");
    let page = url(&server.url("/"));
    let answer = fetcher.fetch_up_to(2 << 20, Ask::new(&page), &Everything);
    assert_eq!(answer.await.expect("a page").body.len(), 2 << 20);
}

#[tokio::test]
async fn one_byte_now_and_then_ends_with_the_time_allowed() {
    let reply = Reply::dripping(Duration::from_millis(50));
    let (failure, sent) = failure_of(&impatient(), reply).await;
    assert_eq!(failure, Failure::Timeout);
    assert!(sent < 1000);
}

#[tokio::test]
async fn a_body_that_stalls_ends_with_the_time_allowed() {
    let (failure, _) = failure_of(&impatient(), Reply::stalling()).await;
    assert_eq!(failure, Failure::Timeout);
}

#[tokio::test]
async fn a_gzip_bomb_is_left_at_the_limit_of_what_it_unpacks_to() {
    let (failure, sent) = failure_of(&small(), Reply::gzip_bomb()).await;
    assert_eq!(failure, Failure::TooLarge { limit: 1 << 20 });
    assert!(sent < BUFFERS, "{sent} bytes were sent");
}

#[tokio::test]
async fn a_flood_of_headers_is_refused() {
    for reply in [Reply::header_flood(), Reply::endless_header()] {
        let (failure, sent) = failure_of(&settings(), reply).await;
        assert_eq!(failure, Failure::Header);
        assert!(sent < BUFFERS, "{sent} bytes were sent");
    }
}

#[tokio::test]
async fn a_flood_of_headers_is_refused_over_http_2_too() {
    let identity = Identity::of(&["127.0.0.1"]);
    let flood = "x".repeat(10_000);
    let server = Server::start_http2(identity, move |_| {
        let reply = Reply::page("hello");
        (0..30).fold(reply, |reply, _| reply.header("X-Flood", &flood))
    })
    .await;
    let trusting = Settings {
        extra_roots: vec![server.certificate().expect("tls").into()],
        ..settings()
    };
    let failure = fetch(&trusting, &server.url("/")).await;
    // Over HTTP/2 the client breaks off without saying what was wrong.
    assert_eq!(failure.expect_err("a flood"), Failure::Protocol);
}

#[tokio::test]
async fn a_body_shorter_than_announced_is_no_page() {
    let (failure, _) = failure_of(&settings(), Reply::shorter_than_announced()).await;
    assert_eq!(failure, Failure::Truncated);
}

#[tokio::test]
async fn a_server_that_closes_mid_body_gave_no_page() {
    let (failure, _) = failure_of(&settings(), Reply::closing_mid_chunk()).await;
    assert_eq!(failure, Failure::Truncated);
}

#[tokio::test]
async fn half_of_a_compressed_page_is_no_page() {
    let text = "a text long enough to be cut".repeat(10);
    let (failure, _) = failure_of(&settings(), Reply::half_of_gzip(&text)).await;
    assert_eq!(failure, Failure::Truncated);
}

#[tokio::test]
async fn a_page_in_another_encoding_than_it_says_is_no_page() {
    for encoding in ["gzip", "br", "zstd", "compress", "gzip, gzip"] {
        let reply = Reply::page("in plain text, whatever else they say");
        let reply = reply.header("Content-Encoding", encoding);
        let (failure, _) = failure_of(&settings(), reply).await;
        assert_eq!(failure, Failure::Encoding, "{encoding}");
    }
}

#[tokio::test]
async fn bytes_that_are_no_text_arrive_as_they_are() {
    let server = Server::start(|_| Reply::invalid_utf8()).await;
    let answer = fetch(&settings(), &server.url("/")).await.expect("bytes");
    assert!(answer.body.starts_with(b"<p>caf\xe9"));
}

#[tokio::test]
async fn gibberish_is_no_answer() {
    let (failure, _) = failure_of(&settings(), Reply::gibberish()).await;
    assert_eq!(failure, Failure::Protocol);
}

#[tokio::test]
async fn an_error_with_an_endless_page_is_still_that_error() {
    let server = Server::start(|_| Reply::endless_body().with_status(404)).await;
    let answer = fetch(&settings(), &server.url("/"))
        .await
        .expect("an answer");
    assert_eq!((answer.status, answer.body.len()), (404, 0));
    assert!(server.sent() < BUFFERS);
}

#[tokio::test]
async fn a_server_that_says_nothing_ends_with_the_time_allowed() {
    let server = Server::start_silent().await;
    let failure = fetch(&impatient(), &server.url("/")).await;
    assert_eq!(failure.expect_err("silence"), Failure::Timeout);
}

#[tokio::test]
async fn a_port_nobody_listens_on_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let failure = fetch(&settings(), &format!("http://{address}/")).await;
    let kind = io::ErrorKind::ConnectionRefused;
    assert_eq!(failure.expect_err("nobody"), Failure::Connect { kind });
}

#[tokio::test]
async fn other_hosts_are_answered_while_hostile_ones_are_waited_for() {
    let stalling = Server::start(|_| Reply::stalling()).await;
    let honest = Server::start(|_| Reply::page("fine")).await;
    let fetcher = Fetcher::new(&impatient()).expect("sound settings");
    let (bad, good) = (stalling.url("/"), honest.url("/"));
    let (waited, answered) = tokio::join!(get(&fetcher, &bad), get(&fetcher, &good),);
    assert_eq!(waited.expect_err("stalled"), Failure::Timeout);
    assert_eq!(answered.expect("a page").body, "fine");
}
