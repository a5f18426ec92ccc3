//! What pages tell of those named next to them, learned.
//!
//! Bursts strike parts of a site: a directory, a version, a language. Lists of
//! addresses, sitemaps and logs name such pages one after the other, so that pages
//! added next to each other change together more often than others of their site.
//! How much more is learned from visits, and heeded once it has foretold them
//! better; where the order of pages says nothing, it never is.

use recrawl_model::{PageId, Timestamp};

use super::calendar::days_between;
use crate::Collection;

/// Places to each side within which neighbours are heard.
pub(super) const REACH: usize = 16;

/// Neighbours heard on each side: the nearest that tell something.
const HEARD: usize = 4;

/// Share of the time since a page was seen that a neighbour must have been quiet
/// for that to tell something.
const TELLING: f32 = 0.5;

/// How many may have changed, or not.
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

/// By how much, in logarithms, neighbours must have foretold visits better before
/// they are heeded: what is a hundred and fifty times as likely is no chance.
const HEEDED: f64 = 5.0;

/// About so many visits of a cycle are compared with what their neighbours showed
/// before they are heeded, and after.
const COMPARED: [usize; 2] = [4_096, 32_768];

/// What is known of the pages around one, since it was seen: how many changed, and
/// how many did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Around(u8);

impl Around {
    /// Nobody asked.
    pub(super) const UNASKED: Self = Self(u8::MAX);
    /// None of them was seen since.
    const UNSEEN: Self = Self(0);

    /// What the pages next to a page, last seen at `from`, show at `now`.
    pub(super) fn of(
        collection: &Collection,
        page: PageId,
        from: Timestamp,
        now: Timestamp,
    ) -> Self {
        let Some((members, place)) = collection.place(page) else {
            return Self::UNSEEN;
        };
        let wait = days_between(from, now) as f32;
        let tells = |&page: &PageId| -> Option<bool> {
            let summary = collection.summary(page);
            let last = summary.last().filter(|&last| last > from)?;
            let since = days_between(from, last) as f32;
            let changed = summary.quiet().days().is_some_and(|quiet| quiet < since);
            (changed || since >= wait * TELLING).then_some(changed)
        };
        let before = members[..place].iter().rev().take(REACH);
        let after = members[place + 1..].iter().take(REACH);
        let mut counts = [0; 2];
        let heard = before.filter_map(tells).take(HEARD);
        for changed in heard.chain(after.filter_map(tells).take(HEARD)) {
            counts[usize::from(changed)] += 1;
        }
        let [unchanged, changed] = counts;
        Self(changed * COUNTS as u8 + unchanged)
    }

    /// Whether anybody asked.
    pub(super) fn is_asked(self) -> bool {
        self != Self::UNASKED
    }
}

/// How much likelier changes are by what pages around show.
#[derive(Debug)]
pub(super) struct Neighbours {
    /// Times as likely as believed, by what they show and by expected changes.
    factor: [[f32; LEVELS]; STATES],
    /// Changes found, and expected of the pages alone.
    found: [[f64; LEVELS]; STATES],
    expected: [[f64; LEVELS]; STATES],
    /// How much better visits were foretold with them, in logarithms.
    better: f64,
    /// Whether they are heeded.
    heeded: bool,
    /// Visits of this cycle, and how many of the next there are for each that is
    /// compared.
    visits: usize,
    one_in: usize,
}

impl Default for Neighbours {
    fn default() -> Self {
        Self {
            factor: [[1.0; LEVELS]; STATES],
            found: [[0.0; LEVELS]; STATES],
            expected: [[0.0; LEVELS]; STATES],
            better: 0.0,
            heeded: false,
            visits: 0,
            one_in: 1,
        }
    }
}

fn level(expected: f32) -> usize {
    let above = (expected / FIRST_LEVEL).max(0.25).log2() / 2.0;
    ((above + 1.0) as usize).min(LEVELS - 1)
}

impl Neighbours {
    /// Whether what pages around show is heeded.
    pub(super) const fn is_heeded(&self) -> bool {
        self.heeded
    }

    /// Counts a visit; whether it is to be compared with what neighbours showed.
    pub(super) const fn compares_next(&mut self) -> bool {
        self.visits += 1;
        self.visits.is_multiple_of(self.one_in)
    }

    /// Times as likely as believed a page is to have changed that was to change
    /// `expected` times, by what pages around it show.
    pub(super) fn factor(&self, around: Around, expected: f32) -> f32 {
        if self.heeded && around.is_asked() {
            self.learned(around, expected)
        } else {
            1.0
        }
    }

    fn learned(&self, around: Around, expected: f32) -> f32 {
        match around {
            Around::UNSEEN => 1.0,
            Around(state) => self.factor[usize::from(state)][level(expected)],
        }
    }

