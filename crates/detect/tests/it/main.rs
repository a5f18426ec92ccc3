//! The detector as its callers see it.

#![expect(
    clippy::expect_used,
    clippy::format_collect,
    reason = "tests stop at what they do not expect and build small pages"
)]

mod hostile;
mod levels;
mod many_pages;
mod memory;
mod noise;
mod settle;

use recrawl_detect::{Body, Detector, Finding, Memory, Settings};

fn detector() -> Detector {
    Detector::new(&Settings::default()).expect("defaults")
}

fn html(text: &str) -> Body<'_> {
    Body::new(text.as_bytes(), Some("text/html; charset=utf-8"))
}

fn first(detector: &Detector, text: &str) -> Memory {
    detector.first(&html(text)).expect("a page")
}

/// What a watcher does: compare, and look again where that is worth it.
fn visit(detector: &Detector, memory: &Memory, text: &str, again: &str) -> Finding {
    let mut finding = detector.compare(memory, &html(text));
    if finding.worth_a_second_look {
        finding.memory = detector.learn_noise(&finding.memory, &html(text), &html(again));
    }
    finding
}
