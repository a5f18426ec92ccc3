//! A page's observations in order of time: [`History`] and [`HistoryBuf`].

use thiserror::Error;

use crate::{Observation, Outcome, Timestamp};

/// A page's observations in order of time, borrowed. Copying it copies three
/// slices, not the observations.
#[derive(Debug, Clone, Copy)]
pub struct History<'a> {
    times: &'a [Timestamp],
    outcomes: &'a [Outcome],
    /// As long as `times`, or empty where no visit told a date.
    modified: &'a [Option<Timestamp>],
}

/// Time between two comparable visits and whether the page changed in it.
///
/// An `Unknown` visit in between does not end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The earlier comparable visit.
    pub start: Timestamp,
    /// The later comparable visit.
    pub end: Timestamp,
    /// Whether the later visit saw a change.
    pub changed: bool,
    /// The last-modified time told at the later visit.
    pub last_modified: Option<Timestamp>,
}

impl Interval {
    /// Length in days.
    #[must_use]
    pub fn days(&self) -> f64 {
        self.end.days_since(self.start)
    }
}

/// A history that is no history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum HistoryError {
    /// An observation at or before the one in front of it.
    #[error("an observation at {at} does not come after the one before it, at {previous}")]
    OutOfOrder {
        /// Time of the refused observation.
        at: Timestamp,
        /// Time of the last one held.
        previous: Timestamp,
    },
}

impl<'a> History<'a> {
    pub(crate) const fn from_columns(
        times: &'a [Timestamp],
        outcomes: &'a [Outcome],
        modified: &'a [Option<Timestamp>],
    ) -> Self {
        Self {
            times,
            outcomes,
            modified,
        }
    }

    /// How many observations there are, `Unknown` ones included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The observation at `index`, if there is one.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Observation> {
        Some(Observation {
            at: *self.times.get(index)?,
            outcome: self.outcomes[index],
            last_modified: self.modified.get(index).copied().flatten(),
        })
    }

    /// Observations in order of time.
    pub fn observations(self) -> impl Iterator<Item = Observation> + 'a {
        (0..self.len()).filter_map(move |index| self.get(index))
    }

    /// The comparable pairs of neighbouring visits. `Unknown` visits are
    /// passed over, so the interval around them is the longer one.
    pub fn intervals(self) -> impl Iterator<Item = Interval> + 'a {
        let mut start = None;
        let rows = self.times.iter().zip(self.outcomes).enumerate();
        rows.filter_map(move |(row, (&at, outcome))| {
            let changed = match outcome {
                Outcome::Unknown => return None,
                Outcome::First => None,
                Outcome::Changed => Some(true),
                Outcome::Unchanged => Some(false),
            };
            let from = start.replace(at)?;
            Some(Interval {
                start: from,
                end: at,
                changed: changed?,
                last_modified: self.modified.get(row).copied().flatten(),
            })
        })
    }

    /// Length in days of the time between each visit and the next, and whether the
    /// page changed in it: what [`Self::intervals`] tell, quicker. `None` if not every
    /// visit after the first can be compared with the one before it.
    #[must_use]
    pub fn unbroken(self) -> Option<impl Iterator<Item = (f64, bool)> + 'a> {
        let (first, later) = self.outcomes.split_first()?;
        let compared = |all: bool, outcome: &Outcome| {
            all & matches!(outcome, Outcome::Changed | Outcome::Unchanged)
        };
        (*first != Outcome::Unknown && later.iter().fold(true, compared)).then(|| {
            let pairs = self.times.windows(2).zip(later);
            pairs.map(|(pair, &outcome)| (pair[1].days_since(pair[0]), outcome == Outcome::Changed))
        })
    }

    /// The observations from `start` to `end`, both included.
    #[must_use]
    pub fn between(self, start: Timestamp, end: Timestamp) -> Self {
        let from = self.times.partition_point(|&at| at < start);
        let to = self.times.partition_point(|&at| at <= end).max(from);
        let modified = if self.modified.is_empty() {
            &[]
        } else {
            &self.modified[from..to]
        };
        Self {
            times: &self.times[from..to],
            outcomes: &self.outcomes[from..to],
            modified,
        }
    }

    /// The observations that enclose the time from `start` to `end`: from the
    /// last one at or before `start` to the first one at or after `end`.
    #[must_use]
    pub fn enclosing(self, start: Timestamp, end: Timestamp) -> Self {
        let before = self.times.partition_point(|&at| at <= start).checked_sub(1);
        let after = self.times.partition_point(|&at| at < end);
        let first = before.map_or(start, |index| self.times[index]);
        let last = self.times.get(after).copied().unwrap_or(end);
        self.between(first, last)
    }

    /// How many observations say something: all but the `Unknown` ones.
    #[must_use]
    pub fn usable(&self) -> usize {
        self.outcomes
            .iter()
            .filter(|&&outcome| outcome != Outcome::Unknown)
            .count()
    }

    /// Whether any visit told a last-modified time.
    #[must_use]
    pub fn has_dates(&self) -> bool {
        self.modified.iter().any(Option::is_some)
    }
}

