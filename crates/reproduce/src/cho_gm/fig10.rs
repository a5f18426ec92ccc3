//! Fig. 10: the first estimator from last-modified dates is too high for few
//! visits.

use recrawl_chart::{Axis, Series, Stroke};
use recrawl_estimate::{Confidence, DateVariant, LastModified};

use super::{ACCESSES, RATIO_LABEL};
use crate::support::figures::single;
use crate::support::visits::simulated;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Changes per visit of the simulated points; the ends stand for the limits.
const RATIOS: [f64; 7] = [0.01, 0.03, 0.1, 0.3, 1.0, 5.0, 20.0];

/// Mean of X/T over truth, and its limits at both ends.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let pages = setup.scale.pick(60_000, 2_000);
    let raw = LastModified::new(DateVariant::Raw, Confidence::default());
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (number, n) in ACCESSES.into_iter().enumerate() {
        let visits = n as f64;
        let slow = visits * (visits / (visits - 1.0)).ln();
        let fast = visits / (visits - 1.0);
        let mut ours = Vec::new();
        for (place, r) in RATIOS.into_iter().enumerate() {
            let seed = setup.seed + (number * 100 + place) as u64;
            let found = simulated(&raw, r, n as usize, pages, seed)?;
            let error = found.deviation / found.count.sqrt();
            let grounds = Grounds {
                // The limit itself is still 2 % away.
                tolerance: crate::rounded(0.02 + 4.0 * error),
                basis: "within four standard errors and 2 % for not being at the limit",
                because: "farther off than chance allows",
            };
            if place == 0 {
                let quantity = format!("mean / truth as r tends to 0, n = {n}");
                judge.exact(quantity, slow, found.mean, grounds);
            }
            if place + 1 == RATIOS.len() {
                let quantity = format!("mean / truth as r grows, n = {n}");
                judge.exact(quantity, fast, found.mean, grounds);
            }
            ours.push((r, found.mean));
        }
        for limit in [
            vec![(0.01, slow), (0.03, slow)],
            vec![(8.0, fast), (20.0, fast)],
        ] {
            series.push(Series::line("exact limits", Stroke::Dotted, limit));
        }
        series.push(Series::line(
            &format!("simulated, n = {n}"),
            Stroke::nth(number),
            ours,
        ));
    }
    let figure = single(
        "Bias of the first last-modified estimator X/T",
        "mean estimate relative to the truth; 1 is unbiased",
        Axis::logarithmic(RATIO_LABEL, 0.01, 20.0),
        Axis::linear("E[estimate] / r", 0.8, 1.8),
        series,
    );
    Ok(Findings::of(figure, judge, vec![
            "Limits of the appendix: n/(n-1) as r grows, n log(n/(n-1)) as r tends to 0. They are what the final form takes away.".to_owned(),
        ]))
}
