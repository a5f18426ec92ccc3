//! Fig. 5: what M1 measures.

use recrawl_chart::{Series, Stroke};
use recrawl_distribution::Method;

use super::{curve, exact_tail, figure, judge_curve, reference, tail, tails_panel};
use crate::support::blind::{Dates, Law, UPDATES, visit};
use crate::support::numbers::log_grid;
use crate::{Findings, Judge, ReproduceError, Setup};

/// Exponential visits, one a unit.
const VISITS: Law = Law::Exponential(1.0);

/// The laws of updates of the two panels.
const KINDS: [(&str, Law); 2] = [
    ("Pareto updates", UPDATES),
    ("Poisson updates", Law::Exponential(0.5)),
];

/// Theorem 2: `E[G(x+S) - G(x)] / E[G(S)]` is the tail of M1.
fn limit(updates: Law, x: f64) -> f64 {
    let beyond = VISITS.expectation(|s| updates.age_cdf(x + s) - updates.age_cdf(x));
    1.0 - beyond / VISITS.expectation(|s| updates.age_cdf(s))
}

/// M1 of Pareto and of Poisson updates.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let until = setup.scale.pick(200_000.0, 4_000.0);
    let tolerance = setup.scale.pick(super::NOISE, 0.05);
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for (number, (name, updates)) in KINDS.into_iter().enumerate() {
        let seed = setup.seed + number as u64;
        let samples = visit(updates, VISITS, until, seed, Dates::Told)?;
        let ours = curve(Method::M1, &samples, 0.1, 20.0)?;
        judge_curve(
            &mut judge,
            &format!("{name}: M1"),
            &ours,
            |x| limit(updates, x),
            tolerance,
        );
        let places = log_grid(0.1, 20.0, 60);
        panels.push(tails_panel(
            name,
            vec![
                reference(
                    "limit of theorem 2",
                    exact_tail(&places, |x| limit(updates, x)),
                ),
                Series::line(
                    "update law",
                    Stroke::Dashed,
                    exact_tail(&places, |x| updates.cdf(x)),
                ),
                Series::points("M1, simulated", Stroke::Solid, thinned(&tail(&ours))),
            ],
        ));
        if number == 1 {
            judge_curve(
                &mut judge,
                "Poisson updates: M1 against the update law",
                &ours,
                |x| updates.cdf(x),
                tolerance,
            );
        }
    }
    let figure = figure(
        "Tails measured by M1",
        "exponential visits, one a unit; updates two a unit",
        panels,
    );
    Ok(Findings::of(
        figure,
        judge,
        vec!["M1 is right for Poisson updates and for no others.".to_owned()],
    ))
}

/// One point of a curve in each tenth of a decade.
pub(super) fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for &point in points {
        if kept.last().is_none_or(|last| point.0 >= last.0 * 1.25) {
            kept.push(point);
        }
    }
    kept
}
