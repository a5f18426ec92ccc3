//! Servers that are not who they should be.

use std::sync::Arc;
use std::time::Duration;

use recrawl_fetch::{Failure, Settings, TlsFault};
use recrawl_testkit::{Identity, Names, Reply, Server};

use crate::support::{fetch, fetcher_with, get, loopback, settings};

fn trusting(server: &Server) -> Settings {
    Settings {
        extra_roots: vec![server.certificate().expect("tls").into()],
        ..settings()
    }
}

async fn fault_of(identity: Identity, is_trusted: bool) -> Failure {
    let server = Server::start_tls(identity, |_| Reply::page("secret")).await;
    let settings = if is_trusted {
        trusting(&server)
    } else {
        settings()
    };
    let failure = fetch(&settings, &server.url("/")).await;
    assert!(server.requests().is_empty());
    failure.expect_err("not who it should be")
}

#[tokio::test]
async fn a_certificate_for_the_right_name_is_accepted() {
    let identity = Identity::of(&["right.test"]);
    let server = Server::start_tls(identity, |_| Reply::page("secret")).await;
    let names = Arc::new(Names::new().with("right.test", &[&[loopback()]]));
    let fetcher = fetcher_with(&trusting(&server), &names);
    let answer = get(&fetcher, &server.url_on("right.test", "/")).await;
    assert_eq!(answer.expect("a page").body, "secret");
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let failure = fault_of(Identity::of(&["wrong.test"]), true).await;
    let fault = TlsFault::WrongName;
    assert_eq!(failure, Failure::Tls { fault });
    assert_eq!(
        failure.to_string(),
        "tls refused: certificate is for another name"
    );
}

#[tokio::test]
async fn an_expired_certificate_is_refused() {
    let failure = fault_of(Identity::of(&["127.0.0.1"]).expired(), true).await;
    let fault = TlsFault::Expired;
    assert_eq!(failure, Failure::Tls { fault });
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_is_refused() {
    let failure = fault_of(Identity::of(&["127.0.0.1"]), false).await;
    let fault = TlsFault::Untrusted;
    assert_eq!(failure, Failure::Tls { fault });
}

#[tokio::test]
async fn a_handshake_that_never_comes_ends_with_the_time_to_connect() {
    let server = Server::start_silent().await;
    let quick = Settings {
        connect_timeout: Duration::from_millis(200),
        ..settings()
    };
    let address = server.url("/").replace("http:", "https:");
    let failure = fetch(&quick, &address).await;
    assert_eq!(failure.expect_err("silence"), Failure::Timeout);
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_tls_was_asked_for() {
    let server = Server::start(|_| Reply::page("plain").closing()).await;
    let address = server.url("/").replace("http:", "https:");
    let failure = fetch(&settings(), &address).await;
    let failure = failure.expect_err("no tls");
    assert!(
        matches!(failure, Failure::Tls { .. } | Failure::Connect { .. }),
        "{failure:?}"
    );
}
