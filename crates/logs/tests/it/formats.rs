//! What is written in one format or another reads the same.

use std::collections::BTreeMap;

use proptest::prelude::*;
use recrawl_logs::Format;
use recrawl_model::{Outcome, Timestamp};

use crate::support::{
    LogRow, as_csv, as_ndjson, as_parquet, as_windows_csv, read_bytes, read_csv, read_ndjson, view,
};

fn at(second: i64) -> Timestamp {
    Timestamp::from_seconds(second)
}

/// Rows of a few pages, each with its own site and no time twice, shuffled.
pub(crate) fn rows() -> impl Strategy<Value = Vec<LogRow>> {
    let pages = prop::collection::vec(
        (
            "(https://[ab]\\.org/)?[a,\" \nré]{1,9}",
            prop::option::of("[s,\"\n.]{1,4}"),
        ),
        1..6,
    );
    let told = (
        prop::option::of(any::<bool>()),
        prop::option::of(0i64..4_000_000_000_000_000),
        prop::option::of(0u8..40),
    );
    let visits = prop::collection::btree_map((0usize..6, 0i64..4_000_000_000_000_000), told, 1..40);
    (pages, visits).prop_flat_map(|(pages, visits)| {
        let pages: Vec<_> = pages
            .into_iter()
            .collect::<BTreeMap<_, _>>()
            .into_iter()
            .collect();
        let rows: BTreeMap<_, _> = visits
            .into_iter()
            .map(|((page, micros), told)| ((page % pages.len(), micros), told))
            .collect();
        let rows = rows
            .into_iter()
            .map(|((page, micros), (changed, modified, weight))| LogRow {
                page: pages[page].0.clone(),
                at: Timestamp::from_micros(micros),
                changed,
                last_modified: modified.map(Timestamp::from_micros),
                site: pages[page].1.clone(),
                weight: weight.map(|quarters| f64::from(quarters) / 4.0),
            });
        Just(rows.collect::<Vec<_>>()).prop_shuffle()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_format_tells_the_same_histories(rows in rows(), turned in any::<prop::sample::Index>()) {
        let expected = view(&read_bytes(&as_csv(&rows), Format::Csv).expect("valid rows"));
        let mut other_order = rows.clone();
        other_order.rotate_left(turned.index(rows.len()));
        for (name, bytes, format) in [
            ("another order", as_csv(&other_order), Format::Csv),
            ("quoted", as_windows_csv(&rows), Format::Csv),
            ("ndjson", as_ndjson(&rows), Format::Ndjson),
            ("parquet", as_parquet(&rows, false), Format::Parquet),
            ("parquet, dictionary", as_parquet(&other_order, true), Format::Parquet),
        ] {
            let set = read_bytes(&bytes, format).map_err(|refused| {
                TestCaseError::fail(format!("{name}: {refused}"))
            })?;
            prop_assert_eq!(&view(&set), &expected, "{}", name);
        }
    }

    #[test]
    fn what_is_read_is_what_was_written(rows in rows()) {
        let set = read_bytes(&as_csv(&rows), Format::Csv).expect("valid rows");
        prop_assert_eq!(set.observations(), rows.len());
        for row in &rows {
            let page = set.find(&row.page).expect("its rows were written");
            let history = set.history(page);
            let seen = history.observations().find(|seen| seen.at == row.at).expect("its row");
            prop_assert_eq!(seen.last_modified, row.last_modified);
            let first = history.observations().next().expect("not empty").at == row.at;
            let expected = match row.changed {
                _ if first => Outcome::First,
                Some(true) => Outcome::Changed,
                Some(false) => Outcome::Unchanged,
                None => Outcome::Unknown,
            };
            prop_assert_eq!(seen.outcome, expected);
            if let Some(site) = &row.site {
                prop_assert_eq!(set.site(page), site);
            }
        }
    }
}

#[test]
fn plain_rows_read_as_the_same_rows_in_quotes() {
    let (mut plain, mut quoted) = (String::new(), String::new());
    for log in [&mut plain, &mut quoted] {
        log.push_str("page,time,note,changed\n");
    }
    for row in 0..500 {
        let (page, time, note) = (row % 7, 1_700_000_000 + row * 61, "\u{e9}".repeat(row % 3));
        let changed = ["0", "1", ""][row * row % 3];
        plain.push_str(&format!("a page {page},{time},{note},{changed}\n"));
        quoted.push_str(&format!(
            "\"a page {page}\",{time},{note},\"{changed}\"\r\n"
        ));
        if row % 50 == 0 {
            plain.push_str(&format!("\"b\",{time}.5,,true\n\n"));
            quoted.push_str(&format!("b,{time}.5,,true\n"));
        }
    }
    let (plain, quoted) = (read_csv(&plain), read_csv(&quoted));
    assert_eq!(view(&plain.expect("a log")), view(&quoted.expect("a log")));
}

#[test]
fn columns_may_stand_in_any_order_among_others() {
    let set = read_csv("x,changed,time,y,page\n,,5,b,a\n7,1,6,,a\n").expect("a log");
    let outcomes: Vec<_> = view(&set)[0]
        .3
        .iter()
        .map(|seen| (seen.at, seen.outcome))
        .collect();
    assert_eq!(
        outcomes,
        [(at(5), Outcome::First), (at(6), Outcome::Changed)]
    );
}

#[test]
fn the_first_row_of_a_page_is_first_whatever_it_says() {
    let set = read_csv("page,time,changed\na,9,1\na,5,1\nb,7,0\n").expect("a log");
    for (name, _, _, seen) in view(&set) {
        assert_eq!(seen[0].outcome, Outcome::First, "{name}");
    }
}

#[test]
fn blank_lines_quotes_line_ends_and_marks_are_no_matter() {
    let plain = "page,time,changed\na,5,\na,6,1\n";
    let expected = view(&read_csv(plain).expect("a log"));
    for same in [
        "page,time,changed\r\na,5,\r\na,6,1\r\n",
        "\u{feff}page,time,changed\na,5,\na,6,1",
        "\n\npage,time,changed\n\na,5,\n\r\n\na,6,1\n\n",
        "\"page\", time ,changed\n\"a\",5,\"\"\na,\"6\",\"1\"\n",
        "\"page\",time,changed\n\"a\",5,\"\"\na,\"6\",\"1\"",
        "\"page\",time,\"changed\"\r\n\"a\",5,\"\"\r\na,\"6\",\"1\"\r",
        "page,\"a\nb\",time,changed\na,\",\n\n,\",5,\na,,6,true\n",
    ] {
        let set = read_csv(same).unwrap_or_else(|refused| panic!("{same:?}: {refused}"));
        assert_eq!(view(&set), expected, "{same:?}");
    }
}

#[test]
fn a_quote_inside_a_field_is_a_character() {
    let set = read_csv("page,time,changed\na\"b,1,\n\"a\"\"b\",2,1\n").expect("a log");
    assert_eq!(view(&set)[0].0, "a\"b");
    assert_eq!(set.observations(), 2);
}

#[test]
fn json_numbers_words_and_missing_keys_are_understood() {
    let log = r#"
        {"page": 17, "time": 1, "changed": true}
        {"page": "17", "time": "2", "changed": 0, "weight": 2}
        {"time": "1970-01-01T00:00:03.5Z", "page": "17"}

        {"page": "17", "time": 4.25, "changed": null, "site": null, "weight": "0.5"}
        {"page": "\u0031\u0037", "time": 5, "changed": "True", "last_modified": 3, "site": "s"}
        {"page": "17", "time": 6, "changed": 1.0, "other": {"page": [1, "x"]}}
    "#;
    let set = read_ndjson(log).expect("a log");
    let (name, site, weight, seen) = view(&set).remove(0);
    assert_eq!((name.as_str(), site.as_str(), weight), ("17", "s", 0.5));
    let outcomes: Vec<_> = seen.iter().map(|seen| seen.outcome).collect();
    assert_eq!(
        outcomes,
        [
            Outcome::First,
            Outcome::Unchanged,
            Outcome::Unknown,
            Outcome::Unknown,
            Outcome::Changed,
            Outcome::Changed
        ]
    );
    assert_eq!(seen[2].at.micros(), 3_500_000);
    assert_eq!(seen[4].last_modified, Some(at(3)));
}

#[test]
fn the_site_is_the_host_unless_a_row_says_otherwise() {
    let log = "page,time,changed,site\nhttps://a.org/x,1,,\nhttps://a.org/y,1,,\n\
               https://a.org/x,2,1,mine\nplain,1,,\n";
    let set = read_csv(log).expect("a log");
    let sites: Vec<_> = view(&set)
        .into_iter()
        .map(|page| (page.0, page.1))
        .collect();
    let expected = [
        ("https://a.org/x", "mine"),
        ("https://a.org/y", "a.org"),
        ("plain", ""),
    ];
    assert_eq!(
        sites,
        expected.map(|(page, site)| (page.into(), site.into()))
    );
}
