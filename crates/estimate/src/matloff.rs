//! `matloff`: the plain log estimator for regular visits.

use recrawl_model::History;

use crate::mle::unbounded;
use crate::{Confidence, Estimate, Estimator, Evidence, ShareBounds};

/// `-ln(1 - X/n) / interval`, n intervals of one length (days), X with a change.
///
/// Matloff 2005, as Singh compares it. Needs intervals within 1 % of their
/// mean; no answer if every visit saw a change. Maximum likelihood where it
/// holds: independent changes at a steady rate, regular visits.
#[derive(Debug)]
pub struct Matloff {
    bounds: ShareBounds,
}

impl Matloff {
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
        let Some(interval) = evidence.regular_days() else {
            let reason =
                "visits are not regular (intervals differ by more than 1 %); use cho or mle";
            return Estimate::none(self.name(), tally, reason);
        };
        let bounds = self.bounds.rate(evidence);
        if tally.changes == tally.intervals {
            return unbounded(self.name(), tally, bounds.0);
        }
        let share = tally.changes as f64 / tally.intervals as f64;
        Estimate::new(self.name(), tally, -(-share).ln_1p() / interval, bounds)
    }
}

impl Estimator for Matloff {
    fn name(&self) -> &'static str {
        "matloff"
    }

    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate {
        self.weigh(&Evidence::of(histories))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_changes_in_ten_days_are_0_3567_a_day() {
        let evidence = Evidence::from_intervals((0..10).map(|i| (1.0, i < 3)));
        let estimate = Matloff::new(Confidence::default()).weigh(&evidence);
        assert!((estimate.rate.expect("a rate").daily() - 0.356_674_943_938_732_4).abs() < 1e-15);
    }

    #[test]
    fn irregular_visits_are_refused_with_a_way_out() {
        let evidence = Evidence::from_intervals([(1.0, true), (1.03, false)]);
        let estimate = Matloff::new(Confidence::default()).weigh(&evidence);
        assert_eq!(estimate.rate, None);
        assert!(estimate.note.expect("a reason").contains("use cho"));
    }
}
