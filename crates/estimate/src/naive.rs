//! `naive`: changes seen, divided by the time watched.

use recrawl_model::History;

use crate::confidence::CountBounds;
use crate::{Confidence, Estimate, Estimator, Evidence};

/// `X / T`, X = intervals with a change, T = total length (days).
///
/// Cho & Garcia-Molina section 4.1. Holds only where no interval hides a second
/// change: with r changes an interval, `E[estimate]/rate = (1 - exp(-r))/r`,
/// 10 % low at r = 0.21 however many visits are made. The interval is Garwood's
/// for a Poisson count and shares that assumption.
#[derive(Debug)]
pub struct Naive {
    bounds: CountBounds,
}

impl Estimator for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate {
        self.weigh(&Evidence::of(histories))
    }
}

impl Naive {
    /// The estimator, with intervals at this confidence.
    #[must_use]
    pub fn new(confidence: Confidence) -> Self {
        Self {
            bounds: CountBounds::new(confidence),
        }
    }

    /// The estimate from intervals already gathered.
    #[must_use]
    pub fn weigh(&self, evidence: &Evidence) -> Estimate {
        let tally = evidence.tally();
        if tally.intervals == 0 {
            return Estimate::no_interval(self.name(), tally);
        }
        let (low, high) = self.bounds.mean(tally.changes);
        let per_day = |changes: f64| changes / tally.span_days;
        Estimate::new(
            self.name(),
            tally,
            per_day(tally.changes as f64),
            (Some(per_day(low)), Some(per_day(high))),
        )
    }
}
