//! Appendix A: the constant a that keeps the log estimator finite.

use recrawl_chart::{Axis, Series, Stroke};
use recrawl_estimate::{Cho, Confidence};

use crate::support::figures::single;
use crate::support::numbers::{log_grid, root};
use crate::support::visits::for_each_count;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Solves `n log((n + a)/(n - 1 + a)) = 1` for a.
fn closed(n: f64) -> f64 {
    let growth = (1.0 / n).exp();
    (n - (n - 1.0) * growth) / (growth - 1.0)
}

/// The a that the estimator uses with n visits: if all see a change the
/// estimate is `log((n + a)/a)`.
fn used(cho: &Cho, n: u64) -> Result<f64, ReproduceError> {
    let all = for_each_count(cho, n)?[n as usize];
    Ok(n as f64 / all.exp_m1())
}

/// The constant by n, and the one in use.
pub(crate) fn run(_setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let cho = Cho::new(Confidence::default());
    let mut judge = Judge::new();
    let formula = Grounds {
        tolerance: 1e-6,
        basis: "the root of the equation is the closed form",
        because: "the closed form does not solve the equation",
    };
    let mut solved = Vec::new();
    for n in [1u64, 2, 3, 5, 10, 50] {
        let visits = n as f64;
        let found = root(
            |a| visits * ((visits + a) / (visits - 1.0 + a)).ln() - 1.0,
            1e-9,
            2.0,
        );
        judge.exact(
            format!("a that solves the equation, n = {n}"),
            closed(visits),
            found,
            formula,
        );
        solved.push((visits, found));
    }
    let near = Grounds {
        tolerance: 0.02,
        basis: "0.5 is close enough from five visits on",
        because: "0.5 is too far from what this few visits ask for",
    };
    let mut in_use = Vec::new();
    for n in [5, 10, 50] {
        let found = used(&cho, n)?;
        judge.exact(format!("a in use, n = {n}"), closed(n as f64), found, near);
        in_use.push((n as f64, found));
    }
    let curve = log_grid(1.0, 100.0, 60)
        .into_iter()
        .map(|n| (n, closed(n)))
        .collect();
    let figure = single(
        "The constant a of -log((n - X + a)/(n + a))",
        "the value that leaves no bias to first order in r",
        Axis::logarithmic("n, visits", 1.0, 100.0),
        Axis::linear("a", 0.45, 0.6),
        vec![
            Series::line("exact", Stroke::Dotted, curve),
            Series::points("root of the equation", Stroke::Solid, solved),
            Series::points("in use", Stroke::Dashed, in_use),
        ],
    );
    Ok(Findings::of(figure, judge, Vec::new()))
}
