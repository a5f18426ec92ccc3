//! Fig. 12: the final estimator from last-modified dates is unbiased.

use recrawl_chart::{Axis, Series, Stroke};
use recrawl_estimate::{Confidence, DateVariant, LastModified};

use super::{ACCESSES, RATIO_LABEL};
use crate::support::figures::single;
use crate::support::visits::simulated;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// What is left of the bias where it is largest, at n = 5 and r = 1.
const LEFT: f64 = 0.013;

/// Mean of X'/T over truth.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let pages = setup.scale.pick(60_000, 2_000);
    let corrected = LastModified::new(DateVariant::Corrected, Confidence::default());
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (number, n) in ACCESSES.into_iter().enumerate() {
        let mut ours = Vec::new();
        for (place, r) in [0.03, 0.1, 0.3, 1.0, 3.0, 10.0].into_iter().enumerate() {
            let seed = setup.seed + (number * 100 + place) as u64;
            let found = simulated(&corrected, r, n as usize, pages, seed)?;
            let error = found.deviation / found.count.sqrt();
            let grounds = Grounds {
                tolerance: crate::rounded(LEFT + 4.0 * error),
                basis: "practically unbiased: 1.3 % and four standard errors",
                because: "biased by more than 1.3 %",
            };
            judge.exact(
                format!("mean / truth, n = {n}, r = {r}"),
                1.0,
                found.mean,
                grounds,
            );
            ours.push((r, found.mean));
        }
        series.push(Series::line(
            &format!("simulated, n = {n}"),
            Stroke::nth(number),
            ours,
        ));
    }
    let figure = single(
        "Bias of the final last-modified estimator X'/T",
        "mean estimate relative to the truth; the curves overlap, as printed",
        Axis::logarithmic(RATIO_LABEL, 0.02, 12.0),
        Axis::linear("E[estimate] / r", 0.8, 1.8),
        series,
    );
    Ok(Findings::of(
        figure,
        judge,
        vec!["The axes are those of fig10.".to_owned()],
    ))
}
