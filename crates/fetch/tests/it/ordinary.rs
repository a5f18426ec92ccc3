//! What honest servers do.

use recrawl_fetch::{Ask, Everything, Failure, FetchError, Fetcher, RetryAfter, Settings};
use recrawl_model::Timestamp;
use recrawl_testkit::{Identity, Reply, Server};

use crate::support::{fetch, get, settings, url};

#[tokio::test]
async fn a_page_comes_with_its_headers() {
    let server = Server::start(|_| {
        Reply::page("<p>hello")
            .header("ETag", "W/\"7\"")
            .header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
            .header("Date", "Sun, 06 Nov 1994 08:49:38 GMT")
    })
    .await;
    let answer = fetch(&settings(), &server.url("/a")).await.expect("a page");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.url.path(), "/a");
    assert_eq!(answer.body, "<p>hello");
    assert_eq!(answer.etag.as_deref(), Some("W/\"7\""));
    assert_eq!(answer.modified, Some(Timestamp::from_seconds(784_111_777)));
    assert_eq!(answer.date, Some(Timestamp::from_seconds(784_111_778)));
    assert_eq!(
        answer.content_type.as_deref(),
        Some("text/html; charset=utf-8")
    );
    assert!(answer.redirects.is_empty());
}

#[tokio::test]
async fn validators_are_sent_exactly_as_received_and_a_304_is_an_answer() {
    let server = Server::start(|request| match request.header("if-none-match") {
        Some("W/\"a b\"") => Reply::status(304).header("ETag", "W/\"a b\""),
        _ => Reply::page("again"),
    })
    .await;
    let fetcher = Fetcher::new(&settings()).expect("sound settings");
    let page = url(&server.url("/"));
    let ask = Ask {
        url: &page,
        etag: Some("W/\"a b\""),
        last_modified: Some("some time ago"),
    };
    let answer = fetcher.fetch(ask, &Everything).await.expect("an answer");
    assert_eq!((answer.status, answer.body.len()), (304, 0));
    let request = &server.requests()[0];
    assert_eq!(request.header("if-modified-since"), Some("some time ago"));
}

#[tokio::test]
async fn we_say_who_we_are_and_what_we_can_read_and_keep_no_cookies() {
    let server = Server::start(|_| Reply::page("hi").header("Set-Cookie", "id=1")).await;
    let named = Settings {
        user_agent: "example-bot/1 (+https://example.org)".to_owned(),
        from: Some("bot@example.org".to_owned()),
        ..settings()
    };
    let fetcher = Fetcher::new(&named).expect("sound settings");
    for _ in 0..2 {
        get(&fetcher, &server.url("/")).await.expect("a page");
    }
    let request = &server.requests()[1];
    let header = |name| request.header(name).unwrap_or_default();
    assert_eq!(header("user-agent"), "example-bot/1 (+https://example.org)");
    assert_eq!(header("from"), "bot@example.org");
    for coding in ["gzip", "br", "zstd"] {
        assert!(header("accept-encoding").contains(coding), "{coding}");
    }
    assert_eq!(request.header("cookie"), None);
}

#[tokio::test]
async fn a_connection_is_used_again_after_a_page_an_error_and_a_redirect() {
    let server = Server::start(|request| match request.path.as_str() {
        "/broken" => Reply::page("<p>broken").with_status(500),
        "/moved" => Reply::redirect("/page"),
        "/missing" => Reply::status(404),
        _ => Reply::page("<p>here"),
    })
    .await;
    let fetcher = Fetcher::new(&settings()).expect("sound settings");
    for path in ["/page", "/missing", "/moved", "/broken", "/page"] {
        get(&fetcher, &server.url(path)).await.expect("an answer");
    }
    assert_eq!((server.requests().len(), server.connections()), (6, 1));
}

/// `hello` as brotli writes it, one uncompressed block.
const BROTLI: &[u8] = b"\x0b\x02\x80hello\x03";

/// `hello` as one raw block of a zstd frame: RFC 8878, section 3.1.1.
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello";

