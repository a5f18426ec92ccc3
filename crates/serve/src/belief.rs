//! What is believed of a page's rate, and what follows for its copy.

use recrawl_estimate::{GammaFilter, PRIOR_SHAPE, PRIOR_WEIGHT};

/// The gamma belief about a page's rate ([`GammaFilter`]) in eight bytes; its
/// prior is half a change in half the page's first interval.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Belief {
    shape: f32,
    /// Days; 0 where nothing is known.
    weight: f32,
}

/// What can be expected of a copy now.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Expected {
    /// Chance that the copy is up to date.
    pub(crate) fresh: f64,
    /// Days for which the copy has been out of date.
    pub(crate) age: f64,
    /// Changes that were not seen.
    pub(crate) undetected: f64,
}

impl Belief {
    /// A belief of half a change with this mean, for a page whose own visits
    /// say nothing yet.
    pub(crate) fn with_mean(daily: f64) -> Self {
        Self {
            shape: PRIOR_SHAPE as f32,
            weight: (PRIOR_SHAPE / daily) as f32,
        }
    }

    /// Whether an interval was seen.
    pub(crate) fn is_known(self) -> bool {
        self.weight > 0.0
    }

    /// Learns from an interval.
    pub(crate) fn observe(&mut self, days: f64, changed: bool) {
        let prior = || GammaFilter::new(PRIOR_SHAPE, PRIOR_WEIGHT * days).ok();
        if let Some(mut filter) = self.filter().or_else(prior) {
            filter.observe(days, changed);
            self.shape = filter.shape() as f32;
            self.weight = filter.weight() as f32;
        }
    }

    fn filter(self) -> Option<GammaFilter> {
        GammaFilter::new(self.shape.into(), self.weight.into()).ok()
    }

    /// Shape of the law, without a unit.
    pub(crate) fn shape(self) -> f64 {
        self.shape.into()
    }

    /// Mean of the rate, changes a day.
    pub(crate) fn mean(self) -> Option<f64> {
        self.is_known()
            .then(|| f64::from(self.shape) / f64::from(self.weight))
    }

    /// The chance of no change in t `days`: `(b/(b+t))^a`, a = shape, b = weight.
    pub(crate) fn fresh(self, days: f64) -> f64 {
        let (a, b) = (f64::from(self.shape), f64::from(self.weight));
        (-a * (days / b).ln_1p()).exp()
    }

    /// What can be expected `days` after the page was seen.
    ///
    /// With `G(s) = (b/(b+s))^a` the chance of no change in s days, the copy of
    /// a page seen t days ago is fresh with `G(t)`; it has been stale for
    /// `t - ∫0..t G(s) ds` on average, `∫ = b/(a-1) (1 - (b/(b+t))^(a-1))`;
    /// and `t a/b` changes are to be expected. The gamma filter's own algebra,
    /// for changes at a steady unknown rate; checked by quadrature below.
    pub(crate) fn expect(self, days: f64) -> Expected {
        let (a, b) = (f64::from(self.shape), f64::from(self.weight));
        let log = (days / b).ln_1p();
        let over = a - 1.0;
        let fresh_days = if over.abs() < 1e-6 {
            b * log
        } else {
            -b / over * (-over * log).exp_m1()
        };
        Expected {
            fresh: (-a * log).exp(),
            age: (days - fresh_days).max(0.0),
            undetected: days * a / b,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_is_what_quadrature_says() {
        for (shape, weight, days) in [(0.5, 2.0, 3.0), (1.0, 0.7, 10.0), (4.2, 30.0, 1.5)] {
            let belief = Belief { shape, weight };
            let steps = 200_000;
            let step = days / f64::from(steps);
            let fresh: f64 = (0..steps)
                .map(|i| belief.fresh((f64::from(i) + 0.5) * step) * step)
                .sum();
            let expected = belief.expect(days);
            assert!((expected.age - (days - fresh)).abs() < 1e-6, "{expected:?}");
            assert_eq!(expected.fresh, belief.fresh(days));
        }
    }

    #[test]
    fn the_belief_follows_the_filter_it_is_made_of() {
        let mut belief = Belief::default();
        assert!(!belief.is_known());
        let mut filter = GammaFilter::new(PRIOR_SHAPE, PRIOR_WEIGHT * 2.0).expect("a prior");
        for (days, changed) in [(2.0, false), (1.0, true), (5.0, true), (3.0, false)] {
            belief.observe(days, changed);
            filter.observe(days, changed);
        }
        let mean = belief.mean().expect("known");
        assert!((mean / filter.mean() - 1.0).abs() < 1e-5);
    }
}
