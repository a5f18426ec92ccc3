//! What a page's own visits say of its rate, in two numbers.

use std::sync::LazyLock;

use pulp::{Arch, NullaryFnOnce};
use recrawl_estimate::GammaFilter;

use super::precise::{ln, ln_1p, one_less_exp};

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

/// The likelihood `rate^changes exp(-rate days)` that stands for all visits of
/// a page. It does not hold the prior, which may be learned anew later.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Evidence {
    changes: f32,
    days: f32,
}

impl Evidence {
    /// Whether no visit has told anything.
    pub(super) fn is_none(self) -> bool {
        self.changes == 0.0 && self.days == 0.0
    }

    /// Changes and days it counts for.
    pub(super) fn numbers(self) -> [f64; 2] {
        [f64::from(self.changes), f64::from(self.days)]
    }

    /// The same in few digits.
    pub(super) const fn quick_numbers(self) -> [f32; 2] {
        [self.changes, self.days]
    }

    /// Prior and evidence together; `None` if their numbers make no belief.
    pub(super) fn belief(self, prior: Prior) -> Option<GammaFilter> {
        self.added_to(prior.belief()?)
    }

    /// A belief that takes it in; `None` if the numbers make none.
    pub(super) fn added_to(self, belief: GammaFilter) -> Option<GammaFilter> {
        let [changes, days] = self.numbers();
        GammaFilter::new(belief.shape() + changes, belief.weight() + days).ok()
    }

    /// Takes in an interval of so many days.
    pub(super) fn learn(self, prior: Prior, interval: f64, changed: bool) -> Self {
        let [changes, days] = self.numbers();
        if !changed {
            return Self {
                changes: self.changes,
                days: (days + interval) as f32,
            };
        }
        let Some((before, after)) = self
            .belief(prior)
            .and_then(|before| Some((before, after_change(before, interval)?)))
        else {
            return self;
        };
        Self {
            changes: (changes + after.shape() - before.shape()).max(0.0) as f32,
            days: (days + after.weight() - before.weight()).max(0.0) as f32,
        }
    }
}

/// The gamma law nearest to a belief after an interval of t `days` that saw a
/// change.
///
/// The exact law is a difference of two gamma laws. Its chance to survive s
/// more days is `S(s) = (q(s) - q(s+t)) / (1 - q(t))`, q(s) = (b/(b+s))^a. The
/// gamma law with the same S(t/2) and S(t) is taken: it is right about waits
/// like the ones seen, whereas the law with the same mean and variance is led
/// astray by rates so high that visits cannot tell them apart.
///
/// Without differences that lose digits, with `y(s) = a ln(1 + t/(b+s))`:
/// `S(s) = exp(-a ln(1 + s/b)) (1 - exp(-y(s))) / (1 - exp(-y(0)))`.
fn after_change(belief: GammaFilter, days: f64) -> Option<GammaFilter> {
    let half = days / 2.0;
    let [early, late] = Arch::new().dispatch(Survived {
        shape: belief.shape(),
        share: days / belief.weight(),
    });
    let share = half_over_weight(late / early);
    GammaFilter::new(-early / share.ln_1p(), half / share).ok()
}

/// `ln S(t/2)` and `ln S(t)` of [`after_change`], made for the widest vectors the
/// machine has.
struct Survived {
    /// a, and t/b.
    shape: f64,
    share: f64,
}

impl NullaryFnOnce for Survived {
    type Output = [f64; 2];

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) -> [f64; 2] {
        let half = self.share / 2.0;
        // t/b, t/(b+t/2), t/(b+t), and t/2 over b.
        let mut waits = [
            self.share,
            self.share / (1.0 + half),
            self.share / (1.0 + self.share),
            half,
        ];
        for wait in &mut waits {
            *wait = self.shape * ln_1p(*wait);
        }
        let mut changed = waits;
        for changed in &mut changed {
            *changed = ln(one_less_exp(*changed).max(f64::MIN_POSITIVE));
        }
        [
            changed[1] - changed[0] - waits[3],
            changed[2] - changed[0] - waits[0],
        ]
    }
}

/// The v with `r(v) = ln(1+2v) / ln(1+v)` = ratio, for ratios between 1 and 2:
/// small near 2, where the law is a point, and large near 1. Read from a table
/// by `y = ln((2-r)/(r-1))`, which rises with v, by the cubic of Catmull and Rom.
fn half_over_weight(ratio: f64) -> f64 {
    let y = ((2.0 - ratio).max(1e-9) / (ratio - 1.0).max(1e-9)).ln();
    let place = ((y - FIRST_Y) / Y_STEP).clamp(1.0, LOGS as f64 - 2.001);
    let (index, t) = (place as usize, place - (place as usize) as f64);
    let [before, one, two, after] = [0, 1, 2, 3].map(|next| LOG_BY_Y[index + next - 1]);
    let (slope, other) = ((two - before) / 2.0, (after - one) / 2.0);
    let bend = 3.0 * (two - one) - 2.0 * slope - other;
    let twist = slope + other - 2.0 * (two - one);
    (one + t * (slope + t * (bend + t * twist))).exp()
}

/// Entries of the table, its first y and the step between two.
const LOGS: usize = 640;
const FIRST_Y: f64 = -18.0;
const Y_STEP: f64 = 0.033;

/// Least and most of ln v.
const LEAST_LOG: f64 = -18.0;
const MOST_LOG: f64 = 16.0;

/// ln v by y.
static LOG_BY_Y: LazyLock<[f64; LOGS]> = LazyLock::new(|| {
    let mut log = LEAST_LOG;
    std::array::from_fn(|index| {
        let odds = (FIRST_Y + Y_STEP * index as f64).exp();
        let ratio = (2.0 + odds) / (1.0 + odds);
        for _ in 0..20 {
            log = improved(log, ratio);
        }
        log
    })
});

/// One step of Newton's method from ln v towards the v of that ratio.
fn improved(log: f64, ratio: f64) -> f64 {
    let v = log.exp();
    let (one, two) = (v.ln_1p(), (2.0 * v).ln_1p());
    let slope = (2.0 * v / (1.0 + 2.0 * v) * one - two * v / (1.0 + v)) / (one * one);
    let step = ((two / one - ratio) / slope).clamp(-2.0, 2.0);
    (log - step).clamp(LEAST_LOG, MOST_LOG)
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
                    assert!(
                        (ours - exact).abs() < 0.025,
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
            (exact - 0.950).abs() < 5e-3 && (ours - 0.955).abs() < 5e-3,
            "{exact} {ours}"
        );
        assert!(
            (theirs - 0.81).abs() < 5e-3,
            "by mean and variance: {theirs}"
        );
    }

    proptest! {
        #[test]
        fn the_ratio_is_undone(log in -9.0..9.0f64) {
            let v = log.exp();
            let back = half_over_weight((2.0 * v).ln_1p() / v.ln_1p());
            prop_assert!((back / v - 1.0).abs() < 1e-4, "{v}: {back}");
        }

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
