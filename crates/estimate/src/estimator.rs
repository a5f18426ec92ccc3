//! What an estimator is and what it answers.

use std::borrow::Cow;

use recrawl_model::{History, Rate};

use crate::Tally;

/// A method that turns what visits taught into a rate of change.
///
/// Holds settings only; called by the command for each page and by policies
/// that need more than a page's summary. Its double in tests is any closure
/// wrapped by hand: it has no state.
pub trait Estimator: Sync {
    /// The word used for it on the command line and in JSON.
    fn name(&self) -> &'static str;

    /// The rate common to several pages. Pages are independent of each other.
    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate;

    /// The rate of one page.
    fn estimate(&self, history: History<'_>) -> Estimate {
        self.estimate_pooled(&[history])
    }
}

/// A rate with its interval, and what it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The method that answered.
    pub method: &'static str,
    /// The rate, or `None` where the method cannot answer; `note` says why.
    pub rate: Option<Rate>,
    /// Lower end of the interval; `None` where it is unbounded or unknown.
    pub low: Option<Rate>,
    /// Upper end of the interval; `None` where it is unbounded or unknown.
    pub high: Option<Rate>,
    /// What it was made from.
    pub tally: Tally,
    /// What only some methods tell.
    pub detail: Detail,
    /// A sentence the user should read.
    pub note: Option<Cow<'static, str>>,
}

/// What only some methods tell.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Detail {
    /// Nothing more.
    #[default]
    Plain,
    /// The class of a page and the probability of each class, in the order of
    /// the settings.
    Category {
        /// Index of the most probable class.
        class: usize,
        /// Probability of each class.
        probabilities: Vec<f64>,
    },
    /// A rate that moves as a power of time: `(shape/scale)(t/scale)^(shape-1)`.
    PowerLaw {
        /// Above 1 the rate rises, below 1 it falls. No unit.
        shape: f64,
        /// Days; `None` where the fitted law has none.
        scale_days: Option<f64>,
    },
}

/// Lower and upper end of an interval for a rate, in changes a day; `None` is
/// unbounded.
pub(crate) type Bounds = (Option<f64>, Option<f64>);

impl Estimate {
    /// A rate in changes a day. A number that is no rate becomes no answer.
    pub(crate) fn new(method: &'static str, tally: Tally, daily: f64, bounds: Bounds) -> Self {
        let rate = |daily: f64| Rate::per_day(daily).ok();
        let mut estimate = Self {
            method,
            rate: rate(daily),
            low: bounds.0.and_then(rate),
            high: bounds.1.and_then(rate),
            tally,
            detail: Detail::Plain,
            note: None,
        };
        if estimate.rate.is_none() {
            estimate.note = Some("the rate is beyond what a number can hold".into());
        }
        estimate
    }

    /// No answer, with the reason.
    pub(crate) fn none(
        method: &'static str,
        tally: Tally,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            method,
            rate: None,
            low: None,
            high: None,
            tally,
            detail: Detail::Plain,
            note: Some(reason.into()),
        }
    }

    /// No answer because there is no pair of visits to compare.
    pub(crate) fn no_interval(method: &'static str, tally: Tally) -> Self {
        Self::none(
            method,
            tally,
            "no two visits can be compared; at least two are needed",
        )
    }

    pub(crate) fn with_note(mut self, note: impl Into<Cow<'static, str>>) -> Self {
        self.note = Some(note.into());
        self
    }

    pub(crate) fn with_detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }
}
