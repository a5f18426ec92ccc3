//! What is kept of a page's history: [`Summary`].

use std::time::Duration;

use recrawl_model::{Outcome, SiteId, Timestamp, days};
use thiserror::Error;

use crate::quiet::Quiet;

/// One over the microseconds of a day.
const DAYS_A_MICRO: f32 = 1.0 / 86_400e6;

/// What policies know of a page, in 32 bytes whatever the length of its
/// history. The full history stays in the log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    last: Option<Timestamp>,
    /// Total length of the intervals in microseconds: a sum that no order of
    /// adding changes, and no division a visit.
    observed_micros: u64,
    intervals: u32,
    changes: u32,
    failures: u16,
    quiet: Quiet,
    site: SiteId,
}

/// An observation at or before the last comparable one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an observation at {at} does not come after the one before it, at {previous}")]
pub struct OutOfOrder {
    /// Time of the refused observation.
    pub at: Timestamp,
    /// Time of the last comparable one.
    pub previous: Timestamp,
}

impl Summary {
    /// A page never visited.
    #[must_use]
    pub const fn unseen(site: SiteId) -> Self {
        Self {
            last: None,
            observed_micros: 0,
            intervals: 0,
            changes: 0,
            failures: 0,
            quiet: Quiet::NEVER_CHANGED,
            site,
        }
    }

    /// Takes in one observation, in O(1).
    ///
    /// `Unknown` is no evidence: the open interval grows. `First` starts anew;
    /// so does any first visit, whatever it says.
    ///
    /// # Errors
    /// [`OutOfOrder`] unless it comes after the last comparable visit.
    pub fn observe(&mut self, at: Timestamp, outcome: Outcome) -> Result<(), OutOfOrder> {
        if outcome == Outcome::Unknown {
            self.failures = self.failures.saturating_add(1);
            return Ok(());
        }
        if let Some(previous) = self.last {
            if at <= previous {
                return Err(OutOfOrder { at, previous });
            }
            if outcome != Outcome::First {
                self.intervals = self.intervals.saturating_add(1);
                self.changes += u32::from(outcome == Outcome::Changed);
                let micros = at.micros().abs_diff(previous.micros());
                self.observed_micros = self.observed_micros.saturating_add(micros);
                self.quiet = match outcome {
                    Outcome::Changed => Quiet::JUST_CHANGED,
                    _ => self.quiet.longer(micros as f32 * DAYS_A_MICRO),
                };
            }
        }
        self.last = Some(at);
        self.failures = 0;
        Ok(())
    }

    /// The last comparable visit; `None` if the page was never seen.
    #[must_use]
    pub const fn last(&self) -> Option<Timestamp> {
        self.last
    }

    /// Comparable pairs of visits.
    #[must_use]
    pub const fn intervals(&self) -> u32 {
        self.intervals
    }

    /// Intervals that saw a change.
    #[must_use]
    pub const fn changes(&self) -> u32 {
        self.changes
    }

    /// Total length of the intervals in days.
    #[must_use]
    pub fn observed_days(&self) -> f64 {
        days(Duration::from_micros(self.observed_micros))
    }

    /// Failed visits since the last that told something.
    #[must_use]
    pub fn failures(&self) -> u32 {
        u32::from(self.failures)
    }

    /// From the last visit that saw a change to the last visit.
    pub(crate) const fn quiet(&self) -> Quiet {
        self.quiet
    }

    /// The page's site.
    #[must_use]
    pub const fn site(&self) -> SiteId {
        self.site
    }

    /// Days from the last comparable visit to `now`; `None` if never seen.
    #[must_use]
    pub fn days_unseen(&self, now: Timestamp) -> Option<f64> {
        self.last.map(|last| now.days_since(last).max(0.0))
    }

    /// Mean length of an interval in days; `None` before the first.
    #[must_use]
    pub fn mean_interval(&self) -> Option<f64> {
        (self.intervals > 0).then(|| self.observed_days() / f64::from(self.intervals))
    }

    /// `1/2^failures`: what a page's claim to a visit is multiplied with, so
    /// that pages that always fail do not keep the others from being visited.
    #[must_use]
    pub fn back_off(&self) -> f64 {
        match self.failures {
            0 => 1.0, // nearly all pages, and a power takes its time
            failures => (-f64::from(failures)).exp2(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(n: i64) -> Timestamp {
        Timestamp::from_seconds(n * 86_400)
    }

    fn seen(rows: &[(i64, Outcome)]) -> Summary {
        let mut summary = Summary::unseen(SiteId(0));
        for &(at, outcome) in rows {
            summary.observe(day(at), outcome).expect("in order");
        }
        summary
    }

    #[test]
    fn a_summary_is_half_a_cache_line() {
        assert_eq!(size_of::<Summary>(), 32);
    }

    #[test]
    fn a_failed_visit_makes_the_interval_longer_and_backs_off() {
        let mut summary = seen(&[
            (0, Outcome::First),
            (1, Outcome::Changed),
            (2, Outcome::Unknown),
            (3, Outcome::Unknown),
        ]);
        assert_eq!((summary.intervals(), summary.back_off()), (1, 0.25));
        summary
            .observe(day(5), Outcome::Unchanged)
            .expect("in order");
        assert_eq!((summary.intervals(), summary.changes()), (2, 1));
        assert_eq!(summary.mean_interval(), Some(2.5));
        assert_eq!(summary.back_off(), 1.0);
    }

    #[test]
    fn a_later_first_visit_starts_anew() {
        let summary = seen(&[
            (0, Outcome::First),
            (10, Outcome::First),
            (15, Outcome::Changed),
        ]);
        assert_eq!((summary.intervals(), summary.observed_days()), (1, 5.0));
    }

    #[test]
    fn quiet_days_go_from_the_last_change_seen_to_the_last_visit() {
        let never = seen(&[(0, Outcome::First), (4, Outcome::Unchanged)]);
        assert_eq!(never.quiet().days(), None);
        let quiet = seen(&[
            (0, Outcome::First),
            (1, Outcome::Changed),
            (3, Outcome::Unchanged),
            (4, Outcome::Unknown),
            (8, Outcome::Unchanged),
        ]);
        assert_eq!(quiet.quiet().days(), Some(7.0));
    }

    #[test]
    fn time_must_move_forward() {
        let mut summary = seen(&[(5, Outcome::First)]);
        let before = summary;
        assert!(summary.observe(day(5), Outcome::Changed).is_err());
        assert_eq!(summary, before);
    }
}
