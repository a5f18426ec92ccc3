//! Importers on small files as the other tools write them.

#![expect(
    clippy::expect_used,
    reason = "helpers of tests, which clippy does not know as such"
)]

mod changedetection;
mod git;
mod merging;
mod updates;
mod urlwatch;

use recrawl_import::Found;
use recrawl_model::Outcome;

/// The hours since 1970 at which a page was seen, and what.
fn hours(found: &Found, page: &str) -> Vec<(i64, Outcome)> {
    let number = found.set.find(page).expect("the page was found");
    found
        .set
        .history(number)
        .observations()
        .map(|seen| (seen.at.micros() / 3_600_000_000, seen.outcome))
        .collect()
}
