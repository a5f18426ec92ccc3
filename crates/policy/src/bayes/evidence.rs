//! What a page's own visits say of its rate, in eight bytes.

use recrawl_estimate::GammaFilter;

use super::elementary::{exp, ln};
use super::posterior::{Shown, slope_and_bend};

/// A prior for the rate of a page: gamma law of this mean and shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prior {
    /// Changes a day.
    pub mean: f64,
    /// How alike pages are: large if all have nearly the same rate.
    pub shape: f64,
}

impl Prior {
    /// Days the prior counts for.
    pub(super) fn weight(self) -> f64 {
        self.shape / self.mean
    }

    /// The prior as a belief; `None` if its numbers make none.
    pub(super) fn belief(self) -> Option<GammaFilter> {
        GammaFilter::new(self.shape, self.weight()).ok()
    }
}

impl From<GammaFilter> for Prior {
    fn from(belief: GammaFilter) -> Self {
        Self {
            mean: belief.mean(),
            shape: belief.shape(),
        }
    }
}

/// The time between two visits of a page, in busy days.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    pub(super) days: f64,
    /// Whether the second saw a change.
    pub(super) changed: bool,
    /// Days between the last change and the second visit, where its date is known.
    pub(super) since: Option<f64>,
}

impl Interval {
    /// A part of it that ends with the second visit.
    pub(super) fn part(self, part: f64) -> Self {
        let days = part * self.days;
        Self {
            days,
            since: self.since.map(|since| since.min(days)),
            ..self
        }
    }
}

/// What a page's visits have shown, in eight bytes: [`Shown`] as it is kept. It
/// does not hold the prior, nor depend on the one that was believed when they
/// were made.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Evidence {
    days: f32,
    changes: u16,
    /// The logarithm of the interval that stands for all that saw a change, in
    /// parts of [`LOG_PARTS`].
    log_interval: i16,
}

/// Parts of one by which intervals are told apart, in logarithms.
const LOG_PARTS: f32 = 1_024.0;

/// Intervals nearer to each other than this, in logarithms, are averaged plainly.
const ALIKE: f32 = 0.05;

/// Days of an interval so short that a change in it counts in full.
const AS_IT_HAPPENED: f64 = 1e-5;

/// Steps of Newton's method by which an interval is found that stands for two, and
/// the length of one, in logarithms, that is the last.
const STEPS: usize = 4;
const SMALL_STEP: f32 = 0.01;

impl Evidence {
    /// Whether no visit has told anything.
    pub(super) fn is_none(self) -> bool {
        self.changes == 0 && self.days == 0.0
    }

    /// The same as numbers to reckon with, but the interval as its logarithm.
    #[inline]
    pub(super) fn parts(self) -> [f32; 3] {
        let log = f32::from(self.log_interval) * (1.0 / LOG_PARTS);
        [f32::from(self.changes), log, self.days]
    }

    /// The same as numbers to reckon with.
    #[inline]
    pub(super) fn shown(self) -> Shown {
        let [changes, log, days] = self.parts();
        Shown {
            changes,
            interval: exp(log),
            days,
        }
    }

    /// Prior and evidence together; `None` if their numbers make no belief.
    pub(super) fn belief(self, prior: Prior) -> Option<GammaFilter> {
        self.added_to(prior.belief()?)
    }

    /// A belief that takes it in; `None` if the numbers make none.
    pub(super) fn added_to(self, belief: GammaFilter) -> Option<GammaFilter> {
        if self.changes == 0 {
            return GammaFilter::new(belief.shape(), belief.weight() + f64::from(self.days)).ok();
        }
        let [shape, weight] = [belief.shape(), belief.weight()].map(|number| number as f32);
        let [shape, weight] = self.shown().added_to(shape, weight).map(f64::from);
        GammaFilter::new(shape, weight).ok()
    }

    /// Takes in an interval of so many days. The prior matters only where it is
    /// unlike those that saw a change before: by how much each of them tells.
    pub(super) fn learn(self, prior: Prior, interval: f64, changed: bool) -> Self {
        if !changed {
            return Self {
                days: self.days + interval as f32,
                ..self
            };
        }
        if self.changes == u16::MAX {
            // Half of it says as much of the rate.
            let half = Self {
                days: self.days / 2.0,
                changes: self.changes / 2,
                ..self
            };
            return half.learn(prior, interval, changed);
        }
        let log = ln((interval as f32).max(f32::MIN_POSITIVE));
        let log = if self.changes == 0 {
            log
        } else {
            self.log_with(prior, log)
        };
        Self {
            changes: self.changes + 1,
            log_interval: (log * LOG_PARTS).round() as i16,
            ..self
        }
    }

    /// Takes in what an interval between two visits showed.
    pub(super) fn taking(self, prior: Prior, interval: Interval) -> Self {
        match interval.since {
            Some(days) if interval.changed => self.learn_dated(prior, days),
            _ => self.learn(prior, interval.days, interval.changed),
        }
    }

    /// Takes in a change of which it is known when it happened, so many days before
    /// the visit: `rate exp(-rate days)`, whatever was before it (Cho & Garcia-Molina,
    /// section 5.1).
    fn learn_dated(self, prior: Prior, days: f64) -> Self {
        let waited = self.learn(prior, days, false);
        waited.learn(prior, AS_IT_HAPPENED, true)
    }

