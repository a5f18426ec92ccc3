//! One page: its history, estimates, law, reasons and versions.

use recrawl_model::{Outcome, PageId};
use recrawl_store::{MemoryStore, Note, Version, Versions};
use serde_json::json;

use crate::support::{Served, day, see, see_with, store};

/// Two pages seen every day; the first changes every day from day 20 on.
fn late_riser() -> MemoryStore {
    let mut store = store(&[("a.test", 2)]);
    for n in 0..40 {
        for page in 0..2 {
            let outcome = match n {
                0 => Outcome::First,
                20.. if page == 0 => Outcome::Changed,
                _ => Outcome::Unchanged,
            };
            see(&mut store, page, day(n), outcome);
        }
    }
    store
}

#[tokio::test]
async fn history_is_told_newest_first_and_in_parts() {
    let mut store = late_riser();
    let note = Note {
        status: 503,
        reason: "busy: answered 503".to_owned(),
        bytes: 0,
        millis: 12,
    };
    see_with(&mut store, 0, day(40), Outcome::Unknown, Some(note));
    let served = Served::new(store, day(41));
    let first = served.get("/pages/0/history?limit=2").await;
    assert_eq!(
        (&first["total"], &first["items"][0]["status"]),
        (&json!(41), &json!(503))
    );
    assert_eq!(first["items"][0]["reason"], "busy: answered 503");
    assert_eq!(first["items"][1]["outcome"], "changed");
    let next = first["next"].as_str().expect("there is more");
    let rest = served.get(&format!("/pages/0/history?cursor={next}")).await;
    assert_eq!(rest["items"].as_array().map(Vec::len), Some(39));
    assert_eq!(rest["items"][38]["outcome"], "first");
    assert!(rest["next"].is_null());
    let errors = served.get("/errors").await;
    assert_eq!(errors["items"][0]["count"], 1);
    assert_eq!(errors["items"][0]["example"]["url"], "https://a.test/0");
}

#[tokio::test]
async fn the_rate_is_told_by_every_method_and_as_time_went_on() {
    let served = Served::new(late_riser(), day(41));
    let estimates = served.get("/pages/0/estimates").await;
    let items = estimates["items"].as_array().expect("methods");
    assert_eq!(items.len(), 10);
    let cho = items
        .iter()
        .find(|item| item["method"] == "cho")
        .expect("cho");
    // 20 of 39 intervals changed: -ln((39 - 20 + .5) / (39 + .5)).
    let rate = cho["rate_per_day"].as_f64().expect("a rate");
    assert!((rate - 0.706).abs() < 1e-3, "{rate}");
    let over_time = estimates["over_time"].as_array().expect("points");
    let rate_at = |n: usize| over_time[n]["rate_per_day"].as_f64().expect("a rate");
    assert!(
        rate_at(18) < 0.05 && rate_at(38) > 0.4,
        "it rises when changes begin"
    );
    let law = served.get("/pages/0/distribution").await;
    let points = law["points"].as_array().expect("points");
    let chances: Vec<f64> = points
        .iter()
        .filter_map(|p| p["probability"].as_f64())
        .collect();
    assert!(!chances.is_empty() && chances.is_sorted(), "{chances:?}");
}

#[tokio::test]
async fn why_then_is_answered_from_what_was_known_then() {
    let served = Served::new(late_riser(), day(41));
    let now = served.get("/pages/0/next").await;
    let then = served.get(&format!("/pages/0/next?at={}", day(15))).await;
    let value = |answer: &serde_json::Value| answer["why"]["value"].as_f64().expect("a claim");
    assert!(
        value(&now) > 2.0 * value(&then),
        "{} {}",
        value(&now),
        value(&then)
    );
    assert!(
        now["why"]["because"]
            .as_array()
            .is_some_and(|parts| !parts.is_empty())
    );
    assert_eq!(
        now["next_visit"]["place"], 1,
        "it comes before the page that never changes"
    );
}

#[tokio::test]
async fn the_last_change_is_shown_as_text() {
    let mut store = store(&[("a.test", 1)]);
    for (n, text) in [
        "<p>one</p><p>old <b>price</b></p>",
        "<p>one</p><p>new <b>price</b></p>",
    ]
    .into_iter()
    .enumerate()
    {
        let version = Version {
            at: day(n as i64),
            content_type: Some("text/html".to_owned()),
            body: text.as_bytes().to_vec(),
        };
        store.keep(PageId(0), &version, 2).expect("kept");
    }
    let served = Served::new(store, day(2));
    let versions = served.get("/pages/0/versions").await;
    assert_eq!(versions["items"].as_array().map(Vec::len), Some(2));
    let diff = served.get("/pages/0/diff").await;
    let lines = diff["lines"].as_array().expect("lines");
    let has = |kind: &str, text: &str| {
        lines
            .iter()
            .any(|line| line["kind"] == kind && line["text"] == text)
    };
    assert!(has("removed", "old price") && has("added", "new price") && has("same", "one"));
}
