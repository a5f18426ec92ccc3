//! Fig. 3: counting changes hides those that fall between visits.

use recrawl_chart::{Axis, Series, Stroke};
use recrawl_estimate::{Confidence, Naive};

use super::{RATIO_LABEL, chance};
use crate::support::figures::single;
use crate::support::numbers::{log_grid, root};
use crate::support::visits::simulated;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Visits of each simulated page; the bias does not depend on it.
const VISITS: usize = 20;

/// Bias that the paper calls its limit, 10 %.
const LEVEL: f64 = 0.9;

/// `E[X/n]/r = (1 - exp(-r))/r`, r = changes per visit; independent of n.
fn exact(r: f64) -> f64 {
    -(-r).exp_m1() / r
}

/// Mean estimate over truth, from 0.01 to 10 changes a visit.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let pages = setup.scale.pick(20_000, 1_000);
    let naive = Naive::new(Confidence::default());
    let mut judge = Judge::new();
    let mut ours = Vec::new();
    for (number, r) in [0.1, 0.2, 0.5, 1.0, 2.0, 5.0].into_iter().enumerate() {
        let found = simulated(&naive, r, VISITS, pages, setup.seed + number as u64)?;
        let error = found.deviation / found.count.sqrt();
        judge.exact(
            format!("mean estimate / truth, r = {r}"),
            exact(r),
            found.mean,
            chance(error),
        );
        ours.push((r, found.mean));
    }
    let crossing = root(|r| interpolated(&ours, r) - LEVEL, 0.1, 0.5);
    judge.exact(
        "r at which the bias reaches 10 %",
        root(|r| exact(r) - LEVEL, 1e-6, 1.0),
        crossing,
        Grounds {
            tolerance: 0.03,
            basis: "read from the simulated points: look five times as often as the page changes",
            because: "farther off than reading between simulated points allows",
        },
    );
    let curve = log_grid(0.01, 10.0, 80)
        .into_iter()
        .map(|r| (r, exact(r)))
        .collect();
    let figure = single(
        "Bias of the naive estimator X/T",
        "mean estimate relative to the truth; 1 is unbiased",
        Axis::logarithmic(RATIO_LABEL, 0.01, 10.0),
        Axis::linear("E[estimate] / r", 0.0, 1.1),
        vec![
            Series::line("exact, (1 - e^-r)/r", Stroke::Dotted, curve),
            Series::points("simulated visits", Stroke::Solid, ours),
        ],
    );
    Ok(Findings::of(
        figure,
        judge,
        vec!["More visits do not help: the curve is the same for every n.".to_owned()],
    ))
}

/// The value at `x` on straight lines between points.
fn interpolated(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points
        .partition_point(|point| point.0 < x)
        .clamp(1, points.len() - 1);
    let (low, high) = (points[after - 1], points[after]);
    low.1 + (high.1 - low.1) * (x - low.0) / (high.0 - low.0)
}
