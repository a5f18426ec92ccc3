//! Fig. 5: the log estimator is unbiased until every visit sees a change.

use recrawl_chart::Axis;
use recrawl_estimate::{Cho, Confidence, Naive};

use super::{ACCESSES, RATIO_LABEL, chance, exact_and_simulated};
use crate::support::binomial::{log_estimates, moments};
use crate::support::figures::single;
use crate::support::numbers::log_grid;
use crate::support::visits::{for_each_count, simulated};
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Mean estimate over truth for n = 3, 10 and 50 visits, and the example of
/// the introduction.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let pages = setup.scale.pick(20_000, 1_000);
    let cho = Cho::new(Confidence::default());
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (number, n) in ACCESSES.into_iter().enumerate() {
        let formula = log_estimates(n);
        let mut ours = Vec::new();
        for (place, r) in [0.1, 0.5, 1.0, 2.0, 3.0, 5.0].into_iter().enumerate() {
            let seed = setup.seed + (number * 100 + place) as u64;
            let found = simulated(&cho, r, n as usize, pages, seed)?;
            let error = found.deviation / found.count.sqrt();
            let exact = moments(&formula, r).0 / r;
            judge.exact(
                format!("mean estimate / truth, n = {n}, r = {r}"),
                exact,
                found.mean,
                chance(error),
            );
            ours.push((r, found.mean));
        }
        let curve = log_grid(0.05, 10.0, 80)
            .into_iter()
            .map(|r| (r, moments(&formula, r).0 / r))
            .collect();
        series.extend(exact_and_simulated(
            &format!("n = {n}"),
            number,
            curve,
            ours,
        ));
    }
    introduction(&mut judge, &cho)?;
    let figure = single(
        "Bias of the log estimator -log((n - X + 0.5)/(n + 0.5))",
        "mean estimate relative to the truth; 1 is unbiased",
        Axis::logarithmic(RATIO_LABEL, 0.05, 10.0),
        Axis::linear("E[estimate] / r", 0.0, 1.2),
        series,
    );
    Ok(Findings::of(figure, judge, vec![
            "The values of the introduction's example are lost; six changes in ten daily visits fit its text.".to_owned(),
        ]))
}

/// Six changes in ten visits: counting says 0.6, the log estimator more.
fn introduction(judge: &mut Judge, cho: &Cho) -> Result<(), ReproduceError> {
    let naive = Naive::new(Confidence::default());
    let grounds = Grounds {
        tolerance: 1e-6,
        basis: "the formula itself",
        because: "the estimator is not the formula",
    };
    let counted = for_each_count(&naive, 10)?[6];
    judge.exact(
        "introduction: changes a day by counting",
        0.6,
        counted,
        grounds,
    );
    let estimated = for_each_count(cho, 10)?[6];
    judge.exact(
        "introduction: changes a day by the log estimator",
        log_estimates(10)[6],
        estimated,
        grounds,
    );
    Ok(())
}
