//! `cho`: the bias-corrected estimator of Cho & Garcia-Molina, for any visits.

use recrawl_model::History;

use crate::likelihood::rate_of_intervals;
use crate::{Confidence, Estimate, Estimator, Evidence, ShareBounds};

/// Root of `sum over changed of t/(exp(rate t) - 1) = U + m/2`, t in days,
/// U = total length of the unchanged intervals, m = mean interval.
///
/// On regular visits this is Cho & Garcia-Molina's log estimator exactly:
/// `-ln((n - X + 0.5)/(n + 0.5)) / interval`, n intervals, X with a change.
/// The half interval keeps it finite when every visit saw a change. Holds for
/// independent changes at a steady rate; see `docs/math.md` for its bias.
#[derive(Debug)]
pub struct Cho {
    bounds: ShareBounds,
}

impl Cho {
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
        let Some(daily) = cho_rate(evidence) else {
            return Estimate::no_interval(self.name(), tally);
        };
        let estimate = Estimate::new(self.name(), tally, daily, self.bounds.rate(evidence));
        if tally.changes == tally.intervals {
            return estimate.with_note(
                "every visit saw a change, so the rate may be far higher; visit more often",
            );
        }
        estimate
    }
}

/// The estimate alone, in changes a day; `None` without an interval.
#[must_use]
pub fn cho_rate(evidence: &Evidence) -> Option<f64> {
    let mean = evidence.mean_days()?;
    let exposure = evidence.unchanged().iter().sum::<f64>() + mean / 2.0;
    rate_of_intervals(0.0, evidence.changed(), exposure)
}

impl Estimator for Cho {
    fn name(&self) -> &'static str {
        "cho"
    }

    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate {
        self.weigh(&Evidence::of(histories))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regular(changes: usize, intervals: usize) -> Evidence {
        Evidence::from_intervals((0..intervals).map(|i| (1.0, i < changes)))
    }

    #[test]
    fn on_regular_visits_it_is_the_log_estimator() {
        for intervals in [1usize, 2, 10, 50, 1_000] {
            for changes in [0, 1, intervals / 2, intervals] {
                let (n, x) = (intervals as f64, changes as f64);
                let expected = -((n - x + 0.5) / (n + 0.5)).ln();
                let rate = cho_rate(&regular(changes, intervals)).expect("intervals");
                assert!(
                    (rate - expected).abs() <= 1e-13 * expected.max(1.0),
                    "{n} {x}"
                );
            }
        }
    }

    #[test]
    fn the_papers_example_reads_0_847() {
        // Six changes in ten daily visits: naive 0.6, log 0.847 (ALGORITHMS 1.1).
        let estimate = Cho::new(Confidence::default()).weigh(&regular(6, 10));
        assert!((estimate.rate.expect("a rate").daily() - 0.847).abs() < 5e-4);
    }

    /// `E[estimate]/rate` on regular visits, by the exact sum over X.
    fn relative_mean(intervals: usize, changes_per_visit: f64) -> f64 {
        let share = -(-changes_per_visit).exp_m1();
        let mut probability = (1.0 - share).powi(intervals as i32);
        let mut mean = 0.0;
        for changes in 0..=intervals {
            mean += probability * cho_rate(&regular(changes, intervals)).expect("intervals");
            let (n, x) = (intervals as f64, changes as f64);
            probability *= (n - x) / (x + 1.0) * share / (1.0 - share);
        }
        mean / changes_per_visit
    }

    #[test]
    fn its_bias_is_that_of_the_paper() {
        // ALGORITHMS 1.1, reference sums made outside this code.
        for (intervals, r, expected) in [
            (10, 1.0, 1.003),
            (10, 2.0, 0.970),
            (10, 3.0, 0.852),
            (10, 5.0, 0.594),
            (50, 2.0, 1.001),
            (50, 3.0, 0.998),
            (50, 5.0, 0.855),
        ] {
            let mean = relative_mean(intervals, r);
            assert!(
                (mean - expected).abs() < 6e-4,
                "n={intervals} r={r}: {mean}"
            );
        }
    }

    #[test]
    fn irregular_visits_solve_the_equation_as_written() {
        let evidence =
            Evidence::from_intervals([(0.3, true), (2.0, false), (1.1, true), (0.2, false)]);
        let rate = cho_rate(&evidence).expect("intervals");
        let left: f64 = evidence
            .changed()
            .iter()
            .map(|t| t / ((rate * t).exp() - 1.0))
            .sum();
        assert!((left - (2.2 + 0.9 / 2.0)).abs() < 1e-12);
    }
}
