//! A page's rate weighed with its site's, and what follows for its copy:
//! [`Learned`], [`Belief`], [`pooled_rates`].

use crate::{GammaFilter, PRIOR_SHAPE, PRIOR_WEIGHT};

/// What a page's own visits say of its rate, in twelve bytes: how far they
/// moved a gamma belief ([`GammaFilter`]) that began with half a change in half
/// the page's first interval. What its site shows comes on top: [`Learned::with`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Learned {
    shape: f32,
    /// Days; 0 where nothing is known.
    weight: f32,
    /// Weight of the prior, days.
    prior: f32,
}

/// Days watched where nothing was: half a change a day before any visit tells.
const NO_DAYS: f64 = 1.0;

/// The gamma law of a page's rate: shape without a unit, weight in days.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Belief {
    shape: f64,
    weight: f64,
}

/// What can be expected of a copy now.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CopyOutlook {
    /// Chance that the copy is up to date.
    pub fresh: f64,
    /// Days for which the copy has been out of date.
    pub age: f64,
    /// Changes that were not seen.
    pub undetected: f64,
}

impl Learned {
    /// Whether an interval was seen.
    #[must_use]
    pub fn is_something(self) -> bool {
        self.weight > 0.0
    }

    /// Learns from an interval.
    pub fn observe(&mut self, days: f64, changed: bool) {
        if !self.is_something() {
            self.shape = PRIOR_SHAPE as f32;
            self.prior = (PRIOR_WEIGHT * days) as f32;
            self.weight = self.prior;
        }
        if let Ok(mut filter) = GammaFilter::new(self.shape.into(), self.weight.into()) {
            filter.observe(days, changed);
            self.shape = filter.shape() as f32;
            self.weight = filter.weight() as f32;
        }
    }

    /// By how much the visits moved shape and weight.
    #[must_use]
    pub fn moved(self) -> (f64, f64) {
        let shape = f64::from(self.shape) - PRIOR_SHAPE;
        let moved = (shape.max(0.0), f64::from(self.weight - self.prior));
        if self.is_something() {
            moved
        } else {
            (0.0, 0.0)
        }
    }

    /// What is believed of a page on a site whose pages change `daily` times a
    /// day: half a change at that rate, moved as its own visits say.
    #[must_use]
    pub fn with(self, daily: f64) -> Belief {
        let (shape, weight) = self.moved();
        let prior = PRIOR_SHAPE / daily;
        Belief {
            shape: PRIOR_SHAPE + shape,
            // A change can move the weight down, never below what it began with.
            weight: (prior + weight).max(prior.min(f64::from(self.weight)).max(f64::MIN_POSITIVE)),
        }
    }
}

impl Belief {
    /// Shape of the law, without a unit.
    #[must_use]
    pub const fn shape(self) -> f64 {
        self.shape
    }

    /// Mean of the rate, changes a day.
    #[must_use]
    pub const fn mean(self) -> f64 {
        self.shape / self.weight
    }

    /// The chance of no change in t `days`: `(b/(b+t))^a`, a = shape, b = weight.
    #[must_use]
    pub fn fresh(self, days: f64) -> f64 {
        let (a, b) = (self.shape, self.weight);
        (-a * (days / b).ln_1p()).exp()
    }

    /// What can be expected `days` after the page was seen.
    ///
    /// With `G(s) = (b/(b+s))^a` the chance of no change in s days, the copy of
    /// a page seen t days ago is fresh with `G(t)`; it has been stale for
    /// `t - ∫0..t G(s) ds` on average, `∫ = b/(a-1) (1 - (b/(b+t))^(a-1))`;
    /// and `t a/b` changes are to be expected. The gamma filter's own algebra,
    /// for changes at a steady unknown rate; checked by quadrature below.
    #[must_use]
    pub fn expect(self, days: f64) -> CopyOutlook {
        let (a, b) = (self.shape, self.weight);
        let log = (days / b).ln_1p();
        let over = a - 1.0;
        let fresh_days = if over.abs() < 1e-6 {
            b * log
        } else {
            -b / over * (-over * log).exp_m1()
        };
        CopyOutlook {
            fresh: (-a * log).exp(),
            age: (days - fresh_days).max(0.0),
            undetected: days * a / b,
        }
    }
}

/// Changes a day of a page of each site: what its pages' visits say together,
/// weighed with one page's worth of the whole collection. `pages` are what was
/// learned of each page and the number of its site, below `sites`.
#[must_use]
pub fn pooled_rates(pages: impl Iterator<Item = (Learned, usize)>, sites: usize) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); sites];
    let (mut changes, mut days) = (0.0, 0.0);
    for (learned, site) in pages {
        let (shape, weight) = learned.moved();
        sums[site].0 += shape;
        sums[site].1 += weight;
        changes += shape;
        days += weight;
    }
    let days = if days > 0.0 { days } else { NO_DAYS };
    let usual = (changes + PRIOR_SHAPE) / days;
    let rate = |(changes, days): (f64, f64)| {
        (changes + PRIOR_SHAPE) / (days.max(0.0) + PRIOR_SHAPE / usual)
    };
    sums.into_iter().map(rate).collect()
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
    fn alone_a_page_is_believed_as_the_filter_says() {
        let mut learned = Learned::default();
        assert!(!learned.is_something());
        let mut filter = GammaFilter::new(PRIOR_SHAPE, PRIOR_WEIGHT * 2.0).expect("a prior");
        for (days, changed) in [(2.0, false), (1.0, true), (5.0, true), (3.0, false)] {
            learned.observe(days, changed);
            filter.observe(days, changed);
        }
        // The site's rate that is the page's own prior.
        let mean = learned.with(PRIOR_SHAPE / (PRIOR_WEIGHT * 2.0)).mean();
        assert!((mean / filter.mean() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn what_the_site_shows_counts_less_the_more_a_page_was_seen() {
        let believed = |visits: usize, daily: f64| {
            let mut learned = Learned::default();
            for _ in 0..visits {
                learned.observe(1.0, false);
            }
            learned.with(daily).mean()
        };
        assert_eq!(believed(0, 0.2), 0.2);
        assert!(believed(3, 0.001) < 0.001 && believed(3, 0.2) > 0.05);
        assert!(believed(100, 10.0) < 0.006);
    }

    #[test]
    fn a_site_nobody_looked_at_is_taken_for_the_others() {
        let mut busy = Learned::default();
        let mut calm = Learned::default();
        for _ in 0..50 {
            busy.observe(1.0, true);
            calm.observe(1.0, false);
        }
        let pages = [(busy, 0), (calm, 1), (Learned::default(), 2)];
        let rates = pooled_rates(pages.into_iter(), 3);
        assert!(rates[0] > rates[2] && rates[2] > rates[1], "{rates:?}");
        assert!(
            rates[1] < 0.02,
            "half a change in fifty days, and a little: {rates:?}"
        );
        assert_eq!(pooled_rates(std::iter::empty(), 1), [PRIOR_SHAPE]);
    }
}
