//! What the constant-rate estimators look at: lengths of intervals, and in
//! which of them the page changed.

use recrawl_model::History;

/// Lengths, in days, of the comparable intervals of one page or of several
/// pages pooled.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    changed: Vec<f64>,
    unchanged: Vec<f64>,
    visits: usize,
}

/// What an estimate was made from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// Usable observations: all but the unknown ones.
    pub visits: usize,
    /// Comparable pairs of visits.
    pub intervals: usize,
    /// Intervals in which the page changed.
    pub changes: usize,
    /// Total length of the intervals, in days.
    pub span_days: f64,
}

/// Intervals count as regular when none is further than this from their mean,
/// as a share of it. Crawlers that mean to visit daily are late by minutes.
pub const REGULAR_WITHIN: f64 = 0.01;

impl Evidence {
    /// The intervals of all `histories` together. One history is one page;
    /// several are pages taken to change at one common rate.
    #[must_use]
    pub fn of(histories: &[History<'_>]) -> Self {
        let mut evidence = Self::default();
        for history in histories {
            for interval in history.intervals() {
                evidence.push(interval.days(), interval.changed);
            }
            evidence.visits += history.usable();
        }
        evidence
    }

    /// Intervals given one by one, each a length in days and whether the page
    /// changed in it, as of one page visited without a break.
    #[must_use]
    pub fn from_intervals(intervals: impl IntoIterator<Item = (f64, bool)>) -> Self {
        let mut evidence = Self::default();
        for (days, changed) in intervals {
            evidence.push(days, changed);
        }
        evidence.visits = evidence.intervals() + 1;
        evidence
    }

    fn push(&mut self, days: f64, changed: bool) {
        if changed {
            self.changed.push(days);
        } else {
            self.unchanged.push(days);
        }
    }

    /// Lengths of the intervals with a change, in days.
    #[must_use]
    pub fn changed(&self) -> &[f64] {
        &self.changed
    }

    /// Lengths of the intervals without a change, in days.
    #[must_use]
    pub fn unchanged(&self) -> &[f64] {
        &self.unchanged
    }

    /// All lengths, those with a change first.
    pub fn lengths(&self) -> impl Iterator<Item = f64> + '_ {
        self.changed.iter().chain(&self.unchanged).copied()
    }

    /// How many intervals there are.
    #[must_use]
    pub fn intervals(&self) -> usize {
        self.changed.len() + self.unchanged.len()
    }

    /// How many of them saw a change.
    #[must_use]
    pub fn changes(&self) -> usize {
        self.changed.len()
    }

    /// Total length, in days.
    #[must_use]
    pub fn span_days(&self) -> f64 {
        self.changed.iter().sum::<f64>() + self.unchanged.iter().sum::<f64>()
    }

    /// Mean length, in days; `None` without an interval.
    #[must_use]
    pub fn mean_days(&self) -> Option<f64> {
        (self.intervals() > 0).then(|| self.span_days() / self.intervals() as f64)
    }

    /// The common length, in days, if every interval lies within
    /// [`REGULAR_WITHIN`] of the mean.
    #[must_use]
    pub fn regular_days(&self) -> Option<f64> {
        let mean = self.mean_days()?;
        let slack = mean * REGULAR_WITHIN;
        self.lengths()
            .all(|days| (days - mean).abs() <= slack)
            .then_some(mean)
    }

    /// The counts that go with an estimate.
    #[must_use]
    pub fn tally(&self) -> Tally {
        Tally {
            visits: self.visits,
            intervals: self.intervals(),
            changes: self.changes(),
            span_days: self.span_days(),
        }
    }
}