    /// Takes in a visit to a page that was to change `expected` times by itself, and
    /// with a chance that goes with how many times as likely changes are.
    pub(super) fn learn(
        &mut self,
        around: Around,
        expected: f64,
        changed: bool,
        chance: impl Fn(f64) -> f64,
    ) {
        let (state, level) = (usize::from(around.0), level(expected as f32));
        let told = f64::from(self.learned(around, expected as f32));
        let [alone, heard] = [1.0, told].map(|times| chance(times).clamp(1e-12, 1.0 - 1e-12));
        self.expected[state][level] += expected;
        if changed {
            self.better += (heard / alone).ln();
            self.found[state][level] += (expected * told / heard).max(1.0);
        } else {
            self.better += ((1.0 - heard) / (1.0 - alone)).ln();
        }
    }

    /// Ends a cycle: draws the conclusions.
    pub(super) fn end_cycle(&mut self) {
        self.heeded = self.better > HEEDED;
        self.better *= KEPT;
        self.one_in = self
            .visits
            .div_ceil(COMPARED[usize::from(self.heeded)])
            .max(1);
        self.visits = 0;
        let counts = self.found.iter_mut().chain(&mut self.expected).flatten();
        counts.for_each(|count| *count *= KEPT);
        for level in 0..LEVELS {
            let sum = |counts: &[[f64; LEVELS]; STATES]| -> f64 {
                DOUBT + counts.iter().map(|of| of[level]).sum::<f64>()
            };
            // What is believed of pages alone need not be right.
            let usual = sum(&self.found) / sum(&self.expected);
            for state in 0..STATES {
                let ratio = (DOUBT * usual + self.found[state][level])
                    / (DOUBT + self.expected[state][level]);
                self.factor[state][level] = (ratio / usual) as f32;
            }
        }
    }
}

#[cfg(test)]
impl Neighbours {
    /// Heeded: a page is so many times as likely to have changed if any around it has.
    pub(super) fn of_factor(factor: f32) -> Self {
        let mut neighbours = Self {
            heeded: true,
            ..Self::default()
        };
        neighbours.factor[COUNTS..].fill([factor; LEVELS]);
        neighbours
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::{Outcome, SiteId, Weight};

    fn day(n: i64) -> Timestamp {
        Timestamp::from_seconds(n * 86_400)
    }

    #[test]
    fn the_nearest_pages_seen_since_are_heard() {
        let mut collection = Collection::new();
        for page in 0..40 {
            collection.add(SiteId(0), Weight::ONE);
            let first = collection.observe(PageId(page), day(0), Outcome::First);
            first.expect("the first visit");
        }
        collection.settle();
        let around = |collection: &Collection| Around::of(collection, PageId(20), day(1), day(9));
        assert_eq!(around(&collection), Around::UNSEEN);
        let mut visit = |page, at, outcome| {
            let visit = collection.observe(PageId(page), day(at), outcome);
            visit.expect("in order");
        };
        visit(20, 1, Outcome::Unchanged);
        for page in 21..30 {
            visit(page, 8, Outcome::Unchanged); // four of them are heard
        }
        visit(19, 8, Outcome::Changed);
        visit(18, 3, Outcome::Unchanged); // too long ago to tell
        visit(17, 3, Outcome::Changed);
        visit(16, 1, Outcome::Changed); // before the page was seen
        visit(3, 8, Outcome::Changed); // too far away
        assert_eq!(around(&collection), Around(2 * COUNTS as u8 + 4));
    }

    /// Neighbours after ten cycles of visits to pages that change in one of ten
    /// cycles: a half or a tenth of them where the page next to it did.
    fn after_cycles(together: bool) -> Neighbours {
        let mut neighbours = Neighbours::default();
        for _ in 0..10 {
            for visit in 0..1_000u32 {
                let neighbour_changed = visit % 10 == 0;
                let one_in = if together && neighbour_changed { 2 } else { 10 };
                let changed = (visit / 10) % one_in == 0;
                let around = Around(if neighbour_changed { COUNTS as u8 } else { 1 });
                let expected = -0.9f64.ln();
                neighbours.learn(around, expected, changed, |times| {
                    -(-expected * times).exp_m1()
                });
            }
            neighbours.end_cycle();
        }
        neighbours
    }

    #[test]
    fn pages_that_change_together_are_heeded_and_others_are_not() {
        let changed = Around(COUNTS as u8);
        let together = after_cycles(true);
        assert!(together.is_heeded());
        // 0.69 changes expected where half of the pages change, 0.105 where a tenth.
        let factor = together.factor(changed, 0.105);
        assert!(factor > 3.5 && factor < 7.0, "{factor}");
        assert!(together.factor(Around(1), 0.105) < 1.0);
        assert!((together.factor(Around::UNASKED, 0.105) - 1.0).abs() < 1e-9);
        let apart = after_cycles(false);
        assert!(!apart.is_heeded(), "{}", apart.better);
        assert!((apart.factor(changed, 0.105) - 1.0).abs() < 1e-9);
    }
}
