//! Whatever comes, time and memory are bounded and nothing panics.

use proptest::prelude::*;
use recrawl_detect::{Body, Detector, Level, Memory, Settings};
use recrawl_model::Outcome;

use crate::{detector, first, html};

/// One detector of each level, and one with selectors.
fn detectors() -> Vec<Detector> {
    let level = |level| Settings {
        level,
        ..Settings::default()
    };
    let selecting = Settings {
        include: vec!["body".to_owned()],
        exclude: vec!["nav a".to_owned()],
        ..Settings::default()
    };
    [
        level(Level::Bytes),
        level(Level::Text),
        level(Level::Main),
        selecting,
    ]
    .iter()
    .map(|settings| Detector::new(settings).expect("settings"))
    .collect()
}

/// Reads, compares, learns and shows; gives what is remembered.
fn through(detector: &Detector, old: &Body<'_>, new: &Body<'_>) -> Option<Memory> {
    let memory = detector.first(old).ok()?;
    let finding = detector.compare(&memory, new);
    assert_ne!(finding.outcome, Outcome::First);
    let learned = detector.learn_noise(&finding.memory, new, old);
    assert!(learned.to_bytes().len() <= 65_536);
    assert_eq!(
        Memory::from_bytes(&learned.to_bytes()).as_ref(),
        Ok(&learned)
    );
    let _ = detector.diff(old, new);
    Some(learned)
}

#[test]
fn deep_nesting_neither_overflows_nor_stalls() {
    for tag in ["div", "b", "table", "svg", "p", "template", "select", "x-y"] {
        let open = format!("<{tag}>");
        let text = format!("{}text", open.repeat(100_000));
        for detector in detectors() {
            through(&detector, &html(&text), &html("<p>x</p>"));
        }
    }
}

#[test]
fn misnested_formatting_does_not_stall_the_tree() {
    let patterns = [
        "<b><p></b>".repeat(5_000),
        "<a href=1><b><p>x</a></p>".repeat(3_000),
        (0..3_000).map(|n| format!("<b id={n}><p>x</b>")).collect(),
        "<table><tr><td><b>".repeat(120),
        "<font><p></font></p>".repeat(4_000),
    ];
    for text in patterns {
        for detector in detectors() {
            through(&detector, &html(&text), &html("<p>x</p>"));
        }
    }
}

#[test]
fn unclosed_marks_and_references_are_read_once() {
    let repeated = [
        "<",
        "&",
        "<!--",
        "<a b='",
        "</",
        "&#x",
        "<script>",
        "<p hidden>",
        "<![CDATA[",
    ];
    for part in repeated {
        let text = part.repeat(200_000);
        let detector = detector();
        through(&detector, &html(&text), &html("<p>x</p>"));
    }
}

#[test]
fn many_blocks_and_long_blocks_stay_small() {
    let detector = detector();
    let many: String = (0..100_000).map(|n| format!("<p>{n}")).collect();
    let long = "word ".repeat(500_000);
    let memory = through(&detector, &html(&many), &html(&long)).expect("a page");
    assert!(memory.to_bytes().len() <= 65_536);
    let memory = first(&detector, &many);
    let edited = many.replace("<p>99999", "<p>edited");
    assert_eq!(
        detector.compare(&memory, &html(&edited)).outcome,
        Outcome::Changed
    );
}

#[test]
fn a_page_of_fifty_megabytes_is_read_by_its_text() {
    let page = "<div class=row><p>A paragraph &amp; more</p></div>\n".repeat(1 << 20);
    assert!(page.len() > 50 << 20);
    let main = Settings {
        level: Level::Main,
        ..Settings::default()
    };
    let detector = Detector::new(&main).expect("settings");
    let memory = first(&detector, &page);
    let finding = detector.compare(&memory, &html(&format!("{page}one more line")));
    assert_eq!(finding.outcome, Outcome::Changed);
    assert!(
        finding
            .reason
            .is_some_and(|reason| reason.contains("too large"))
    );
}

#[test]
fn deep_json_and_broken_feeds_are_text() {
    let detector = detector();
    for (text, kind) in [
        ("[".repeat(1_000_000), "application/json"),
        ("{\"a\":".repeat(200_000), "application/json"),
        (
            format!("<rss version=\"2.0\">{}", "<a>".repeat(200_000)),
            "application/rss+xml",
        ),
        (
            format!(
                "<feed xmlns=\"http://www.w3.org/2005/Atom\">{}",
                "&x;".repeat(100_000)
            ),
            "text/xml",
        ),
    ] {
        let body = Body::new(text.as_bytes(), Some(kind));
        let memory = detector.first(&body).expect("text");
        let other = format!("{text} ");
        let finding = detector.compare(&memory, &Body::new(other.as_bytes(), Some(kind)));
        assert_eq!(finding.outcome, Outcome::Unchanged, "{kind}");
    }
}

/// Pieces that mean something to the scanner, in any order.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "<p>",
            "</p>",
            "<div hidden>",
            "</div>",
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "<svg>",
            "</svg>",
            "<style/>",
            "&amp;",
            "&#x0;",
            "&",
            "<",
            ">",
            "'",
            "\"",
            "=",
            " ",
            "\n",
            "word",
            "<template>",
            "</template>",
            "<title>",
            "</title>",
            "<b>",
            "</b>",
            "<table>",
            "<td>",
            "é",
            "\u{a0}",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn anything_goes_through(old in soup(), new in soup(), kind in 0usize..5) {
        let kinds = [None, Some("text/html"), Some("application/json"), Some("text/plain; charset=utf-16le"), Some("text/xml")];
        for detector in detectors() {
            through(&detector, &Body::new(&old, kinds[kind]), &Body::new(&new, kinds[kind]));
        }
    }

    #[test]
    fn the_same_body_is_unchanged(body in soup()) {
        for detector in detectors() {
            let body = Body::new(&body, None);
            if let Ok(memory) = detector.first(&body) {
                prop_assert_eq!(detector.compare(&memory, &body).outcome, Outcome::Unchanged);
            }
        }
    }
}
