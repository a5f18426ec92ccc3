//! Crawlers that push what they saw and ask what to visit next.

use std::collections::BTreeSet;

use recrawl_store::MemoryStore;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Served, day};

fn pages_of(plan: &Value) -> Vec<u64> {
    let visits = plan["visits"].as_array().expect("visits");
    visits
        .iter()
        .map(|visit| visit["page"].as_u64().expect("a page"))
        .collect()
}

/// Twenty pages seen on ten days; the first five change every day.
fn crawled() -> Value {
    let visit = |page: i64, n: i64| {
        let outcome = match n {
            0 => "first",
            _ if page < 5 => "changed",
            _ => "unchanged",
        };
        json!({"url": format!("https://a.test/{page}"), "time": day(n).to_string(), "outcome": outcome})
    };
    let visits = (0..10).flat_map(|n| (0..20).map(move |page| visit(page, n)));
    json!({"observations": visits.collect::<Vec<_>>()})
}

#[tokio::test]
async fn what_a_crawler_pushes_decides_what_it_is_told_to_visit() {
    let served = Served::new(MemoryStore::new(), day(10));
    let (status, taken) = served
        .send(Method::POST, "/observations", Some(crawled()))
        .await;
    assert_eq!(status, StatusCode::OK, "{taken}");
    assert_eq!(
        (&taken["taken"], &taken["new_pages"]),
        (&json!(200), &json!(20))
    );
    let ask = Some(json!({"budget": 5, "explain": true}));
    let (_, plan) = served.send(Method::POST, "/plan", ask).await;
    let mut first = pages_of(&plan);
    first.sort_unstable();
    assert_eq!(first, [0, 1, 2, 3, 4], "the pages that change");
    assert!(
        plan["visits"][0]["why"]["because"]
            .as_array()
            .is_some_and(|parts| !parts.is_empty())
    );
    assert_eq!(
        plan["visits"][0]["score"],
        plan["visits"][0]["why"]["value"]
    );
}

#[tokio::test]
async fn a_leased_page_is_handed_out_again_only_after_it_was_seen() {
    let served = Served::new(MemoryStore::new(), day(10));
    served
        .send(Method::POST, "/observations", Some(crawled()))
        .await;
    let mut handed = BTreeSet::new();
    for _ in 0..4 {
        let ask = Some(json!({"budget": 5, "lease_seconds": 3600}));
        let (_, plan) = served.send(Method::POST, "/plan", ask).await;
        for page in pages_of(&plan) {
            assert!(handed.insert(page), "page {page} was handed out twice");
        }
    }
    assert_eq!(handed.len(), 20);
    let ask = Some(json!({"budget": 5, "lease_seconds": 3600}));
    let (_, empty) = served.send(Method::POST, "/plan", ask.clone()).await;
    assert!(pages_of(&empty).is_empty(), "all are on their way");
    let seen = json!({"observations": [
        {"url": "https://a.test/3", "time": day(10).to_string(), "outcome": "changed"},
    ]});
    served.send(Method::POST, "/observations", Some(seen)).await;
    let (_, again) = served.send(Method::POST, "/plan", ask).await;
    assert_eq!(pages_of(&again), [3], "it may be due again at once");
}

#[tokio::test]
async fn what_is_sent_twice_is_taken_once_failed_visits_too() {
    let served = Served::new(MemoryStore::new(), day(10));
    let visit = |n: i64, outcome: &str| json!({"url": "https://a.test/", "time": day(n).to_string(), "outcome": outcome});
    let batch =
        json!({"observations": [visit(1, "first"), visit(2, "unknown"), visit(3, "unknown")]});
    let (_, taken) = served
        .send(Method::POST, "/observations", Some(batch.clone()))
        .await;
    assert_eq!(taken["taken"], 3);
    let (_, again) = served
        .send(Method::POST, "/observations", Some(batch))
        .await;
    assert_eq!(again["taken"], 0);
    let same = json!({"observations": [visit(3, "unchanged"), visit(4, "unchanged")]});
    let (_, same) = served.send(Method::POST, "/observations", Some(same)).await;
    assert_eq!(
        (&same["taken"], &same["ignored"][0]["index"]),
        (&json!(1), &json!(0))
    );
}

#[tokio::test]
async fn observations_that_come_late_or_from_the_future_are_told_apart() {
    let served = Served::new(MemoryStore::new(), day(10));
    served
        .send(Method::POST, "/observations", Some(crawled()))
        .await;
    let late = json!({"observations": [
        {"url": "https://a.test/0", "time": day(5).to_string(), "outcome": "changed"},
        {"url": "https://a.test/0", "time": day(99).to_string(), "outcome": "changed"},
        {"url": "https://a.test/0", "time": day(10).to_string(), "outcome": "changed"},
        {"url": "https://a.test/0", "time": day(10).to_string(), "outcome": "changed"},
    ]});
    let (_, answer) = served.send(Method::POST, "/observations", Some(late)).await;
    assert_eq!(answer["taken"], 1);
    let ignored = answer["ignored"].as_array().expect("three");
    let indices: Vec<_> = ignored.iter().map(|one| one["index"].as_u64()).collect();
    assert_eq!(indices, [Some(0), Some(1), Some(3)]);
    assert!(
        ignored[1]["why"]
            .as_str()
            .is_some_and(|why| why.contains("future"))
    );
}

#[tokio::test]
async fn policies_are_compared_on_the_collections_own_history() {
    let served = Served::new(MemoryStore::new(), day(10));
    served
        .send(Method::POST, "/observations", Some(crawled()))
        .await;
    let comparison = loop {
        let answer = served.get("/policies").await;
        if answer["status"] != "computing" {
            break answer;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert_eq!(comparison["status"], "ready", "{comparison}");
    let results = comparison["results"].as_array().expect("policies");
    let policy = |name: &str| results.iter().find(|result| result["policy"] == name);
    assert!(policy("bayes").is_some() && policy("nutch-adaptive").is_some());
    assert!(
        policy("rate-oracle").is_none(),
        "it knows what nobody can know"
    );
    let ratios: Vec<f64> = results
        .iter()
        .filter_map(|r| r["change_ratio"].as_f64())
        .collect();
    assert!(
        ratios.is_sorted_by(|a, b| a >= b),
        "the best first: {ratios:?}"
    );
}

#[tokio::test]
async fn a_policy_that_is_none_is_refused_with_those_there_are() {
    let served = Served::new(MemoryStore::new(), day(10));
    served
        .send(Method::POST, "/observations", Some(crawled()))
        .await;
    for policy in ["greedily", "oracle"] {
        let ask = Some(json!({"budget": 5, "policy": policy}));
        let (status, problem) = served.send(Method::POST, "/plan", ask).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{policy}: {problem}");
    }
}
