//! The gamma law nearest to what a prior and a page's visits say together.

use super::after_change::after_change;
use super::elementary::exp_m1;

/// Expected changes an interval below which differences are taken from their
/// series, where the closed form loses digits, and beyond which nothing is left.
const SHORT: f32 = 0.03;
const LONG: f32 = 80.0;

/// The shape below which a law is so wide that slope and bend at one rate say too
/// little of it.
pub(super) const WIDE: f32 = 2.0;

/// Steps of Newton's method, and the longest of them, in logarithms.
const STEPS: usize = 3;
const LONGEST_STEP: f32 = 2.0;

/// What visits of a page have shown: the likelihood
/// `(1 - exp(-rate interval))^changes exp(-rate days)`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Shown {
    /// Intervals that saw a change, and how long one is that stands for all.
    pub(super) changes: f32,
    pub(super) interval: f32,
    /// Days of those that saw none.
    pub(super) days: f32,
}

/// The likelihood `rate^changes exp(-rate days)` that stands for [`Shown`] where
/// a law of rates has been assumed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Counted {
    pub(super) changes: f32,
    pub(super) days: f32,
    /// Where the two likelihoods touch: the most likely rate, and its
    /// `rate interval`.
    pub(super) rate: f32,
    pub(super) expected: f32,
}

/// `u/(e^u - 1)`, and how much less than it grows `u + u/(e^u - 1) - 1`: 1 and 0
/// for short waits, 0 and u for long ones.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
pub(super) fn slope_and_bend(u: f32) -> (f32, f32) {
    let u = u.min(LONG);
    let safe = u.max(1e-6);
    let slope = safe / exp_m1(safe);
    let series = u * (0.5 + u * (1.0 / 12.0));
    let bend = if u < SHORT { series } else { u + slope - 1.0 };
    (slope, bend)
}

/// e^x for x at most [`LONGEST_STEP`] from 0, by the approximant of Padé: good to
/// a tenth at the ends and much better near 0, where steps end.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
fn stretched(x: f32) -> f32 {
    let even = 1.0 + x * x * (1.0 / 12.0);
    (even + 0.5 * x) / (even - 0.5 * x)
}

impl Shown {
    /// A rate that is not too high under a gamma law of that shape and weight.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    fn low_rate(self, shape: f32, weight: f32) -> f32 {
        let all = weight + self.days;
        let half = all + 0.5 * self.changes * self.interval;
        ((shape + self.changes) / half).max(shape / all)
    }

    /// What it counts for near that rate, and a rate nearer to the most likely one
    /// under a gamma law of shape k and weight b (days).
    ///
    /// With u = rate interval and s(u) = u/(e^u - 1), the logarithm of prior and
    /// likelihood, by the logarithm of the rate, is highest where
    /// `k + changes s(u) = (b + days) rate`, whose left side falls and right side
    /// rises: Newton's method. There `changes' = changes s (u + s)` and
    /// `days' = days + changes s (u + s - 1)/rate` have the same slope and bend.
    /// For short intervals these are all changes and, of the days that saw one,
    /// half; for long ones, which tell nothing, none.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    fn counted_near(self, rate: f32, shape: f32, weight: f32) -> (Counted, f32) {
        let expected = rate * self.interval;
        let (slope, bend) = slope_and_bend(expected);
        let (told, bent) = (self.changes * slope, self.changes * slope * bend);
        let waits = (weight + self.days) * rate;
        let step = (shape + told - waits) / (bent + waits);
        let nearer = rate * stretched(step.clamp(-LONGEST_STEP, LONGEST_STEP));
        let counted = Counted {
            changes: told + bent,
            days: self.days + bent / rate,
            rate,
            expected,
        };
        (counted, nearer)
    }

    /// What prior and visits say together, under a gamma law of that shape and
    /// weight as prior.
    ///
    /// Where rates may differ by many orders of magnitude, the first interval that
    /// saw a change is reckoned with exactly, as far as a gamma law can be. The
    /// others follow by slope and bend of the likelihood.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn joined(self, shape: f32, weight: f32) -> Joined {
        let all = weight + self.days;
        let first = if shape < WIDE {
            self.changes.min(1.0)
        } else {
            0.0
        };
        let after = after_change(shape, all, self.interval);
        let shape = shape + first * (after.shape - shape);
        let rest = Self {
            changes: self.changes - first,
            interval: self.interval,
            days: 0.0,
        };
        let weight = all + first * (after.weight - all);
        Joined {
            shape,
            weight,
            first: first * after.log_chance,
            rest,
            counted: rest.counted(shape, weight),
        }
    }

    /// The same where the shape is known not to be below [`WIDE`].
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn joined_narrowly(self, shape: f32, weight: f32) -> Joined {
        let weight = weight + self.days;
        let rest = Self { days: 0.0, ..self };
        Joined {
            shape,
            weight,
            first: 0.0,
            rest,
            counted: rest.counted(shape, weight),
        }
    }

    /// What it counts for under a gamma law of that shape and weight.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    fn counted(self, shape: f32, weight: f32) -> Counted {
        let mut rate = self.low_rate(shape, weight);
        for _ in 0..STEPS {
            (_, rate) = self.counted_near(rate, shape, weight);
        }
        self.counted_near(rate, shape, weight).0
    }

    /// Shape and weight of prior and visits together.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn added_to(self, shape: f32, weight: f32) -> [f32; 2] {
        self.joined(shape, weight).law()
    }
}

