//! From a curve of ages to the rate and the update curve.

use super::Outline;
use crate::derivative::search_slope;
use crate::{AgeLaw, Grid, Warning};

/// Completes an outline that has its ages: rate by the slope at zero, the law
/// through `corners`, and `F_U = 1 - g_U / g_U(0)`.
///
/// `steps` are the largest and smallest step of the search for the slope.
pub(super) fn finish(
    outline: &mut Outline,
    grid: &Grid,
    corners: &[(f64, f64)],
    curve: impl Fn(f64) -> f64,
    steps: (f64, f64),
) {
    let Some(slope) = search_slope(curve, steps.0.max(steps.1), steps.1) else {
        outline.warnings.push(Warning::RateNotSettled {
            change: f64::INFINITY,
        });
        return;
    };
    if !slope.settled {
        outline.warnings.push(Warning::RateNotSettled {
            change: slope.change,
        });
    }
    let law = AgeLaw::through(corners, Some(slope.rate));
    outline.update = Some(update_curve(&law, grid));
    outline.law = Some(law);
}

/// `F_U(x) = 1 - g_U(x) / g_U(0)` at the points of the grid, held within 0 and
/// 1 and rising.
///
/// `g_U` is the slope of the concave law over one bin around x: a falling
/// density smooths what a bare difference would leave rough.
fn update_curve(law: &AgeLaw, grid: &Grid) -> Vec<f64> {
    let half = grid.bin() / 2.0;
    let mut highest: f64 = 0.0;
    grid.xs()
        .map(|x| {
            let density = (law.cdf(x + half) - law.cdf(x - half)) / grid.bin();
            highest = highest.max((1.0 - density / law.rate()).clamp(0.0, 1.0));
            highest
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::TimeUnit;

    #[test]
    fn the_update_curve_of_an_exact_age_curve_is_the_update_law() {
        // Pareto (3, 1): G = 1 - (1+x)^-2, F = 1 - (1+x)^-3.
        let grid = Grid::new(0.05, 5.0, TimeUnit::Day).expect("a grid");
        let age = |x: f64| 1.0 - (1.0 + x).powi(-2);
        let corners: Vec<_> = (1..4_000)
            .map(|n| f64::from(n) * 0.005)
            .map(|x| (x, age(x)))
            .collect();
        let mut outline = Outline::default();
        finish(&mut outline, &grid, &corners, age, (2.0, 0.01));
        let update = outline.update.expect("a curve");
        for (x, ours) in grid.xs().zip(update) {
            let truth = 1.0 - (1.0 + x).powi(-3);
            assert!((ours - truth).abs() < 0.005, "x = {x}: {ours} {truth}");
        }
        assert!(outline.warnings.is_empty());
    }
}
