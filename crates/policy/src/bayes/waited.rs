//! What waiting does to a page, for many pages or levels at once.

use super::elementary::{exp, exp_m1, ln_1p};

/// Expected changes below which the urgency is taken from its series, where
/// the closed form loses digits.
const SHORT: f32 = 0.06;

/// What a wait does to a page of which a belief is held.
#[derive(Clone, Copy, Default)]
pub(super) struct Waited {
    /// Chance that it has not changed.
    pub(super) survival: f32,
    /// Chance that it has.
    pub(super) changed: f32,
    /// What a visit finds, less what waiting would find, expected.
    pub(super) urgency: f32,
    /// Variance of the chance not to change over rates.
    variance: f32,
}

impl Waited {
    /// For a gamma belief of shape a, `share` being days over its weight: the
    /// urgency as [`crate::Objective::expected_urgency`] has it. With S(t) the
    /// survival, the variance is `S(2t) - S(t)^2`, where
    /// `S(2t) = S(t)^2 exp(a ln(1 + share^2/(1 + 2 share)))`.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn new(a: f32, share: f32) -> Self {
        let survival = exp(-a * ln_1p(share));
        let slope = a * share / (1.0 + share) * survival;
        let third = (a + 2.0) * share;
        let fourth = third * (a + 3.0) * share;
        let fifth = fourth * (a + 4.0) * share;
        let series =
            a * (a + 1.0) * share * share * (0.5 - third / 3.0 + fourth / 8.0 - fifth / 30.0);
        let closed = 1.0 - survival - slope;
        let urgency = if (a + 4.0) * share < SHORT {
            series
        } else {
            closed
        };
        let spread = exp_m1(a * ln_1p(share * share / (1.0 + 2.0 * share)));
        Self {
            survival,
            changed: urgency + slope,
            urgency,
            variance: survival * survival * spread,
        }
    }

    /// A page that is like the first with chance `kept`, else like the other.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn mixed(self, other: Self, kept: f32) -> Self {
        let anew = 1.0 - kept;
        let apart = self.survival - other.survival;
        Self {
            survival: kept * self.survival + anew * other.survival,
            changed: kept * self.changed + anew * other.changed,
            urgency: kept * self.urgency + anew * other.urgency,
            variance: kept * self.variance + anew * other.variance + kept * anew * apart * apart,
        }
    }

    /// Share of the doubt about the page's rate that a visit resolves.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn resolved(self) -> f32 {
        let all = self.survival * self.changed;
        (self.variance / all.max(1e-12)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use recrawl_estimate::GammaFilter;

    use crate::Objective;

    proptest! {
        #[test]
        fn the_quick_numbers_are_the_careful_ones(
            log_shape in -3.0..6.0f64, log_share in -9.0..6.0f64,
        ) {
            let (shape, share) = (log_shape.exp(), log_share.exp());
            let belief = GammaFilter::new(shape, 1.0).expect("positive");
            let quick = Waited::new(shape as f32, share as f32);
            let near = |quick: f32, careful: f64| {
                (f64::from(quick) - careful).abs() < 2e-4 * careful + 1e-6
            };
            let changed = belief.change_probability(share);
            prop_assert!(near(quick.changed, changed), "{} {changed}", quick.changed);
            prop_assert!(near(quick.survival, 1.0 - changed), "{}", quick.survival);
            let urgency = Objective::Changes.expected_urgency(belief, share);
            prop_assert!(near(quick.urgency, urgency), "{} {urgency}", quick.urgency);
            let twice = 1.0 - belief.change_probability(2.0 * share);
            let variance = twice - (1.0 - changed).powi(2);
            prop_assert!(near(quick.variance, variance), "{} {variance}", quick.variance);
        }
    }

    #[test]
    fn a_mixture_has_the_moments_of_its_parts() {
        let (slow, fast) = (Waited::new(50.0, 0.001), Waited::new(1.0, 10.0));
        let mixed = slow.mixed(fast, 0.75);
        let mean = 0.75 * slow.survival + 0.25 * fast.survival;
        let square = |part: Waited| part.variance + part.survival * part.survival;
        let variance = 0.75 * square(slow) + 0.25 * square(fast) - mean * mean;
        assert!((mixed.survival - mean).abs() < 1e-6);
        assert!((mixed.variance - variance).abs() < 1e-6);
        assert!((mixed.survival + mixed.changed - 1.0).abs() < 1e-6);
        // Whether it changed tells nearly for certain which of the two it is.
        assert!(mixed.resolved() > 0.5, "{}", mixed.resolved());
    }
}
