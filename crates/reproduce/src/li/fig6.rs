//! Fig. 6: M1 lies between lifetimes and ages.

use recrawl_chart::{Series, Stroke};
use recrawl_distribution::Method;

use super::fig5::thinned;
use super::{curve, exact_tail, figure, judge_curve, tail, tails_panel};
use crate::support::blind::{Dates, Law, UPDATES, visit};
use crate::support::numbers::log_grid;
use crate::{Findings, Judge, ReproduceError, Setup};

/// Visits a unit in the two panels.
const RATES: [f64; 2] = [1.0, 5.0];

/// Slack of the sandwich: the noise of one path.
const SLACK: f64 = 0.01;

/// The three tails for slow and fast constant visits.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let until = setup.scale.pick(100_000.0, 4_000.0);
    let tolerance = setup.scale.pick(super::NOISE, 0.05);
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    let mut gaps = Vec::new();
    for (number, rate) in RATES.into_iter().enumerate() {
        let interval = 1.0 / rate;
        let (visits, seed) = (Law::Constant(interval), setup.seed + number as u64);
        let samples = visit(UPDATES, visits, until, seed, Dates::Told)?;
        let ours = curve(Method::M1, &samples, 0.1, 20.0)?;
        let limit = |x: f64| {
            1.0 - (UPDATES.age_cdf(x + interval) - UPDATES.age_cdf(x)) / UPDATES.age_cdf(interval)
        };
        let name = format!("{rate} visits a unit");
        judge_curve(&mut judge, &format!("{name}: M1"), &ours, limit, tolerance);
        sandwich(&mut judge, rate, &ours);
        gaps.push(
            ours.iter()
                .map(|&(x, cdf)| (UPDATES.cdf(x) - cdf).abs())
                .fold(0.0, f64::max),
        );
        let places = log_grid(0.1, 20.0, 60);
        panels.push(tails_panel(
            &name,
            vec![
                Series::line(
                    "ages, 1 - G",
                    Stroke::Dashed,
                    exact_tail(&places, |x| UPDATES.age_cdf(x)),
                ),
                Series::line(
                    "lifetimes, 1 - F",
                    Stroke::DashDot,
                    exact_tail(&places, |x| UPDATES.cdf(x)),
                ),
                Series::points("M1, simulated", Stroke::Solid, thinned(&tail(&ours))),
            ],
        ));
    }
    judge.claim(
        "faster visits bring M1 closer to the lifetimes",
        &[gaps[1] < gaps[0]],
        "they do not here",
    );
    let figure = figure(
        "Tail sandwich of M1",
        "Pareto updates, two a unit, constant visits",
        panels,
    );
    Ok(Findings::of(
        figure,
        judge,
        vec!["The paper's two rates are lost; one and five visits a unit are ours.".to_owned()],
    ))
}

/// Whether the curve lies between those of lifetimes and ages.
fn sandwich(judge: &mut Judge, rate: f64, ours: &[(f64, f64)]) {
    let inside: Vec<bool> = ours
        .iter()
        .filter(|point| point.0 <= 10.0)
        .map(|&(x, cdf)| cdf <= UPDATES.cdf(x) + SLACK && cdf >= UPDATES.age_cdf(x) - SLACK)
        .collect();
    judge.claim(
        format!("{rate} visits a unit: M1 lies between lifetimes and ages (to {SLACK})"),
        &inside,
        "the sandwich is broken beyond the noise",
    );
}
