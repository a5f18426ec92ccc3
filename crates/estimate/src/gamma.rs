//! `gamma`: a posterior in two numbers, updated in O(1) by each visit.

use std::time::Duration;

use recrawl_model::{History, days};
use thiserror::Error;

use crate::confidence::gamma_quantile;
use crate::{Confidence, Estimate, Estimator, Evidence};

/// A belief about a page's rate: gamma law with this shape (no unit) and
/// weight (days). Mean = shape / weight; weight is the time the belief counts for.
///
/// ```
/// use recrawl_estimate::GammaFilter;
///
/// let mut belief = GammaFilter::new(0.5, 1.0)?;
/// belief.observe(4.0, false); // four days without a change
/// assert_eq!(belief.mean(), 0.1);
/// belief.observe(1.0, true);
/// assert!(belief.mean() > 0.1);
/// # Ok::<(), recrawl_estimate::PriorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GammaFilter {
    shape: f64,
    weight: f64,
}

/// Numbers that make no prior.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "a gamma prior of shape {shape} and weight {weight} is not possible: both must be positive and finite"
)]
pub struct PriorError {
    /// The shape given.
    pub shape: f64,
    /// The weight given, in days.
    pub weight: f64,
}

impl GammaFilter {
    /// A prior of `shape` and `weight` days.
    ///
    /// # Errors
    /// [`PriorError`] unless both are positive and finite.
    pub fn new(shape: f64, weight: f64) -> Result<Self, PriorError> {
        let usable = |x: f64| x > 0.0 && x.is_finite();
        if usable(shape) && usable(weight) {
            Ok(Self { shape, weight })
        } else {
            Err(PriorError { shape, weight })
        }
    }

    /// Shape, no unit.
    #[must_use]
    pub const fn shape(self) -> f64 {
        self.shape
    }

    /// Weight, in days.
    #[must_use]
    pub const fn weight(self) -> f64 {
        self.weight
    }

    /// Posterior mean, in changes a day.
    #[must_use]
    pub const fn mean(self) -> f64 {
        self.shape / self.weight
    }

    /// `1 - (b/(b+t))^a`: the chance that the page changes within t `days`,
    /// a = shape, b = weight (days). ALGORITHMS 5, gamma filter.
    #[must_use]
    pub fn change_probability(self, days: f64) -> f64 {
        -(-self.shape * (days / self.weight).ln_1p()).exp_m1()
    }

    /// Learns from an interval of t `days`.
    ///
    /// Unchanged is exact: b grows by t. After a change the posterior is a
    /// difference of two gamma laws; the gamma law of the same mean and
    /// variance takes its place. With r = b/(b+t) and d_i = 1 - r^(a+i):
    /// mean `m1 = (a/b) d_1/d_0`, second moment `m2 = a(a+1)/b^2 d_2/d_0`,
    /// then a = m1^2/(m2 - m1^2), b = m1/(m2 - m1^2).
    pub fn observe(&mut self, days: f64, changed: bool) {
        if days <= 0.0 {
            return; // an interval of no length teaches nothing
        }
        if !changed {
            self.weight += days;
            return;
        }
        let (a, b) = (self.shape, self.weight);
        let log_ratio = -(days / b).ln_1p();
        let d = |i: f64| -((a + i) * log_ratio).exp_m1();
        let mean = a / b * d(1.0) / d(0.0);
        let second = a * (a + 1.0) / (b * b) * d(2.0) / d(0.0);
        let variance = second - mean * mean;
        if variance > 0.0 && variance.is_finite() {
            self.shape = mean * mean / variance;
            self.weight = mean / variance;
        }
    }

    /// Moves back towards `prior`, keeping the share `kept` of what was
    /// learned: a power prior, for rates that drift.
    pub fn forget(&mut self, prior: Self, kept: f64) {
        self.shape = prior.shape + (self.shape - prior.shape) * kept;
        self.weight = prior.weight + (self.weight - prior.weight) * kept;
    }

    /// Bounds that hold the rate with the given posterior probability, in
    /// changes a day.
    #[must_use]
    pub fn interval(self, confidence: Confidence) -> (f64, f64) {
        let at = |p: f64| gamma_quantile(self.shape, p) / self.weight;
        (at(confidence.tail()), at(1.0 - confidence.tail()))
    }
}

/// The default prior's shape: half a change, as in Jeffreys' prior.
pub const PRIOR_SHAPE: f64 = 0.5;

/// The default prior's weight as a share of the page's mean interval.
pub const PRIOR_WEIGHT: f64 = 0.5;

/// Posterior mean under a gamma prior, with optional forgetting.
#[derive(Debug, Clone, Copy, Default)]
pub struct Gamma {
    /// `None`: shape [`PRIOR_SHAPE`], weight [`PRIOR_WEIGHT`] mean intervals.
    pub prior: Option<GammaFilter>,
    /// Time after which half of what was learned is forgotten; `None` never.
    pub half_life: Option<Duration>,
    /// Posterior probability of the interval.
    pub confidence: Confidence,
}