    /// The logarithm of the interval that stands for those before and one more:
    /// at a likely rate, the mean of `s(u) = u/(e^u - 1)`, u = rate interval, is
    /// kept, by which changes of short intervals tell of the rate and those of
    /// long ones do not.
    fn log_with(self, prior: Prior, log: f32) -> f32 {
        let [changes, before, days] = self.parts();
        let plain = before + (log - before) / (changes + 1.0);
        if (log - before).abs() < ALIKE {
            return plain;
        }
        let (shape, weight) = (prior.shape as f32, prior.weight() as f32);
        let [old, new] = [exp(before), exp(log)];
        let half = weight + days + 0.5 * changes * old;
        let rate = (shape + changes) / half;
        let mean = (changes * slope_and_bend(rate * old).0 + slope_and_bend(rate * new).0)
            / (changes + 1.0);
        let mut found = plain;
        for _ in 0..STEPS {
            let (slope, bend) = slope_and_bend(rate * exp(found));
            let step = (slope - mean) / (slope * bend).max(1e-9);
            found += step.clamp(-1.0, 1.0);
            if step.abs() < SMALL_STEP {
                break; // the next would be its square
            }
        }
        found.clamp(before.min(log), before.max(log))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// P(changed within `days`) under prior and visits, by quadrature over the
    /// logarithm of the rate.
    fn exact(prior: Prior, visits: &[(f64, bool)], days: f64) -> f64 {
        let (mut mass, mut sum) = (0.0, 0.0);
        for step in 0..8_000 {
            let log_rate = -20.0 + f64::from(step) * 0.0035;
            let rate = f64::exp(log_rate);
            let mut density = (prior.shape * log_rate - prior.weight() * rate).exp();
            for &(wait, changed) in visits {
                density *= if changed {
                    -(-rate * wait).exp_m1()
                } else {
                    (-rate * wait).exp()
                };
            }
            mass += density;
            sum += density * -(-rate * days).exp_m1();
        }
        sum / mass
    }

    fn learned(prior: Prior, visits: &[(f64, bool)], days: f64) -> f64 {
        let learn = |evidence: Evidence, &(wait, changed): &(f64, bool)| {
            evidence.learn(prior, wait, changed)
        };
        let evidence = visits.iter().fold(Evidence::default(), learn);
        let belief = evidence.belief(prior).expect("positive numbers");
        belief.change_probability(days)
    }

    #[test]
    fn two_numbers_stay_near_the_exact_posterior() {
        let mut saturated = vec![(1.0, true); 20];
        saturated.push((1.0, false));
        let cases: [&[(f64, bool)]; 5] = [
            &[(1.0, true)],
            &[(1.0, true); 10],
            &saturated,
            &[(8.0, false), (4.0, true), (4.0, true)],
            &[(3.0, true); 5],
        ];
        for prior in [(1.0, 1.0), (1.0, 0.3), (10.0, 1.0), (0.1, 0.3)] {
            let prior = Prior {
                mean: prior.0,
                shape: prior.1,
            };
            for visits in cases {
                for days in [1.0, 3.0] {
                    let (exact, ours) = (exact(prior, visits, days), learned(prior, visits, days));
                    // One that changes ten times between visits, at each of ten.
                    let sure = prior.mean > 1.0 && visits.len() == 10;
                    assert!(
                        (ours - exact).abs() < if sure { 0.03 } else { 0.025 },
                        "{prior:?} {visits:?} {days}: {ours}, exactly {exact}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_page_that_always_changed_but_once_is_still_believed_fast() {
        let prior = Prior {
            mean: 10.0,
            shape: 1.0,
        };
        let mut visits = vec![(1.0, true); 20];
        visits.push((1.0, false));
        let (exact, ours) = (exact(prior, &visits, 1.0), learned(prior, &visits, 1.0));
        let mut by_moments = prior.belief().expect("positive");
        for &(wait, changed) in &visits {
            by_moments.observe(wait, changed);
        }
        let theirs = by_moments.change_probability(1.0);
        assert!(
            (exact - 0.950).abs() < 5e-3 && (ours - 0.950).abs() < 5e-3,
            "{exact} {ours}"
        );
        assert!(
            (theirs - 0.81).abs() < 5e-3,
            "by mean and variance: {theirs}"
        );
    }

    #[test]
    fn changes_of_known_date_add_up_as_counts_do() {
        let prior = Prior {
            mean: 0.5,
            shape: 2.0,
        };
        let mut evidence = Evidence::default().learn(prior, 7.0, false);
        for days in [3.0, 0.0, 2.5] {
            evidence = evidence.learn_dated(prior, days);
        }
        let belief = evidence.belief(prior).expect("positive");
        assert!((belief.shape() - 5.0).abs() < 0.01, "{belief:?}");
        assert!((belief.weight() - 16.5).abs() < 0.05, "{belief:?}");
        // Among intervals that saw a change they count in full.
        let mixed = Evidence::default().learn(prior, 6.0, true);
        let (before, after) = (mixed, mixed.learn_dated(prior, 1.0));
        let mean = |evidence: Evidence| evidence.belief(prior).map(GammaFilter::mean);
        assert!(
            mean(after) > mean(before),
            "{:?} {:?}",
            mean(before),
            mean(after)
        );
    }

    proptest! {
        #[test]
        fn a_change_never_lowers_the_chance_of_one(
            mean in 1e-4..1e2f64, shape in 0.1..200.0f64, days in 1e-3..1e3f64,
        ) {
            let prior = Prior { mean, shape };
            let before = prior.belief().expect("positive").change_probability(days);
            let after = learned(prior, &[(days, true)], days);
            prop_assert!(after > before - 1e-6, "{before} {after}");
        }
    }
}
