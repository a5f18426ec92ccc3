//! Fig. 8: the mean update and the update law from M2.

use recrawl_chart::{Axis, Panel, Series, Stroke};
use recrawl_distribution::derivative::slope_at_zero;
use recrawl_distribution::metrics::largest_distance;
use recrawl_distribution::{Grid, Method, Samples, estimate};

use super::fig5::thinned;
use super::{curve, exact_tail, figure, reference, tail, tails_panel};
use crate::support::blind::{Dates, Law, UPDATES, visit};
use crate::support::numbers::log_grid;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// A hundred visits a unit.
const INTERVAL: f64 = 0.01;

/// Steps of the derivative, from the largest down.
const STEPS: [f64; 6] = [2.0, 1.0, 0.5, 0.25, 0.125, 0.0625];

/// E[U] over the step, and the update law.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let until = setup.scale.pick(20_000.0, 500.0);
    let visits = Law::Constant(INTERVAL);
    let samples = visit(UPDATES, visits, until, setup.seed, Dates::Told)?;
    let mut judge = Judge::new();
    let panels = vec![
        mean_update(&mut judge, setup, &samples)?,
        update_law(&mut judge, setup, &samples)?,
    ];
    let figure = figure(
        "Mean update and update law by M2",
        "Pareto updates, constant visits, 100 a unit",
        panels,
    );
    Ok(Findings::of(
        figure,
        judge,
        vec!["“k-point” is read as five nodes, zero among them.".to_owned()],
    ))
}

/// The slope of the measured ages at zero, step by step.
fn mean_update(
    judge: &mut Judge,
    setup: &Setup<'_>,
    samples: &Samples,
) -> Result<Panel, ReproduceError> {
    let noise = setup.scale.pick(0.02, 0.15);
    // Every node of the derivative lies on a grid as fine as the least step.
    let finest = STEPS[STEPS.len() - 1];
    let ages = curve(Method::M2, samples, finest, 4.0 * STEPS[0])?;
    let at = |x: f64| match (x / finest).round() as usize {
        0 => 0.0,
        place => ages[place - 1].1,
    };
    let exact = |step: f64| 1.0 / slope_at_zero(|x| UPDATES.age_cdf(x), step);
    let mut ours = Vec::new();
    for step in STEPS {
        let found = 1.0 / slope_at_zero(at, step);
        let grounds = Grounds {
            tolerance: crate::rounded(noise / step.min(1.0).sqrt()),
            basis: "within the noise of one path, which grows as h falls",
            because: "farther off than the noise of one path",
        };
        let quantity = format!("E[U] by the five-point rule, h = {step}");
        judge.exact(quantity, exact(step), found, grounds);
        ours.push((step, found));
    }
    let line = log_grid(0.06, 2.0, 60)
        .into_iter()
        .map(|step| (step, exact(step)));
    Ok(Panel {
        title: "mean update over the step".to_owned(),
        x: Axis::logarithmic("h", 0.06, 2.0),
        y: Axis::linear("E[U]", 0.4, 1.2),
        series: vec![
            reference("exact", line.collect()),
            Series::points("M2, simulated", Stroke::Solid, ours),
        ],
    })
}

/// The update law, and the mean that the search on h finds.
fn update_law(
    judge: &mut Judge,
    setup: &Setup<'_>,
    samples: &Samples,
) -> Result<Panel, ReproduceError> {
    let grid = Grid::new(0.1, 10.0, samples.unit())?;
    let distribution = estimate(Method::M2, samples, &grid)?;
    judge.exact(
        "E[U] found by the search on h",
        0.5,
        distribution.mean_update.unwrap_or(f64::NAN),
        Grounds {
            tolerance: setup.scale.pick(0.02, 0.15),
            basis: "the true value, as printed, to the noise of one path",
            because: "the search stopped elsewhere",
        },
    );
    let updates: Vec<(f64, f64)> = distribution
        .points
        .iter()
        .filter_map(|point| Some((point.x, point.update_cdf?)))
        .collect();
    let (found, truth): (Vec<f64>, Vec<f64>) = updates
        .iter()
        .map(|&(x, cdf)| (cdf, UPDATES.cdf(x)))
        .unzip();
    judge.exact(
        "largest distance of the update law from the truth (“indistinguishable”)",
        0.0,
        largest_distance(&found, &truth),
        Grounds {
            tolerance: setup.scale.pick(0.03, 0.2),
            basis: "within 0.03",
            because: "a derivative of a measured curve is rough",
        },
    );
    let places = log_grid(0.1, 10.0, 60);
    Ok(tails_panel(
        "update law",
        vec![
            reference("exact", exact_tail(&places, |x| UPDATES.cdf(x))),
            Series::points("M2, simulated", Stroke::Solid, thinned(&tail(&updates))),
        ],
    ))
}
