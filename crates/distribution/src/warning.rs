//! Reasons to doubt an answer that exists all the same: [`Warning`].

use std::fmt;

use crate::Method;

/// A reason to doubt an answer, in words a user can act on.
#[derive(Debug, Clone, PartialEq)]
pub enum Warning {
    /// Constant visits beat against updates that keep a clock.
    PhaseLock {
        /// Length between visits.
        visit_interval: f64,
        /// The period the updates seem to keep, where one was found.
        update_period: Option<f64>,
    },
    /// A method made for constant visits on visits that are not.
    IrregularVisits {
        /// The method.
        method: Method,
        /// Typical length between visits, to which lengths were rounded.
        visit_interval: f64,
    },
    /// Too few changes for the curve to be trusted.
    FewChanges {
        /// Visits that saw a change.
        changes: usize,
    },
    /// Visits whose age is not known were left out of an age method.
    MissingAges {
        /// Visits left out.
        missing: usize,
        /// Comparable visits.
        visits: usize,
    },
    /// Last-modified times that contradict the visits were not used.
    ContradictingDates {
        /// How many.
        dates: usize,
    },
    /// Observations before the last fresh start were left out.
    StretchesLeftOut {
        /// Visits left out.
        visits: usize,
    },
    /// Nothing is known below the interval of constant visits.
    UnseenBelow {
        /// Length between visits.
        visit_interval: f64,
    },
    /// The search for the slope at zero found no flat stretch.
    RateNotSettled {
        /// Relative change between the two closest steps.
        change: f64,
    },
    /// Too few runs to resample: no intervals.
    NoIntervals {
        /// Complete runs between detected changes.
        runs: usize,
        /// Runs needed.
        needed: usize,
    },
    /// The curve stays below 1 at the largest time asked for.
    NotReached {
        /// The largest time.
        max: f64,
    },
}

impl Warning {
    /// A short stable word for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::PhaseLock { .. } => "phase lock",
            Self::IrregularVisits { .. } => "irregular visits",
            Self::FewChanges { .. } => "too few samples",
            Self::MissingAges { .. } => "missing ages",
            Self::ContradictingDates { .. } => "contradicting dates",
            Self::StretchesLeftOut { .. } => "stretches left out",
            Self::UnseenBelow { .. } => "unseen below the visit interval",
            Self::RateNotSettled { .. } => "rate not settled",
            Self::NoIntervals { .. } => "no intervals",
            Self::NotReached { .. } => "tail not reached",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code())?;
        match self {
            Self::PhaseLock {
                visit_interval,
                update_period: Some(period),
            } => write!(
                f,
                "visits every {visit_interval:.4} beat against updates that seem to keep a clock of period {period:.4}, so the curve shows the beat as much as the page; visit at random times"
            ),
            Self::PhaseLock {
                visit_interval,
                update_period: None,
            } => write!(
                f,
                "ages at visits every {visit_interval:.4} take only a few values, so visits and updates keep step; visit at random times"
            ),
            Self::IrregularVisits {
                method,
                visit_interval,
            } => write!(
                f,
                "{method} is made for constant visits and these vary by more than 1 %; lengths were rounded to multiples of {visit_interval:.4} and the curve is biased; use npmle or m6"
            ),
            Self::FewChanges { changes } => write!(
                f,
                "{changes} visits saw a change, which is too few to trust the shape of the curve"
            ),
            Self::MissingAges { missing, visits } => write!(
                f,
                "the age was not known at {missing} of {visits} visits, which are left out; npmle uses them all"
            ),
            Self::ContradictingDates { dates } => write!(
                f,
                "{dates} last-modified times contradict what visits saw (in the future, moving backwards, or in the wrong interval) and were not used"
            ),
            Self::StretchesLeftOut { visits } => write!(
                f,
                "{visits} visits lie outside the longest stretch of comparable visits and were left out"
            ),
            Self::UnseenBelow { visit_interval } => write!(
                f,
                "visits keep {visit_interval:.4} apart, so nothing is known of lifetimes below it: the mean update is an upper limit and the update curve is interpolated; visit at random times"
            ),
            Self::RateNotSettled { change } => write!(
                f,
                "the slope at zero still moves by {:.1} % between steps, so the rate and the update curve are rough",
                change * 100.0
            ),
            Self::NoIntervals { runs, needed } => write!(
                f,
                "{runs} complete runs between changes are too few to resample ({needed} needed), so no interval is given"
            ),
            Self::NotReached { max } => write!(
                f,
                "some ages exceed every length the visits can tell apart, so the tail beyond {max:.4} is unknown"
            ),
        }
    }
}