impl Estimator for Gamma {
    fn name(&self) -> &'static str {
        "gamma"
    }

    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate {
        let evidence = Evidence::of(histories);
        let tally = evidence.tally();
        let Some(mean_days) = evidence.mean_days() else {
            return Estimate::no_interval(self.name(), tally);
        };
        let default = || GammaFilter::new(PRIOR_SHAPE, PRIOR_WEIGHT * mean_days);
        let prior = match self.prior.map_or_else(default, Ok) {
            Ok(prior) => prior,
            Err(refused) => return Estimate::none(self.name(), tally, refused.to_string()),
        };
        let belief = self.filter(prior, histories);
        let (low, high) = belief.interval(self.confidence);
        Estimate::new(self.name(), tally, belief.mean(), (Some(low), Some(high)))
    }
}

impl Gamma {
    /// Runs all intervals through the filter in order of their ends, so that
    /// forgetting treats pooled pages alike.
    fn filter(&self, prior: GammaFilter, histories: &[History<'_>]) -> GammaFilter {
        let mut belief = prior;
        let Some(half_life) = self.half_life else {
            for interval in histories.iter().flat_map(|history| history.intervals()) {
                belief.observe(interval.days(), interval.changed);
            }
            return belief;
        };
        let mut intervals: Vec<_> = histories
            .iter()
            .flat_map(|history| history.intervals())
            .collect();
        intervals.sort_by_key(|interval| (interval.end, interval.start));
        let mut clock = None;
        for interval in intervals {
            let elapsed = interval
                .end
                .days_since(clock.replace(interval.end).unwrap_or(interval.end));
            belief.forget(prior, (-elapsed / days(half_life)).exp2());
            belief.observe(interval.days(), interval.changed);
        }
        belief
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// Posterior mean by quadrature over ln(rate), the outside reference.
    fn exact_posterior_mean(prior: GammaFilter, intervals: &[(f64, bool)]) -> f64 {
        let (mut mass, mut moment) = (0.0, 0.0);
        for step in 0..2_500 {
            let log_rate = -20.0 + f64::from(step) * 1e-2;
            let rate = log_rate.exp();
            let mut log_weight = prior.shape() * log_rate - rate * prior.weight();
            for &(days, changed) in intervals {
                log_weight += if changed {
                    (-(-rate * days).exp_m1()).ln()
                } else {
                    -rate * days
                };
            }
            mass += log_weight.exp();
            moment += rate * log_weight.exp();
        }
        moment / mass
    }

    #[test]
    fn unchanged_intervals_are_exact_and_one_change_keeps_the_exact_mean() {
        let prior = GammaFilter::new(0.5, 0.5).expect("positive");
        let mut belief = prior;
        let intervals = [(1.0, false), (2.5, false), (0.75, true)];
        for (days, changed) in intervals {
            belief.observe(days, changed);
        }
        let exact = exact_posterior_mean(prior, &intervals);
        assert!(
            (belief.mean() / exact - 1.0).abs() < 1e-6,
            "{} {exact}",
            belief.mean()
        );
    }

    #[test]
    fn after_fifteen_visits_the_mean_is_near_the_exact_one() {
        // ALGORITHMS 5: mean error 2.9 %, 95 % quantile 8.1 % after 15 visits.
        let prior = GammaFilter::new(0.5, 0.5).expect("positive");
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let mut errors: Vec<f64> = (0..100)
            .map(|_| {
                let rate = random.random_range(-2.5f64..1.0).exp();
                let intervals: Vec<(f64, bool)> = (0..15)
                    .map(|_| {
                        let days = random.random_range(0.2..2.0);
                        (days, random.random::<f64>() < -(-rate * days).exp_m1())
                    })
                    .collect();
                let mut belief = prior;
                for &(days, changed) in &intervals {
                    belief.observe(days, changed);
                }
                (belief.mean() / exact_posterior_mean(prior, &intervals) - 1.0).abs()
            })
            .collect();
        errors.sort_by(f64::total_cmp);
        assert!(errors.iter().sum::<f64>() / 100.0 < 0.035, "{errors:?}");
        assert!(errors[94] < 0.1, "{errors:?}");
    }

    #[test]
    fn the_chance_of_a_change_is_that_of_the_mixture() {
        let belief = GammaFilter::new(2.0, 3.0).expect("positive");
        assert!((belief.change_probability(1.5) - (1.0 - (3.0f64 / 4.5).powi(2))).abs() < 1e-15);
        assert!(
            belief.change_probability(1e-18) > 0.0,
            "no cancellation at short waits"
        );
    }

    proptest! {
        #[test]
        fn a_change_never_lowers_the_belief_and_quiet_never_raises_it(
            shape in 0.05f64..50.0, weight in 0.01f64..100.0, days in 1e-6f64..100.0,
        ) {
            let before = GammaFilter::new(shape, weight).expect("positive");
            let (mut changed, mut quiet) = (before, before);
            changed.observe(days, true);
            quiet.observe(days, false);
            prop_assert!(changed.mean() >= before.mean() * (1.0 - 1e-12));
            prop_assert!(quiet.mean() <= before.mean());
        }
    }

    #[test]
    fn forgetting_everything_returns_to_the_prior() {
        let prior = GammaFilter::new(0.5, 1.0).expect("positive");
        let mut belief = prior;
        belief.observe(3.0, true);
        let learned = belief;
        belief.forget(prior, 1.0);
        assert_eq!(belief, learned);
        belief.forget(prior, 0.0);
        assert_eq!(belief, prior);
    }

    #[test]
    fn a_prior_must_be_positive() {
        for (shape, weight) in [(0.0, 1.0), (1.0, 0.0), (-1.0, 1.0), (f64::NAN, 1.0)] {
            assert!(GammaFilter::new(shape, weight).is_err());
        }
    }
}
