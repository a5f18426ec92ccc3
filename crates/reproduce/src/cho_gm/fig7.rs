//! Fig. 7: how often to look to know the rate best.

use recrawl_chart::Axis;
use recrawl_estimate::{Cho, Confidence, best_changes_per_visit};

use super::{RATIO_LABEL, exact_and_simulated};
use crate::support::binomial::{log_estimates, moments};
use crate::support::figures::single;
use crate::support::numbers::{linear_grid, log_grid, root};
use crate::support::visits::{for_each_count, simulated};
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Visits of the curves.
const ACCESSES: [u64; 4] = [10, 20, 50, 100];

/// Visits at which the spread has a least point inside.
const LONG: [u64; 2] = [50, 100];

/// The r of least relative spread, in (0.5, 3).
fn best(estimates: &[f64]) -> f64 {
    linear_grid(0.5, 3.0, 2_501)
        .into_iter()
        .map(|r| (r, moments(estimates, r).1 / r))
        .reduce(|best, next| if next.1 < best.1 { next } else { best })
        .map_or(f64::NAN, |(r, _)| r)
}

/// Standard deviation over truth, and where it is least.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let pages = setup.scale.pick(20_000, 1_000);
    let cho = Cho::new(Confidence::default());
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (number, n) in ACCESSES.into_iter().enumerate() {
        let formula = log_estimates(n);
        let curve = log_grid(0.1, 10.0, 80)
            .into_iter()
            .map(|r| (r, moments(&formula, r).1 / r))
            .collect();
        let mut ours = Vec::new();
        for (place, r) in [0.2, 0.5, 1.0, 2.0, 4.0].into_iter().enumerate() {
            let seed = setup.seed + (number * 100 + place) as u64;
            let found = simulated(&cho, r, n as usize, pages, seed)?;
            let error = found.deviation / (2.0 * found.count).sqrt();
            let grounds = Grounds {
                tolerance: crate::rounded(6.0 * error),
                basis: "within the noise of a simulated deviation",
                because: "farther off than chance allows",
            };
            let exact = moments(&formula, r).1 / r;
            judge.exact(
                format!("deviation / truth, n = {n}, r = {r}"),
                exact,
                found.deviation,
                grounds,
            );
            ours.push((r, found.deviation));
        }
        series.extend(exact_and_simulated(
            &format!("n = {n}"),
            number,
            curve,
            ours,
        ));
    }
    least_points(&mut judge, &cho)?;
    let figure = single(
        "Spread of the log estimator",
        "standard deviation relative to the truth, for n visits",
        Axis::logarithmic(RATIO_LABEL, 0.1, 10.0),
        Axis::linear("deviation / r", 0.0, 1.0),
        series,
    );
    Ok(Findings::of(
        figure,
        judge,
        vec![
            "For n of 20 and below there is no least point inside: the estimator saturates first."
                .to_owned(),
        ],
    ))
}

/// For large n the best r is the root of `r = 2 (1 - e^-r)`.
fn least_points(judge: &mut Judge, cho: &Cho) -> Result<(), ReproduceError> {
    let read = Grounds {
        tolerance: 0.01,
        basis: "the least point of the same curve",
        because: "the estimator is not the formula",
    };
    for n in LONG {
        let found = best(&for_each_count(cho, n)?);
        judge.exact(
            format!("best changes per visit, n = {n}"),
            best(&log_estimates(n)),
            found,
            read,
        );
    }
    let limit = root(|r| r + 2.0 * (-r).exp_m1(), 1.0, 3.0);
    judge.exact(
        "best changes per visit as n grows, by --advise at n = 100,000",
        limit,
        best_changes_per_visit(100_000),
        read,
    );
    Ok(())
}
