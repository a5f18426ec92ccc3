//! What pages tell of those named next to them, learned.
//!
//! Bursts strike parts of a site: a directory, a version, a language. Lists of
//! addresses, sitemaps and logs name such pages one after the other, so that pages
//! added next to each other change together more often than others of their site.
//! How much more is learned from visits; where the order says nothing, it stays at
//! nothing.

use recrawl_model::{PageId, Timestamp};

use super::calendar::days_between;
use crate::Collection;

/// Places to each side within which neighbours are heard.
const REACH: usize = 16;

/// Neighbours heard on each side: the nearest that were seen since.
const HEARD: usize = 2;

/// How many may have changed or not.
const COUNTS: usize = 2 * HEARD + 1;
const STATES: usize = COUNTS * COUNTS;

/// Expected changes that are told apart: up to `FIRST_LEVEL`, and by factors of
/// four beyond.
const LEVELS: usize = 6;
const FIRST_LEVEL: f32 = 0.004;

/// Changes as likely as believed that each count starts with.
const DOUBT: f64 = 5.0;

/// Share of what was seen that is kept from one cycle to the next: about the last
/// hundred cycles count.
const KEPT: f64 = 0.99;

/// What is known of the pages around one, since it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Around(u8);

impl Around {
    /// What the pages next to a page of that site show, last seen at `from`.
    pub(super) fn of(collection: &Collection, page: PageId, from: Timestamp) -> Self {
        let Some((members, place)) = collection.place(page) else {
            return Self::default();
        };
        let (mut changed, mut unchanged) = (0, 0);
        let mut hear = |page: PageId| {
            let summary = collection.summary(page);
            let Some(last) = summary.last().filter(|&last| last > from) else {
                return false;
            };
            let since = days_between(from, last) as f32;
            if summary.quiet().days().is_some_and(|quiet| quiet < since) {
                changed += 1;
            } else {
                unchanged += 1;
            }
            true
        };
        let mut heard = 0;
        for &page in members[..place].iter().rev().take(REACH) {
            heard += usize::from(hear(page));
            if heard == HEARD {
                break;
            }
        }
        heard = 0;
        for &page in members[place + 1..].iter().take(REACH) {
            heard += usize::from(hear(page));
            if heard == HEARD {
                break;
            }
        }
        Self(changed * COUNTS as u8 + unchanged)
    }

    /// Whether nothing is known.
    pub(super) const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// How much likelier changes are by what pages around show.
#[derive(Debug)]
pub(super) struct Neighbours {
    factor: [[f32; LEVELS]; STATES],
    found: [[f64; LEVELS]; STATES],
    expected: [[f64; LEVELS]; STATES],
}

impl Default for Neighbours {
    fn default() -> Self {
        Self {
            factor: [[1.0; LEVELS]; STATES],
            found: [[0.0; LEVELS]; STATES],
            expected: [[0.0; LEVELS]; STATES],
        }
    }
}

fn level(expected: f32) -> usize {
    let above = (expected / FIRST_LEVEL).max(0.25).log2() / 2.0;
    ((above + 1.0) as usize).min(LEVELS - 1)
}

impl Neighbours {
    /// Times as likely as believed a page is to have changed that was to change
    /// `expected` times, by what pages around it show.
    pub(super) fn factor(&self, around: Around, expected: f32) -> f32 {
        if around.is_none() {
            return 1.0;
        }
        self.factor[usize::from(around.0)][level(expected)]
    }

    /// Takes in a visit to a page that was to change `expected` times.
    pub(super) fn learn(&mut self, around: Around, expected: f64, found: Option<f64>) {
        let (state, level) = (usize::from(around.0), level(expected as f32));
        self.expected[state][level] += expected;
        if let Some(chance) = found {
            let all = expected * f64::from(self.factor(around, expected as f32));
            self.found[state][level] += (all / chance.max(1e-12)).max(1.0);
        }
    }

    /// Ends a cycle: draws the conclusions.
    pub(super) fn end_cycle(&mut self) {
        for state in 0..STATES {
            for level in 0..LEVELS {
                self.found[state][level] *= KEPT;
                self.expected[state][level] *= KEPT;
            }
        }
        for level in 0..LEVELS {
            let sum = |counts: &[[f64; LEVELS]; STATES]| -> f64 {
                DOUBT + counts.iter().map(|of| of[level]).sum::<f64>()
            };
            let usual = sum(&self.found) / sum(&self.expected);
            for state in 0..STATES {
                let ratio = (DOUBT * usual + self.found[state][level])
                    / (DOUBT + self.expected[state][level]);
                self.factor[state][level] = (ratio / usual) as f32;
            }
        }
        if std::env::var("NB").is_ok() {
            let mut text = String::new();
            for state in 0..STATES {
                let e: f64 = self.expected[state].iter().sum();
                if e > 0.0 {
                    text += &format!(
                        "{}c{}u: {:?} e {:?}\n",
                        state / COUNTS,
                        state % COUNTS,
                        self.factor[state].map(|f| (f * 100.0).round() / 100.0),
                        self.expected[state].map(|f| f.round())
                    );
                }
            }
            std::fs::write("/tmp/nb.txt", text).ok();
        }
    }
}
