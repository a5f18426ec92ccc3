//! Fig. 7: M2 measures ages.

use recrawl_chart::{Series, Stroke};
use recrawl_distribution::Method;

use super::fig5::thinned;
use super::{curve, exact_tail, figure, judge_curve, reference, tail, tails_panel};
use crate::support::blind::{Dates, Law, UPDATES, visit};
use crate::support::numbers::log_grid;
use crate::{Findings, Judge, ReproduceError, Setup};

/// M2 with constant and exponential visits, one a unit.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let until = setup.scale.pick(200_000.0, 4_000.0);
    let tolerance = setup.scale.pick(super::NOISE, 0.05);
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    let kinds = [
        ("constant visits", Law::Constant(1.0)),
        ("exponential visits", Law::Exponential(1.0)),
    ];
    for (number, (name, visits)) in kinds.into_iter().enumerate() {
        let samples = visit(
            UPDATES,
            visits,
            until,
            setup.seed + number as u64,
            Dates::Told,
        )?;
        let ours = curve(Method::M2, &samples, 0.1, 20.0)?;
        judge_curve(
            &mut judge,
            &format!("{name}: M2"),
            &ours,
            |x| UPDATES.age_cdf(x),
            tolerance,
        );
        let places = log_grid(0.1, 20.0, 60);
        panels.push(tails_panel(
            name,
            vec![
                reference("ages, 1 - G", exact_tail(&places, |x| UPDATES.age_cdf(x))),
                Series::points("M2, simulated", Stroke::Solid, thinned(&tail(&ours))),
            ],
        ));
    }
    let figure = figure(
        "Tails measured by M2",
        "Pareto updates, two a unit; one visit a unit",
        panels,
    );
    Ok(Findings::of(figure, judge, Vec::new()))
}
