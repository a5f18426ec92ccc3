//! Lists of pages and sites.

use recrawl_model::Outcome;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Served, day, see, store};

fn urls(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().expect("items");
    items
        .iter()
        .map(|item| item["url"].as_str().expect("a url"))
        .collect()
}

#[tokio::test]
async fn a_list_is_filtered_by_site_prefix_and_text() {
    let served = Served::new(store(&[("a.test", 12), ("b.test", 3)]), day(1));
    let all = served.get("/pages").await;
    assert_eq!((all["total"].as_u64(), urls(&all).len()), (Some(15), 15));
    let site = served.get("/pages?site=b.test").await;
    assert_eq!(
        urls(&site),
        ["https://b.test/0", "https://b.test/1", "https://b.test/2"]
    );
    let prefix = served.get("/pages?prefix=https://a.test/1").await;
    assert_eq!(
        urls(&prefix),
        ["https://a.test/1", "https://a.test/10", "https://a.test/11"]
    );
    let text = served.get("/pages?q=test/2").await;
    assert_eq!(urls(&text), ["https://a.test/2", "https://b.test/2"]);
    let none = served.get("/pages?site=c.test").await;
    assert_eq!(none["total"], 0);
}

#[tokio::test]
async fn going_on_by_cursor_meets_every_page_once_in_order() {
    let mut store = store(&[("a.test", 40)]);
    for page in 0..30 {
        // Two pages each share a time, ten have none.
        see(
            &mut store,
            page,
            day(1 + i64::from(page) / 2),
            Outcome::First,
        );
    }
    let served = Served::new(store, day(60));
    for order in ["asc", "desc"] {
        let mut met = Vec::new();
        let mut cursor = String::new();
        loop {
            let path = format!("/pages?sort=last_visit&order={order}&limit=7&cursor={cursor}");
            let part = served.get(&path).await;
            let items = part["items"].as_array().expect("items");
            let row = |item: &Value| (item["last_visit"].clone(), item["id"].as_u64());
            met.extend(items.iter().map(row));
            match part["next"].as_str() {
                Some(next) => next.clone_into(&mut cursor),
                None => break,
            }
        }
        let mut numbers: Vec<_> = met.iter().filter_map(|(_, id)| *id).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..40).collect::<Vec<u64>>(), "{order}");
        let (seen, unseen) = met.split_at(30);
        assert!(
            unseen.iter().all(|(time, _)| time.is_null()),
            "what is not known comes last"
        );
        let times: Vec<&str> = seen.iter().filter_map(|(time, _)| time.as_str()).collect();
        let rising = order == "asc";
        assert!(
            times.is_sorted_by(|a, b| if rising { a <= b } else { a >= b }),
            "{times:?}"
        );
    }
}

#[tokio::test]
async fn a_list_sorted_by_rate_begins_with_the_page_that_changes_most() {
    let mut store = store(&[("a.test", 3)]);
    for page in 0..3 {
        see(&mut store, page, day(0), Outcome::First);
        for n in 1..20 {
            let changes = n % 10 < 4 * i64::from(page);
            let outcome = if changes {
                Outcome::Changed
            } else {
                Outcome::Unchanged
            };
            see(&mut store, page, day(n), outcome);
        }
    }
    let served = Served::new(store, day(20));
    let list = served.get("/pages?sort=rate&order=desc").await;
    assert_eq!(
        urls(&list),
        ["https://a.test/2", "https://a.test/1", "https://a.test/0"]
    );
    let rates: Vec<f64> = (0..3)
        .map(|n| list["items"][n]["rate_per_day"].as_f64().expect("known"))
        .collect();
    // Eight of ten days saw a change: -ln(.2) a day, four of ten: -ln(.6).
    assert!(
        (rates[0] - 1.61).abs() < 0.5 && (rates[1] - 0.51).abs() < 0.15,
        "{rates:?}"
    );
    let freshness = list["items"][0]["freshness"].as_f64().expect("seen");
    assert!(
        (freshness - (-rates[0]).exp()).abs() < 0.1,
        "a day after the last visit"
    );
}

