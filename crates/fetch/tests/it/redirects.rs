//! Redirects: followed, recorded, bounded, and asked about.

use std::sync::Mutex;

use recrawl_fetch::{Ask, Failure, Fetcher, Hop, Permit, Settings};
use recrawl_testkit::{Reply, Server};
use url::Url;

use crate::support::{fetch, guarded, settings, url};

#[tokio::test]
async fn redirects_are_followed_and_recorded() {
    let last = Server::start(|_| Reply::page("arrived")).await;
    let to = last.url("/c");
    let first = Server::start(move |request| match request.path.as_str() {
        "/a" => Reply::redirect("b#part"),
        "/b" => Reply::status(308).header("Location", &to),
        _ => Reply::status(404),
    })
    .await;
    let answer = fetch(&settings(), &first.url("/a")).await.expect("a page");
    let hop = |status, to: String| Hop {
        status,
        to: url(&to),
    };
    assert_eq!(
        answer.redirects,
        [hop(302, first.url("/b")), hop(308, last.url("/c"))]
    );
    assert_eq!(answer.url, url(&last.url("/c")));
    assert_eq!(answer.body, "arrived");
}

#[tokio::test]
async fn a_redirect_loop_ends_where_it_closes() {
    let server = Server::start(|request| match request.path.as_str() {
        "/a" => Reply::redirect("/b"),
        _ => Reply::redirect("/a"),
    })
    .await;
    let failure = fetch(&settings(), &server.url("/a")).await;
    assert_eq!(failure.expect_err("a loop"), Failure::RedirectLoop);
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn redirects_to_ever_new_places_end_at_the_limit() {
    let server = Server::start(|request| Reply::redirect(&format!("{}x", request.path))).await;
    let three = Settings {
        most_redirects: 3,
        ..settings()
    };
    let failure = fetch(&three, &server.url("/")).await;
    let limit = Failure::TooManyRedirects { limit: 3 };
    assert_eq!(failure.expect_err("too many"), limit);
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn a_redirect_to_no_web_page_is_refused() {
    for reply in [
        Reply::status(302),
        Reply::redirect("http://"),
        Reply::redirect("file:///etc/passwd"),
        Reply::redirect("javascript:alert(1)"),
        Reply::redirect("gopher://127.0.0.1:70/"),
    ] {
        let server = Server::start(move |_| reply.clone()).await;
        let failure = fetch(&settings(), &server.url("/")).await;
        assert_eq!(failure.expect_err("no page"), Failure::BadRedirect);
    }
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_refused_before_it_is_followed() {
    for target in [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest",
        "http://0x7f.2/",
    ] {
        let server = Server::start(move |_| Reply::redirect(target)).await;
        let failure = fetch(&guarded(), &server.url("/")).await;
        let reason = failure.expect_err("private").to_string();
        let address = url(target).host_str().expect("a host").to_owned();
        let expected = format!("redirect to private address {address} refused");
        assert_eq!(reason, expected);
    }
}

/// Refuses paths that start with `/closed`, and remembers what it was asked.
struct Gate(Mutex<Vec<String>>);

impl Permit for Gate {
    async fn may(&self, url: &Url) -> Result<(), Failure> {
        self.0.lock().expect("sound").push(url.path().to_owned());
        if url.path().starts_with("/closed") {
            return Err(Failure::Disallowed);
        }
        Ok(())
    }
}

#[tokio::test]
async fn each_target_of_a_redirect_is_asked_about_before_it_is_requested() {
    let server = Server::start(|request| match request.path.as_str() {
        "/a" => Reply::redirect("/b"),
        _ => Reply::redirect("/closed"),
    })
    .await;
    let fetcher = Fetcher::new(&settings()).expect("sound settings");
    let gate = Gate(Mutex::default());
    let page = url(&server.url("/a"));
    let failure = fetcher.fetch(Ask::new(&page), &gate).await;
    assert_eq!(failure.expect_err("closed"), Failure::Disallowed);
    assert_eq!(*gate.0.lock().expect("sound"), ["/b", "/closed"]);
    let paths: Vec<_> = server.requests().into_iter().map(|one| one.path).collect();
    assert_eq!(paths, ["/a", "/b"]);
}