/// Prior and visits, put together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joined {
    /// The law after the days without a change and the first change.
    pub(super) shape: f32,
    pub(super) weight: f32,
    /// The logarithm of the chance of that change.
    pub(super) first: f32,
    /// The other changes, and what they count for.
    pub(super) rest: Shown,
    pub(super) counted: Counted,
}

impl Joined {
    /// Shape and weight of the gamma law nearest to it all.
    ///
    /// Beyond the bend the two likelihoods part: what saw changes after long waits
    /// leaves high rates likelier than a gamma law does. With f2 and f3 the second
    /// and third derivatives of the logarithm of prior and likelihood by that of the
    /// rate, the mean of the latter is off by `(f3 - f2)/(2 f2^2)`, to first order
    /// (Tierney & Kadane 1986), which a gamma law of the same shape is moved by.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn law(self) -> [f32; 2] {
        let shape = self.shape + self.counted.changes;
        let expected = self.counted.expected.min(LONG);
        let (slope, bend) = slope_and_bend(expected);
        let skewed = bend - expected + bend * (bend + slope);
        let off = 0.5 * self.rest.changes * slope * skewed.max(0.0) / (shape * shape);
        let weight = self.weight + self.counted.days;
        [shape, weight * stretched(-off.min(LONGEST_STEP))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn log_likelihood(shown: Shown, log_rate: f64) -> f64 {
        let rate = log_rate.exp();
        let changed = (-(-rate * f64::from(shown.interval)).exp_m1()).ln();
        f64::from(shown.changes) * changed - f64::from(shown.days) * rate
    }

    proptest! {
        #[test]
        fn slope_and_bend_are_those_of_the_likelihood(
            log_shape in -2.0..4.0f32, log_weight in -3.0..5.0f32, changes in 0..60u8,
            log_interval in -4.0..4.0f32, days in 0.0..50.0f32,
        ) {
            let shown = Shown {
                changes: f32::from(changes),
                interval: log_interval.exp(),
                days,
            };
            let counted = shown.counted(log_shape.exp(), log_weight.exp());
            let at = f64::from(counted.rate).ln();
            let by_counts = |log_rate: f64| {
                f64::from(counted.changes) * log_rate - f64::from(counted.days) * log_rate.exp()
            };
            let step = 1e-3;
            let slope = |f: &dyn Fn(f64) -> f64| (f(at + step) - f(at - step)) / 2.0 / step;
            let bend = |f: &dyn Fn(f64) -> f64| {
                (f(at + step) - 2.0 * f(at) + f(at - step)) / step / step
            };
            let exact = |log_rate: f64| log_likelihood(shown, log_rate);
            let scale = 1.0 + f64::from(counted.changes);
            prop_assert!((slope(&by_counts) - slope(&exact)).abs() < 2e-3 * scale);
            prop_assert!((bend(&by_counts) - bend(&exact)).abs() < 1e-2 * scale);
            // And the rate is the most likely one.
            let whole = f64::from(log_shape.exp()) - f64::from(log_weight.exp()) * at.exp();
            prop_assert!((slope(&exact) + whole).abs() < 2e-2 * (scale + f64::from(log_shape.exp())));
        }
    }

    #[test]
    fn a_change_that_was_sure_to_come_moves_no_law() {
        for shape in [2.0, 5.0, 20.0, 200.0f32] {
            let sure = Shown {
                changes: 1.0,
                interval: 1_000.0,
                days: 0.0,
            };
            let [after, weight] = sure.added_to(shape, shape / 2.0);
            let survives = |shape: f32, weight: f32| (1.0 + 0.5 / weight).powf(-shape);
            let (before, after) = (survives(shape, shape / 2.0), survives(after, weight));
            assert!((before - after).abs() < 0.02, "{shape}: {before} {after}");
        }
    }

    #[test]
    fn what_tells_nothing_counts_for_nothing() {
        let sure = Shown {
            changes: 9.0,
            interval: 1e4,
            days: 0.0,
        };
        let counted = sure.counted(2.0, 1.0);
        assert!(counted.changes < 1e-6 && counted.days < 1e-6, "{counted:?}");
        let exact = Shown {
            changes: 9.0,
            interval: 1e-9,
            days: 4.0,
        };
        let counted = exact.counted(2.0, 1.0);
        assert!((counted.changes - 9.0).abs() < 1e-3 && (counted.days - 4.0).abs() < 1e-3);
    }
}
