//! `mle`: maximum likelihood on intervals of any length.

use recrawl_model::History;

use crate::likelihood::rate_of_intervals;
use crate::{Confidence, Estimate, Estimator, Evidence, ShareBounds};

/// Root of `sum over changed of t/(exp(rate t) - 1) = sum over unchanged of t`,
/// t in days (ALGORITHMS 5).
///
/// 0 without a change; no answer if every visit saw one, because then the
/// likelihood rises for ever. Holds for independent changes at a steady rate.
#[derive(Debug)]
pub struct MaximumLikelihood {
    bounds: ShareBounds,
}

impl MaximumLikelihood {
    /// The estimator, with intervals at this confidence.
    #[must_use]
    pub fn new(confidence: Confidence) -> Self {
        Self {
            bounds: ShareBounds::new(confidence),
        }
    }

    /// The estimate from intervals already gathered.
    #[must_use]
    pub fn weigh(&self, evidence: &Evidence) -> Estimate {
        let tally = evidence.tally();
        if tally.intervals == 0 {
            return Estimate::no_interval(self.name(), tally);
        }
        let bounds = self.bounds.rate(evidence);
        let exposure = evidence.unchanged().iter().sum();
        match rate_of_intervals(0.0, evidence.changed(), exposure) {
            Some(daily) => Estimate::new(self.name(), tally, daily, bounds),
            None => unbounded(self.name(), tally, bounds.0),
        }
    }
}

/// No rate, but a lower end of the interval: every visit saw a change.
pub(crate) fn unbounded(
    method: &'static str,
    tally: crate::Tally,
    low_per_day: Option<f64>,
) -> Estimate {
    let low = low_per_day.and_then(|daily| recrawl_model::Rate::per_day(daily).ok());
    let reason = "every visit saw a change, so no rate is too high; visit more often, or use cho";
    Estimate {
        low,
        ..Estimate::none(method, tally, reason)
    }
}

impl Estimator for MaximumLikelihood {
    fn name(&self) -> &'static str {
        "mle"
    }

    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate {
        self.weigh(&Evidence::of(histories))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_rate_makes_the_data_likelier() {
        let evidence = Evidence::from_intervals([
            (0.5, true),
            (3.0, false),
            (1.0, true),
            (2.0, false),
            (4.0, true),
        ]);
        let log_likelihood = |rate: f64| {
            let changed: f64 = evidence
                .changed()
                .iter()
                .map(|t| (1.0 - (-rate * t).exp()).ln())
                .sum();
            changed - rate * evidence.unchanged().iter().sum::<f64>()
        };
        let estimate = MaximumLikelihood::new(Confidence::default()).weigh(&evidence);
        let best = estimate.rate.expect("a rate").daily();
        for factor in [0.5, 0.9, 0.999, 1.001, 1.1, 2.0] {
            assert!(log_likelihood(best) > log_likelihood(best * factor));
        }
    }

    #[test]
    fn without_a_change_it_is_zero_and_with_only_changes_unknown() {
        let method = MaximumLikelihood::new(Confidence::default());
        let quiet = method.weigh(&Evidence::from_intervals([(1.0, false), (2.0, false)]));
        assert_eq!(quiet.rate.map(recrawl_model::Rate::daily), Some(0.0));
        let busy = method.weigh(&Evidence::from_intervals([(1.0, true), (2.0, true)]));
        assert_eq!((busy.rate, busy.high), (None, None));
        assert!(busy.low.is_some() && busy.note.is_some());
    }
}