/// A history that owns its observations.
#[derive(Debug, Clone, Default)]
pub struct HistoryBuf {
    times: Vec<Timestamp>,
    outcomes: Vec<Outcome>,
    modified: Vec<Option<Timestamp>>,
}

impl HistoryBuf {
    /// A history without observations.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an observation.
    ///
    /// # Errors
    /// [`HistoryError::OutOfOrder`] unless it comes after the last one.
    pub fn push(&mut self, seen: Observation) -> Result<(), HistoryError> {
        if let Some(&previous) = self.times.last()
            && seen.at <= previous
        {
            return Err(HistoryError::OutOfOrder {
                at: seen.at,
                previous,
            });
        }
        self.times.push(seen.at);
        self.outcomes.push(seen.outcome);
        self.modified.push(seen.last_modified);
        Ok(())
    }

    /// The history, borrowed.
    #[must_use]
    pub fn view(&self) -> History<'_> {
        History::from_columns(&self.times, &self.outcomes, &self.modified)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_seconds(second)
    }

    fn history(rows: &[(i64, Outcome)]) -> HistoryBuf {
        let mut history = HistoryBuf::new();
        for &(second, outcome) in rows {
            history
                .push(Observation::new(at(second), outcome))
                .expect("in order");
        }
        history
    }

    #[test]
    fn what_is_unbroken_is_what_the_intervals_tell() {
        let broken = [
            [Outcome::First, Outcome::Unknown, Outcome::Changed],
            [Outcome::Unknown, Outcome::Changed, Outcome::Unchanged],
            [Outcome::First, Outcome::First, Outcome::Unchanged],
        ];
        for [a, b, c] in broken {
            let history = history(&[(0, a), (7, b), (9, c)]);
            assert!(history.view().unbroken().is_none(), "{a} {b} {c}");
        }
        for first in [Outcome::First, Outcome::Changed] {
            let history = history(&[(0, first), (7, Outcome::Changed), (9, Outcome::Unchanged)]);
            let told = history.view().intervals().map(|i| (i.days(), i.changed));
            let quick = history.view().unbroken().expect("unbroken");
            assert!(quick.eq(told), "{first}");
        }
    }

    #[test]
    fn an_unknown_visit_makes_the_interval_longer() {
        let history = history(&[
            (0, Outcome::First),
            (10, Outcome::Unknown),
            (30, Outcome::Unchanged),
            (31, Outcome::Changed),
        ]);
        let intervals: Vec<_> = history.view().intervals().collect();
        assert_eq!(intervals.len(), 2);
        assert_eq!((intervals[0].start, intervals[0].end), (at(0), at(30)));
        assert!(!intervals[0].changed && intervals[1].changed);
    }

    #[test]
    fn a_stretch_of_time_is_cut_out_or_enclosed() {
        let rows: Vec<_> = (0..6).map(|i| (i * 10, Outcome::Unchanged)).collect();
        let history = history(&rows);
        let times = |part: History<'_>| -> Vec<i64> {
            part.observations()
                .map(|seen| seen.at.micros() / 1_000_000)
                .collect()
        };
        assert_eq!(times(history.view().between(at(10), at(30))), [10, 20, 30]);
        assert_eq!(times(history.view().between(at(11), at(19))), [0i64; 0]);
        assert_eq!(
            times(history.view().enclosing(at(11), at(29))),
            [10, 20, 30]
        );
        assert_eq!(
            times(history.view().enclosing(at(-5), at(99))),
            [0, 10, 20, 30, 40, 50]
        );
        assert_eq!(times(history.view().enclosing(at(10), at(20))), [10, 20]);
    }

    #[test]
    fn a_later_first_visit_starts_anew() {
        let history = history(&[
            (0, Outcome::First),
            (10, Outcome::First),
            (15, Outcome::Changed),
        ]);
        let intervals: Vec<_> = history.view().intervals().collect();
        assert_eq!(intervals.len(), 1);
        assert_eq!(intervals[0].start, at(10));
    }

    #[test]
    fn observations_must_move_forward_in_time() {
        let mut history = history(&[(5, Outcome::First)]);
        let refused = history.push(Observation::new(at(5), Outcome::Changed));
        assert_eq!(
            refused,
            Err(HistoryError::OutOfOrder {
                at: at(5),
                previous: at(5)
            })
        );
    }
}
