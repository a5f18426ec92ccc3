//! A gamma law after one interval that saw a change.

use super::elementary::{exp, exp_m1, ln, ln_1p};

/// Share of its weight below which an interval is short: the change counts in
/// full and the interval by half.
const SHORT: f32 = 0.05;

/// A gamma law, and how likely the change was under the one before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AfterChange {
    pub(super) shape: f32,
    pub(super) weight: f32,
    pub(super) log_chance: f32,
}

/// The gamma law nearest to that of shape a and weight b (days) after an interval
/// of t `days` that saw a change.
///
/// The exact law is a difference of two gamma laws. Its chance to survive s
/// more days is `S(s) = (q(s) - q(s+t)) / (1 - q(t))`, q(s) = (b/(b+s))^a. The
/// gamma law with the same S(t/2) and S(t) is taken: it is right about waits
/// like the ones seen, whereas the law with the same mean and variance is led
/// astray by rates so high that visits cannot tell them apart.
///
/// Without differences that lose digits, with `y(s) = a ln(1 + t/(b+s))`:
/// `S(s) = exp(-a ln(1 + s/b)) (1 - exp(-y(s))) / (1 - exp(-y(0)))`.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
pub(super) fn after_change(shape: f32, weight: f32, days: f32) -> AfterChange {
    let share = days / weight;
    let half = 0.5 * share;
    // Plain statements: what is made of arrays is not made of vectors.
    let (all, until_half) = (shape * ln_1p(share), shape * ln_1p(half));
    let now = log_changed(all);
    let mid = log_changed(shape * ln_1p(share / (1.0 + half)));
    let late = log_changed(shape * ln_1p(share / (1.0 + share)));
    let early = mid - now - until_half;
    let whole = late - now - all;
    let ratio = whole / early.min(-1e-12);
    let odds = (2.0 - ratio).max(1e-7) / (ratio - 1.0).max(1e-7);
    let log = log_share(odds);
    let (plain_shape, plain_weight) = (shape + 1.0, weight + 0.5 * days);
    let is_short = share < SHORT;
    AfterChange {
        shape: if is_short { plain_shape } else { -early / log },
        weight: if is_short {
            plain_weight
        } else {
            0.5 * days / exp_m1(log)
        },
        log_chance: now,
    }
}

/// `ln(1 - exp(-x))`, for x above 0.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
fn log_changed(x: f32) -> f32 {
    let x = x.max(1e-30);
    let series = x * (1.0 - x * (0.5 - x * (1.0 / 6.0 - x * (1.0 / 24.0))));
    let whole = 1.0 - exp(-x);
    ln(if x < 0.1 { series } else { whole })
}

/// The w = ln(1 + v) with `ln(1+2v) / ln(1+v) = (2 + o)/(1 + o)`, by the odds o.
/// Both sides are `w / ln(2 - exp(-w)) = 1 + o`: w is o where it is small and
/// `(1 + o) ln 2` where it is large. The quotient of two polynomials between the
/// two that comes nearest, fitted by least squares: off by at most 0.2 %.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
fn log_share(odds: f32) -> f32 {
    let above = NEAR[0] + odds * (NEAR[1] + odds * std::f32::consts::LN_2);
    let below = NEAR[0] + odds * (NEAR[2] + odds);
    odds * (above / below)
}

/// The numbers that were fitted.
const NEAR: [f32; 3] = [7.693_215, 2.491_43, 2.595_576];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_ratio_is_undone(log in -5.0..3.4f64) {
            let w = log.exp();
            let odds = w / (2.0 - (-w).exp()).ln() - 1.0;
            let found = f64::from(log_share(odds as f32));
            prop_assert!((found / w - 1.0).abs() < 2e-3, "{w}: {found}");
        }

        #[test]
        fn chances_to_survive_half_and_whole_of_the_interval_are_exact(
            log_shape in -2.5..4.0f64, log_share in -3.5..6.0f64,
        ) {
            let (shape, share) = (log_shape.exp(), log_share.exp());
            let kept = |s: f64| (1.0 + s).powf(-shape);
            let exact = |s: f64| (kept(s) - kept(s + share)) / (1.0 - kept(share));
            let found = after_change(shape as f32, 1.0, share as f32);
            let survives = |s: f64| (1.0 + s / f64::from(found.weight)).powf(-f64::from(found.shape));
            for part in [0.5, 1.0] {
                let (ours, exact) = (survives(part * share), exact(part * share));
                prop_assert!((ours - exact).abs() < 4e-3, "{shape} {share}: {ours} {exact}");
            }
            let chance = (1.0 - kept(share)).ln();
            prop_assert!((f64::from(found.log_chance) - chance).abs() < 1e-4 * (1.0 + chance.abs()));
        }
    }
}
