//! Fig. 12: M5 measures ages at whole visit intervals.

use recrawl_chart::{Series, Stroke};
use recrawl_distribution::Method;

use super::fig5::thinned;
use super::{curve, exact_tail, figure, judge_curve, reference, tail, tails_panel};
use crate::support::blind::{Dates, Law, UPDATES, visit};
use crate::support::numbers::log_grid;
use crate::{Findings, Judge, ReproduceError, Setup};

/// M5 with visits every 1 and every 0.2.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let until = setup.scale.pick(200_000.0, 4_000.0);
    let tolerance = setup.scale.pick(super::NOISE, 0.05);
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for (number, interval) in [1.0, 0.2].into_iter().enumerate() {
        let samples = visit(
            UPDATES,
            Law::Constant(interval),
            until,
            setup.seed + number as u64,
            Dates::Untold,
        )?;
        let ours = curve(Method::M5, &samples, interval, 20.0)?;
        judge_curve(
            &mut judge,
            &format!("visits every {interval}: M5"),
            &ours,
            |x| UPDATES.age_cdf(x),
            tolerance,
        );
        let places = log_grid(0.1, 20.0, 60);
        panels.push(tails_panel(
            &format!("visits every {interval}"),
            vec![
                reference("ages, 1 - G", exact_tail(&places, |x| UPDATES.age_cdf(x))),
                Series::points("M5, simulated", Stroke::Solid, thinned(&tail(&ours))),
            ],
        ));
    }
    let figure = figure(
        "Tails measured by M5",
        "Pareto updates, constant visits, no dates",
        panels,
    );
    Ok(Findings::of(figure, judge, Vec::new()))
}
