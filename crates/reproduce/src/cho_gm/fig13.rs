//! Fig. 13: the spread of the final last-modified estimator.

use recrawl_chart::{Axis, Series, Stroke};
use recrawl_estimate::{Confidence, DateVariant, LastModified};

use super::RATIO_LABEL;
use crate::support::figures::single;
use crate::support::visits::simulated;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Visits of the curves. With three the deviation has no limit.
const ACCESSES: [u64; 3] = [5, 10, 50];

/// Changes per visit of the points; the last stands for the limit.
const RATIOS: [f64; 6] = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0];

/// Standard deviation over truth. As r grows every visit sees a change, the
/// sum of ages is Gamma(n) and the deviation of (n-1)/T tends to
/// `1/sqrt(n - 2)`.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let pages = setup.scale.pick(60_000, 2_000);
    let corrected = LastModified::new(DateVariant::Corrected, Confidence::default());
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (number, n) in ACCESSES.into_iter().enumerate() {
        let limit = 1.0 / (n as f64 - 2.0).sqrt();
        let mut ours = Vec::new();
        for (place, r) in RATIOS.into_iter().enumerate() {
            let seed = setup.seed + (number * 100 + place) as u64;
            let found = simulated(&corrected, r, n as usize, pages, seed)?;
            if place + 1 == RATIOS.len() {
                let grounds = Grounds {
                    tolerance: crate::rounded(limit * setup.scale.pick(0.05, 0.25)),
                    basis: "within 5 %: the fourth moment of few visits is large",
                    because: "farther off than chance allows",
                };
                judge.exact(
                    format!("deviation / truth as r grows, n = {n}"),
                    limit,
                    found.deviation,
                    grounds,
                );
            }
            ours.push((r, found.deviation));
        }
        series.push(Series::line(
            "exact limit",
            Stroke::Dotted,
            vec![(6.0, limit), (30.0, limit)],
        ));
        series.push(Series::line(
            &format!("simulated, n = {n}"),
            Stroke::nth(number),
            ours,
        ));
    }
    let figure = single(
        "Spread of the final last-modified estimator",
        "standard deviation relative to the truth, for n visits",
        Axis::logarithmic(RATIO_LABEL, 0.1, 30.0),
        Axis::linear("deviation / r", 0.0, 2.0),
        series,
    );
    Ok(Findings::of(figure, judge, Vec::new()))
}
