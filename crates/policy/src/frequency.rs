//! `frequency`: every page once, then by how often it seems to change.

use recrawl_model::{Explanation, PageId, Timestamp};

use crate::ranking::Ranking;
use crate::round_robin::Turn;
use crate::{Collection, Desk, Entry, Planner, Policy, Seen, Summary};

/// The change-frequency policy of Cho & Ntoulas, section 4: pages without a
/// comparable pair of visits come first, in turn; the rest of the budget goes
/// to the pages with most expected changes since their last visit, so that
/// visits become proportional to estimated rates. A page that has never
/// changed still has a rate above 0 and is visited, at growing intervals.
#[derive(Debug, Clone, Copy, Default)]
pub struct Frequency;

pub(crate) const ENTRY: Entry = Entry {
    name: "frequency",
    summary: "every page once, then in proportion to its estimated rate",
    keys: &[],
    read: |_| Ok(Box::new(Frequency)),
};

impl Policy for Frequency {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(FrequencyPlanner::default())
    }
}

/// Changes expected an interval: `-ln((n - X + 0.5)/(n + 1))`, n = `intervals`,
/// X = `changes` of them. Cho & Garcia-Molina's estimator with n + 1 in place
/// of n + 0.5, so that it is above 0 where nothing changed. Holds for regular
/// visits.
#[must_use]
pub fn changes_per_interval(intervals: u32, changes: u32) -> f64 {
    let (n, x) = (f64::from(intervals), f64::from(changes));
    -((n - x + 0.5) / (n + 1.0)).ln()
}

/// What stands in for what a page's own history does not tell.
#[derive(Debug, Clone, Copy)]
struct Typical {
    /// Mean interval of all pages in days.
    interval: f64,
    /// Days since the first cycle: how long a page never seen has waited.
    waited: f64,
}

impl Typical {
    fn of(collection: &Collection, waited: f64) -> Self {
        let (mut days, mut intervals) = (0.0, 0u64);
        for slot in 0..collection.slots() as u32 {
            let summary = collection.summary(PageId(slot));
            days += summary.observed_days();
            intervals += u64::from(summary.intervals());
        }
        let interval = if intervals > 0 {
            days / intervals as f64
        } else {
            1.0 // any: all pages are without an interval, and alike
        };
        Self { interval, waited }
    }

    /// Expected changes since the last visit, times importance, halved for
    /// each failed visit.
    fn claim(self, summary: &Summary, weight: f64, now: Timestamp) -> f64 {
        let days = summary.days_unseen(now).unwrap_or(self.waited);
        let interval = summary.mean_interval().unwrap_or(self.interval);
        let changes = changes_per_interval(summary.intervals(), summary.changes());
        weight * summary.back_off() * changes * days / interval
    }
}

#[derive(Default)]
struct FrequencyPlanner {
    turn: Turn,
    ranking: Ranking,
    ranked: bool,
    /// Start of the first cycle.
    began: Option<Timestamp>,
}

impl FrequencyPlanner {
    fn typical(&self, collection: &Collection, now: Timestamp) -> Typical {
        let waited = self.began.map_or(0.0, |began| now.days_since(began));
        Typical::of(collection, waited)
    }
}

impl Planner for FrequencyPlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        self.turn.begin(desk);
        self.ranked = false;
        self.began.get_or_insert(desk.now);
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        if !self.ranked {
            // Pages that fail wait for their claim, or they would come first for ever.
            self.turn.next_where(desk, |collection, page| {
                let summary = collection.summary(page);
                summary.intervals() == 0 && summary.failures() == 0
            });
            if !desk.is_empty() {
                return;
            }
            let now = desk.now;
            let typical = self.typical(desk.collection(), now);
            self.ranking.rank(desk, |collection, page| {
                let summary = collection.summary(page);
                Some(typical.claim(summary, collection.weight(page), now))
            });
            self.ranked = true;
        }
        self.ranking.next(desk);
    }

    fn learn(&mut self, _: &Collection, _: &Seen<'_>) {}

    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation {
        let summary = collection.summary(page);
        let weight = collection.weight(page);
        let typical = self.typical(collection, now);
        let why = Explanation::new(
            typical.claim(summary, weight, now),
            "importance x changes expected since the last visit",
        )
        .because(Explanation::new(weight, "importance"))
        .because(Explanation::new(
            summary.back_off(),
            "1/2 for each failed visit",
        ));
        let Some((days, interval)) = summary.days_unseen(now).zip(summary.mean_interval()) else {
            return why.because(Explanation::new(
                f64::from(summary.intervals()),
                "intervals: pages without one come first, in turn",
            ));
        };
        let changes = changes_per_interval(summary.intervals(), summary.changes());
        why.because(
            Explanation::new(changes / interval, "changes a day, estimated")
                .because(Explanation::new(
                    f64::from(summary.changes()),
                    "changes seen",
                ))
                .because(Explanation::new(
                    f64::from(summary.intervals()),
                    "intervals",
                ))
                .because(Explanation::new(interval, "mean interval in days")),
        )
        .because(Explanation::new(days, "days unseen"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_never_changed_is_believed_to_change_ever_more_rarely() {
        assert!((changes_per_interval(1, 0) - (2.0f64 / 1.5).ln()).abs() < 1e-15);
        assert!((changes_per_interval(10, 6) - (11.0f64 / 4.5).ln()).abs() < 1e-15);
        let quiet: Vec<f64> = (1..50).map(|n| changes_per_interval(n, 0)).collect();
        assert!(
            quiet
                .windows(2)
                .all(|pair| pair[1] < pair[0] && pair[1] > 0.0)
        );
    }
}
