//! What happens is told as it happens, and measured.

use std::time::Duration;

use recrawl_model::Outcome;
use recrawl_store::Note;
use reqwest::Method;
use serde_json::json;

use crate::support::{Served, day, see, see_with, store};

#[tokio::test]
async fn a_reader_of_events_hears_of_a_visit_and_of_the_servers_end() {
    let mut served = Served::new(store(&[("a.test", 1)]), day(1));
    let request = served.ask(Method::GET, "/api/v1/events");
    let mut stream = request.send().await.expect("a stream");
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    let seen = json!({"observations": [
        {"url": "https://a.test/0", "time": day(1).to_string(), "outcome": "first", "status": 200},
    ]});
    served.send(Method::POST, "/observations", Some(seen)).await;
    let mut text = String::new();
    while !text.contains("\n\n") {
        let chunk = stream
            .chunk()
            .await
            .expect("no error")
            .expect("not the end");
        text.push_str(&String::from_utf8_lossy(&chunk));
    }
    assert!(text.contains("event: visit"), "{text}");
    assert!(
        text.contains("\"url\":\"https://a.test/0\"") && text.contains("\"outcome\":\"first\"")
    );
    let running = served.running.take().expect("running");
    let stopped = tokio::task::spawn_blocking(move || running.stop());
    while let Ok(Some(_)) = stream.chunk().await {}
    let limit = Duration::from_secs(20); // far above what it takes, below for ever
    tokio::time::timeout(limit, stopped)
        .await
        .expect("it ends")
        .expect("it stops");
}

#[tokio::test]
async fn metrics_tell_freshness_visits_and_errors_by_their_names() {
    let mut store = store(&[("a.test", 2)]);
    see(&mut store, 0, day(0), Outcome::First);
    see(&mut store, 0, day(1), Outcome::Changed);
    let note = Note {
        status: 0,
        reason: "no such host".to_owned(),
        bytes: 0,
        millis: 3,
    };
    see_with(&mut store, 1, day(1), Outcome::Unknown, Some(note));
    let served = Served::new(store, day(1));
    let answer = served
        .ask(Method::GET, "/metrics")
        .send()
        .await
        .expect("an answer");
    let kind = answer.headers()["content-type"]
        .to_str()
        .expect("text")
        .to_owned();
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let text = answer.text().await.expect("text");
    for line in [
        "recrawl_visits_total{outcome=\"changed\"} 1",
        "recrawl_visits_total{outcome=\"unknown\"} 1",
        "recrawl_errors_total 1",
        "recrawl_pages{standing=\"watched\"} 2",
        "recrawl_freshness 0.5",
        "recrawl_site_freshness{site=\"a.test\"} 0.5",
        "recrawl_seen_within_ratio{within=\"1h\"} 0.5",
        "# TYPE recrawl_fetch_seconds histogram",
    ] {
        assert!(
            text.lines().any(|have| have == line),
            "{line} is not in\n{text}"
        );
    }
    assert!(text.ends_with("# EOF\n"));
}

#[tokio::test]
async fn overviews_and_pushes_do_not_wait_for_each_other_for_ever() {
    let served = Served::new(store(&[("a.test", 1)]), day(1));
    let push = async {
        for n in 0..60 {
            let seen = json!({"observations": [
                {"url": format!("https://b.test/{n}"), "time": day(1).to_string(), "outcome": "first"},
            ]});
            served.send(Method::POST, "/observations", Some(seen)).await;
        }
    };
    let look = async {
        for _ in 0..60 {
            served.get("/overview").await;
        }
    };
    let both = async { tokio::join!(push, look) };
    let limit = Duration::from_secs(60); // far above what it takes, below for ever
    tokio::time::timeout(limit, both).await.expect("both end");
    assert_eq!(served.get("/pages").await["total"], 61);
}
