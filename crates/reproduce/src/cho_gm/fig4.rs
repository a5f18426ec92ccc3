//! Fig. 4: the spread of the naive estimator falls with the number of visits.

use recrawl_chart::Axis;
use recrawl_estimate::{Confidence, Naive};

use super::exact_and_simulated;
use crate::support::figures::single;
use crate::support::numbers::log_grid;
use crate::support::visits::simulated;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Changes per visit of the curves.
const RATIOS: [f64; 3] = [0.3, 1.0, 3.0];

/// `sd(X/n)/r = sqrt(e^-r (1 - e^-r)/n)/r`.
fn exact(r: f64, n: f64) -> f64 {
    ((-r).exp() * -(-r).exp_m1() / n).sqrt() / r
}

/// Standard deviation over truth, for 2 to 100 visits.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let pages = setup.scale.pick(20_000, 1_000);
    let naive = Naive::new(Confidence::default());
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (number, r) in RATIOS.into_iter().enumerate() {
        let mut ours = Vec::new();
        for n in [3usize, 10, 30, 100] {
            let found = simulated(
                &naive,
                r,
                n,
                pages,
                setup.seed + (number * 1_000 + n) as u64,
            )?;
            // A deviation of m draws varies by about its size / sqrt(2 m).
            let error = found.deviation / (2.0 * found.count).sqrt();
            let grounds = Grounds {
                tolerance: crate::rounded(6.0 * error),
                basis: "within the noise of a simulated deviation",
                because: "farther off than chance allows",
            };
            judge.exact(
                format!("deviation / truth, r = {r}, n = {n}"),
                exact(r, n as f64),
                found.deviation,
                grounds,
            );
            ours.push((n as f64, found.deviation));
        }
        let curve = log_grid(2.0, 100.0, 60)
            .into_iter()
            .map(|n| (n, exact(r, n)))
            .collect();
        series.extend(exact_and_simulated(
            &format!("r = {r}"),
            number,
            curve,
            ours,
        ));
    }
    let figure = single(
        "Spread of the naive estimator",
        "standard deviation relative to the truth, for r changes per visit",
        Axis::logarithmic("n, visits", 2.0, 100.0),
        Axis::linear("deviation / r", 0.0, 1.2),
        series,
    );
    Ok(Findings::of(figure, judge, vec![
            "It falls with the root of n while the bias of fig3 stays: the estimator closes in on a wrong value.".to_owned(),
        ]))
}
