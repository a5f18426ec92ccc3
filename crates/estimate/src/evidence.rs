//! What the constant-rate estimators look at: lengths of intervals, and in
//! which of them the page changed.

use recrawl_model::History;

/// Lengths, in days, of the comparable intervals of one page or of several
/// pages pooled.
///
/// One allocation holds them all, those with a change first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    lengths: Vec<f64>,
    changes: usize,
    visits: usize,
    span_days: f64,
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
        if let [history] = histories
            && let Some(pairs) = history.unbroken()
        {
            return Self::gather(history.len(), pairs, history.len());
        }
        let room = histories.iter().map(History::len).sum();
        let visits = histories.iter().map(History::usable).sum();
        let intervals = histories.iter().flat_map(|history| history.intervals());
        let pairs = intervals.map(|interval| (interval.days(), interval.changed));
        Self::gather(room, pairs, visits)
    }

    /// Intervals given one by one, each a length in days and whether the page
    /// changed in it, as of one page visited without a break.
    #[must_use]
    pub fn from_intervals(intervals: impl IntoIterator<Item = (f64, bool)>) -> Self {
        let pairs: Vec<_> = intervals.into_iter().collect();
        let room = pairs.len();
        Self::gather(room, pairs.into_iter(), room + 1)
    }

    /// Fills a row of `room` places from both ends, changed intervals from the
    /// front, then closes the gap.
    fn gather(room: usize, pairs: impl Iterator<Item = (f64, bool)>, visits: usize) -> Self {
        let mut lengths = vec![0.0; room];
        let (mut front, mut back) = (0, room);
        for (days, changed) in pairs {
            // Both without a branch that nobody could foresee: the next interval of
            // the kind overwrites what does not belong.
            lengths[front] = days;
            lengths[back - 1] = days;
            front += usize::from(changed);
            back -= usize::from(!changed);
        }
        lengths.copy_within(back.., front);
        lengths.truncate(front + room - back);
        let add = |total, days: &f64| total + days; // a plain sum of nothing is -0
        Self {
            span_days: lengths.iter().fold(0.0, add),
            lengths,
            changes: front,
            visits,
        }
    }

    /// Lengths of the intervals with a change, in days.
    #[must_use]
    pub fn changed(&self) -> &[f64] {
        &self.lengths[..self.changes]
    }

    /// Lengths of the intervals without a change, in days.
    #[must_use]
    pub fn unchanged(&self) -> &[f64] {
        &self.lengths[self.changes..]
    }

    /// All lengths, those with a change first.
    pub fn lengths(&self) -> impl Iterator<Item = f64> + '_ {
        self.lengths.iter().copied()
    }

    /// As [`Self::lengths`], for those who take several at a time.
    pub(crate) fn as_slice(&self) -> &[f64] {
        &self.lengths
    }

    /// How many intervals there are.
    #[must_use]
    pub fn intervals(&self) -> usize {
        self.lengths.len()
    }

    /// How many of them saw a change.
    #[must_use]
    pub fn changes(&self) -> usize {
        self.changes
    }

    /// Total length, in days.
    #[must_use]
    pub fn span_days(&self) -> f64 {
        self.span_days
    }

    /// Mean length, in days; `None` without an interval.
    #[must_use]
    pub fn mean_days(&self) -> Option<f64> {
        (self.intervals() > 0).then(|| self.span_days() / self.intervals() as f64)
    }

    /// The squared coefficient of variation of the lengths, given their mean:
    /// 0 where all are equal, near 1 where visits come at random.
    pub(crate) fn variation(&self, mean_days: f64) -> f64 {
        let square = |total, days: &f64| total + (days - mean_days).powi(2);
        let squares: f64 = self.lengths.iter().fold(0.0, square);
        squares / (self.intervals() as f64 * mean_days * mean_days)
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