#[tokio::test]
async fn pages_join_and_are_paused_and_removed_and_seen_so_at_once() {
    let served = Served::new(store(&[("a.test", 1)]), day(1));
    let new = json!({"pages": [
        {"url": "https://b.test/new", "weight": 2.5},
        {"url": "https://a.test/0"},
        {"url": "https://b.test/new"},
    ]});
    let (status, added) = served.send(Method::POST, "/pages", Some(new)).await;
    assert_eq!(status, StatusCode::OK, "{added}");
    assert_eq!((&added["added"], &added["known"]), (&json!(1), &json!(2)));
    let page = served.get("/pages/1").await;
    assert_eq!(
        (&page["site"], &page["weight"]),
        (&json!("b.test"), &json!(2.5))
    );

    let pause = Some(json!({"standing": "paused"}));
    let (status, paused) = served.send(Method::PATCH, "/pages/1", pause).await;
    assert_eq!(
        (status, &paused["standing"]),
        (StatusCode::OK, &json!("paused"))
    );
    assert_eq!(served.get("/pages?standing=paused").await["total"], 1);
    let (status, _) = served.send(Method::DELETE, "/pages/1", None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(served.get("/pages/1").await["standing"], "removed");
    let again = Some(json!({"pages": [{"url": "https://b.test/new"}]}));
    let (_, back) = served.send(Method::POST, "/pages", again).await;
    assert_eq!(
        (&back["back"], &back["pages"][0]["id"]),
        (&json!(1), &json!(1))
    );
    let plan = Some(json!({"budget": 10}));
    let (_, plan) = served.send(Method::POST, "/plan", plan).await;
    assert_eq!(plan["visits"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn sites_are_told_with_what_their_pages_do() {
    let mut store = store(&[("busy.test", 2), ("calm.test", 2)]);
    for page in 0..4 {
        see(&mut store, page, day(0), Outcome::First);
        for n in 1..=10 {
            let outcome = if page < 2 {
                Outcome::Changed
            } else {
                Outcome::Unchanged
            };
            see(&mut store, page, day(n), outcome);
        }
    }
    let served = Served::new(store, day(11));
    let sites = served.get("/sites?sort=rate&order=desc").await;
    let [busy, calm] = [0, 1].map(|n| sites["items"][n].clone());
    assert_eq!(
        (&busy["site"], &calm["site"]),
        (&json!("busy.test"), &json!("calm.test"))
    );
    assert_eq!(
        (&busy["share_changed"], &calm["share_changed"]),
        (&json!(1.0), &json!(0.0))
    );
    assert_eq!(busy["budget_share"], 0.5);
    let value = |site: &Value, name: &str| site[name].as_f64().expect("known");
    assert!(value(&busy, "freshness") < 0.4 && value(&calm, "freshness") > 0.95);
    let overview = served.get("/overview").await;
    let mean = f64::midpoint(value(&busy, "freshness"), value(&calm, "freshness"));
    let all = &overview["freshness"];
    assert!((value(all, "value") - mean).abs() < 1e-9, "{all}");
    assert!(value(all, "low") < mean && value(all, "high") > mean);
}

#[tokio::test]
async fn what_makes_no_sense_is_a_problem_that_says_so() {
    let served = Served::new(store(&[("a.test", 1)]), day(1));
    for (path, word) in [
        ("/pages?limit=0", "limit"),
        ("/pages?limit=501", "500"),
        ("/pages?cursor=x", "cursor"),
        ("/pages?colour=red", "colour"),
        ("/pages?sort=colour", "colour"),
        ("/pages/x", "x"),
        ("/pages/0/next?at=soon", "soon"),
        ("/sites?cursor=-1", "cursor"),
    ] {
        let (status, problem) = served.send(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path}");
        let detail = problem["detail"].as_str().expect("a problem");
        assert!(detail.contains(word), "{path}: {detail}");
    }
    for path in [
        "/pages/7",
        "/pages/7/history",
        "/pages/7/next",
        "/pages/7/diff",
        "/nothing",
    ] {
        let (status, problem) = served.send(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(problem["status"], 404, "{path}");
    }
    let bad = Some(json!({"pages": [{"url": "ftp://a.test/"}]}));
    let (status, problem) = served.send(Method::POST, "/pages", bad).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(
        problem["detail"]
            .as_str()
            .is_some_and(|text| text.contains("ftp://a.test/"))
    );
    let (status, _) = served.send(Method::PUT, "/pages", None).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
}
