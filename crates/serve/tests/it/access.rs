//! Who may come in, and what every answer carries.

use std::net::SocketAddr;

use recrawl_serve::{Access, ServeError, Settings, Token, bind, openapi};
use recrawl_store::MemoryStore;
use reqwest::{Method, StatusCode};

use crate::support::{Served, day, store};

#[tokio::test]
async fn every_answer_forbids_foreign_scripts_frames_and_sniffing() {
    let served = Served::new(store(&[("a.test", 1)]), day(1));
    for path in [
        "/",
        "/pages/0",
        "/app.js",
        "/api/v1/overview",
        "/metrics",
        "/nothing",
    ] {
        let answer = served
            .ask(Method::GET, path)
            .send()
            .await
            .expect("an answer");
        let header = |name: &str| {
            let value = answer.headers().get(name);
            value
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
                .to_owned()
        };
        let policy = header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"));
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "no-referrer", "{path}");
    }
}

#[tokio::test]
async fn a_name_that_was_made_to_lead_here_is_refused() {
    let served = Served::new(MemoryStore::new(), day(1));
    for (host, wanted) in [
        ("evil.example", StatusCode::MISDIRECTED_REQUEST),
        ("localhost:1", StatusCode::OK),
        ("127.0.0.1", StatusCode::OK),
        ("[::1]:8080", StatusCode::OK),
    ] {
        let request = served
            .ask(Method::GET, "/api/v1/health")
            .header("host", host);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), wanted, "{host}");
    }
}

#[tokio::test]
async fn pages_of_other_sites_change_nothing() {
    let served = Served::new(store(&[("a.test", 1)]), day(1));
    let request = served.ask(Method::DELETE, "/api/v1/pages/0");
    let answer = request
        .header("origin", "https://evil.example")
        .send()
        .await;
    assert_eq!(answer.expect("an answer").status(), StatusCode::FORBIDDEN);
    assert_eq!(served.get("/pages/0").await["standing"], "watched");
    // A form of another site cannot send JSON; text is not taken for it.
    let request = served
        .ask(Method::POST, "/api/v1/plan")
        .body("{\"budget\":1}");
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn with_a_token_the_api_and_the_metrics_want_it_and_the_page_does_not() {
    let token = Token::new("0123456789abcdef").expect("long enough");
    let served = Served::with(MemoryStore::new(), day(1), Access::Token(token));
    let status = async |path: &str, token: Option<&str>| {
        let mut request = served.ask(Method::GET, path);
        if let Some(token) = token {
            request = request.header("authorization", token);
        }
        request.send().await.expect("an answer").status()
    };
    for path in ["/api/v1/overview", "/api/v1/events", "/metrics"] {
        assert_eq!(status(path, None).await, StatusCode::UNAUTHORIZED, "{path}");
        let wrong = status(path, Some("Bearer 0123456789abcdeF")).await;
        assert_eq!(wrong, StatusCode::UNAUTHORIZED, "{path}");
        let right = status(path, Some("bearer 0123456789abcdef")).await;
        assert_eq!(right, StatusCode::OK, "{path}");
    }
    assert_eq!(status("/", None).await, StatusCode::OK);
}

#[test]
fn an_address_others_can_reach_needs_a_token_or_a_plain_word() {
    let open: SocketAddr = ([0, 0, 0, 0], 0).into();
    let refused = bind(Settings::new(open)).err().expect("refused");
    assert!(matches!(refused, ServeError::Open(_)));
    assert!(refused.to_string().contains("--token-file"), "{refused}");
    let mut settings = Settings::new(open);
    settings.access = Access::Anyone;
    assert!(bind(settings).is_ok());
}

#[tokio::test]
async fn the_document_tells_what_the_server_answers() {
    let document: serde_json::Value = serde_json::from_str(&openapi()).expect("JSON");
    let served = Served::new(store(&[("a.test", 1)]), day(1));
    assert_eq!(served.get("/openapi.json").await, document);
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() >= 18);
    for (path, methods) in paths {
        if methods.get("get").is_none() || path.ends_with("/events") {
            continue; // a stream does not end
        }
        let path = path.replace("{page}", "0");
        let answer = served
            .ask(Method::GET, &path)
            .send()
            .await
            .expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
    }
}
