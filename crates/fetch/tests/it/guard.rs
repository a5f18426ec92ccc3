//! Names that lead to private addresses.

use std::net::IpAddr;
use std::sync::Arc;

use recrawl_fetch::{Failure, Settings};
use recrawl_testkit::{Names, Reply, Server};

use crate::support::{fetch, fetcher_with, get, guarded, loopback};

fn private() -> IpAddr {
    IpAddr::from([127, 0, 0, 2])
}

fn refused(redirected: bool) -> Failure {
    Failure::Private {
        address: private(),
        redirected,
    }
}

#[tokio::test]
async fn a_private_address_is_not_even_connected_to() {
    let server = Server::start(|_| Reply::page("inside")).await;
    let failure = fetch(&Settings::default(), &server.url("/")).await;
    let failure = failure.expect_err("private");
    assert_eq!(failure.to_string(), "private address 127.0.0.1 refused");
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_name_with_a_private_address_among_its_own_is_refused() {
    let server = Server::start(|_| Reply::page("inside")).await;
    let names = Names::new().with("mixed.test", &[&[loopback(), private()]]);
    let fetcher = fetcher_with(&guarded(), &Arc::new(names));
    let failure = get(&fetcher, &server.url_on("mixed.test", "/")).await;
    assert_eq!(failure.expect_err("private"), refused(false));
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_name_that_answers_private_on_the_second_look_is_refused_then() {
    let server = Server::start(|_| Reply::page("public").closing()).await;
    let names = Names::new().with("turning.test", &[&[loopback()], &[private()]]);
    let names = Arc::new(names);
    let fetcher = fetcher_with(&guarded(), &names);
    let address = server.url_on("turning.test", "/");
    // One look for one connection: what was judged is what is connected to.
    let answer = get(&fetcher, &address).await.expect("a page");
    assert_eq!(
        (&answer.body[..], names.asked("turning.test")),
        (&b"public"[..], 1)
    );
    let failure = get(&fetcher, &address).await;
    assert_eq!(failure.expect_err("private"), refused(false));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_kept_connection_stays_with_the_address_that_was_judged() {
    let server = Server::start(|_| Reply::page("public")).await;
    let names = Names::new().with("turning.test", &[&[loopback()], &[private()]]);
    let names = Arc::new(names);
    let fetcher = fetcher_with(&guarded(), &names);
    for _ in 0..3 {
        let answer = get(&fetcher, &server.url_on("turning.test", "/")).await;
        assert_eq!(answer.expect("a page").body, "public");
    }
    assert_eq!((server.connections(), names.asked("turning.test")), (1, 1));
}

#[tokio::test]
async fn a_redirect_to_a_name_with_a_private_address_is_refused() {
    let server = Server::start(|_| Reply::redirect("http://inside.test/")).await;
    let names = Names::new().with("inside.test", &[&[private()]]);
    let fetcher = fetcher_with(&guarded(), &Arc::new(names));
    let failure = get(&fetcher, &server.url("/")).await;
    assert_eq!(failure.expect_err("private"), refused(true));
}

#[tokio::test]
async fn a_name_without_an_address_says_so() {
    let names = Names::new().with("empty.test", &[&[]]);
    let fetcher = fetcher_with(&guarded(), &Arc::new(names));
    for host in ["unknown.test", "empty.test"] {
        let failure = get(&fetcher, &format!("http://{host}/")).await;
        assert_eq!(failure.expect_err("no address"), Failure::Dns, "{host}");
    }
}
