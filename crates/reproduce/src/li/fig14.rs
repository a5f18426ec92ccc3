//! Fig. 14: G-M4 is biased where visits are random.

use recrawl_chart::{Series, Stroke};
use recrawl_distribution::Method;
use recrawl_distribution::metrics::largest_distance;

use super::fig5::thinned;
use super::{curve, exact_tail, figure, reference, tail, tails_panel};
use crate::support::blind::{Dates, Law, UPDATES, visit};
use crate::support::numbers::log_grid;
use crate::{Findings, Judge, ReproduceError, Setup};

/// What counts as biased: forty times the noise of the path.
const BIASED: f64 = 0.1;

/// G-M4 with exponential and with Pareto visits, one a unit.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let until = setup.scale.pick(100_000.0, 4_000.0);
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    let cases = [
        (
            "Pareto updates, exponential visits",
            UPDATES,
            Law::Exponential(1.0),
        ),
        ("Pareto updates, Pareto visits", UPDATES, Law::Pareto(2.0)),
        (
            "Poisson updates, exponential visits",
            Law::Exponential(0.5),
            Law::Exponential(1.0),
        ),
    ];
    for (number, (name, updates, visits)) in cases.into_iter().enumerate() {
        let samples = visit(
            updates,
            visits,
            until,
            setup.seed + number as u64,
            Dates::Untold,
        )?;
        let ours = curve(Method::GM4, &samples, 0.05, 20.0)?;
        let (found, truth): (Vec<f64>, Vec<f64>) = ours
            .iter()
            .map(|&(x, cdf)| (cdf, updates.age_cdf(x)))
            .unzip();
        let distance = largest_distance(&found, &truth);
        judge.claim(
            format!("{name}: G-M4 is off the ages by more than {BIASED} (here {distance:.2})"),
            &[distance > BIASED],
            "it is not biased here",
        );
        let places = log_grid(0.1, 20.0, 60);
        panels.push(tails_panel(
            name,
            vec![
                reference("ages, 1 - G", exact_tail(&places, |x| updates.age_cdf(x))),
                Series::points("G-M4, simulated", Stroke::Solid, thinned(&tail(&ours))),
            ],
        ));
    }
    let figure = figure(
        "Tails measured by G-M4",
        "two updates and one visit a unit",
        panels,
    );
    Ok(Findings::of(figure, judge, vec![
            "The caption speaks of Pareto updates, so that its two panels are read as two laws of visits; the third is ours."
                .to_owned(),
        ]))
}
