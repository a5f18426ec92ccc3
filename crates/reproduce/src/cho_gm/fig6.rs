//! Fig. 6: how many changes per visit the log estimator can bear.

use recrawl_chart::{Axis, Series, Stroke};
use recrawl_estimate::{Cho, Confidence};

use super::RATIO_LABEL;
use crate::support::binomial::{log_estimates, moments};
use crate::support::figures::single;
use crate::support::numbers::root;
use crate::support::visits::for_each_count;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Bias levels of the curves.
const LEVELS: [f64; 3] = [0.05, 0.1, 0.2];

/// The largest r below which estimates are too low by less than `level`.
fn edge(estimates: &[f64], level: f64) -> f64 {
    // Estimates stop at log(2n + 1): far beyond it they are too low for sure.
    root(|r| moments(estimates, r).0 / r - (1.0 - level), 0.5, 40.0)
}

/// The region by the product's estimates of every count, and by the formula.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let cho = Cho::new(Confidence::default());
    let counts: Vec<u64> = setup.scale.pick(
        vec![3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100],
        vec![3, 10, 50],
    );
    let mut judge = Judge::new();
    let grounds = Grounds {
        tolerance: 0.001,
        basis: "the estimator gives the formula's value for every count",
        because: "the estimator is not the formula",
    };
    let mut series = Vec::new();
    for (number, level) in LEVELS.into_iter().enumerate() {
        let mut ours = Vec::new();
        for &n in &counts {
            let found = edge(&for_each_count(&cho, n)?, level);
            ours.push((found, n as f64));
            if level == 0.1 && [3, 10, 20, 50, 100].contains(&n) {
                let exact = edge(&log_estimates(n), level);
                judge.exact(
                    format!("r up to which the bias stays below 10 %, n = {n}"),
                    exact,
                    found,
                    grounds,
                );
            }
        }
        series.push(Series::line(
            &format!("bias {} %", level * 100.0),
            Stroke::nth(number),
            ours,
        ));
    }
    let figure = single(
        "Where the log estimator is unbiased",
        "left of a curve the estimate is too low by less than its level",
        Axis::linear(RATIO_LABEL, 0.0, 7.0),
        Axis::logarithmic("n, visits", 2.0, 100.0),
        series,
    );
    Ok(Findings::of(figure, judge, Vec::new()))
}