#[tokio::test]
async fn a_compressed_page_is_unpacked() {
    for reply in [
        Reply::gzipped("hello"),
        Reply::page(BROTLI).header("Content-Encoding", "br"),
        Reply::page(ZSTD).header("Content-Encoding", "zstd"),
        Reply::page("hello").header("Content-Encoding", "identity"),
    ] {
        let server = Server::start(move |_| reply.clone()).await;
        let answer = fetch(&settings(), &server.url("/")).await;
        assert_eq!(answer.expect("a page").body, "hello");
    }
}

#[tokio::test]
async fn http_2_is_spoken_where_the_server_does() {
    let identity = Identity::of(&["127.0.0.1"]);
    let server = Server::start_http2(identity, |_| Reply::page("two")).await;
    let trusting = Settings {
        extra_roots: vec![server.certificate().expect("tls").into()],
        ..settings()
    };
    let fetcher = Fetcher::new(&trusting).expect("sound settings");
    for _ in 0..3 {
        let answer = get(&fetcher, &server.url("/x?y=z")).await.expect("a page");
        assert_eq!(answer.body, "two");
    }
    assert_eq!(server.requests()[0].path, "/x?y=z");
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_503_says_when_to_come_back() {
    let server = Server::start(|_| Reply::status(503).header("Retry-After", "120")).await;
    let answer = fetch(&settings(), &server.url("/"))
        .await
        .expect("an answer");
    assert_eq!(answer.status, 503);
    assert_eq!(answer.retry_after, Some(RetryAfter::Seconds(120)));
}

#[tokio::test]
async fn name_and_password_in_an_address_are_sent_to_its_host_only() {
    let other = Server::start(|_| Reply::page("elsewhere")).await;
    let elsewhere = other.url("/");
    let server = Server::start(move |_| Reply::redirect(&elsewhere)).await;
    let address = server.url("/").replace("http://", "http://me:secret@");
    fetch(&settings(), &address).await.expect("a page");
    let sent = server.requests();
    assert_eq!(sent[0].header("authorization"), Some("Basic bWU6c2VjcmV0"));
    assert_eq!(other.requests()[0].header("authorization"), None);
}

#[tokio::test]
async fn nothing_but_the_web_is_fetched() {
    for address in ["ftp://example.org/", "file:///etc/passwd", "data:,hello"] {
        let failure = fetch(&settings(), address).await.expect_err("no web page");
        assert_eq!(failure, Failure::Scheme, "{address}");
    }
}

#[test]
fn a_user_agent_that_cannot_be_sent_is_named() {
    let odd = Settings {
        user_agent: "two\nlines".to_owned(),
        ..Settings::default()
    };
    let error = Fetcher::new(&odd).err().expect("a line break");
    assert!(matches!(
        error,
        FetchError::Header {
            header: "User-Agent",
            ..
        }
    ));
}

#[tokio::test]
async fn a_name_and_password_in_the_address_are_sent_as_browsers_send_them() {
    let identity = Identity::of(&["localhost"]);
    let plain = Server::start(|_| Reply::page("in")).await;
    let two = Server::start_http2(identity, |_| Reply::page("in")).await;
    let root = two
        .certificate()
        .expect("a certificate")
        .as_bytes()
        .to_vec();
    let trusting = Settings {
        extra_roots: vec![root],
        ..settings()
    };
    let fetcher = Fetcher::new(&trusting).expect("sound settings");
    for (server, host) in [(&plain, "127.0.0.1"), (&two, "localhost")] {
        let address = server.url_on(&format!("some%20one:s%3Acret@{host}"), "/");
        get(&fetcher, &address).await.expect("a page");
        let request = &server.requests()[0];
        // `some one:s:cret`
        let expected = Some("Basic c29tZSBvbmU6czpjcmV0");
        assert_eq!(request.header("authorization"), expected);
    }
    let host = plain.requests()[0].header("host").map(str::to_owned);
    assert!(host.is_some_and(|host| host.starts_with("127.0.0.1:")));
}
