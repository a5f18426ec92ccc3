//! Fig. 9: how slowly the mean age comes in.

use rayon::prelude::*;
use recrawl_chart::{Axis, Panel, Series, Stroke};
use recrawl_distribution::{DistributionError, Grid, Method, estimate};

use super::figure;
use crate::support::blind::{Dates, Law, UPDATES, visit};
use crate::support::numbers::slope;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Mean age of Pareto updates: E[U²]/(2 E[U]) = 1.
const MEAN_AGE: f64 = 1.0;

/// Lengths and paths of the first panel; the paper has 1,000 paths up to 10^7.
const LENGTHS: [(f64, u64); 5] = [(1e2, 1_000), (1e3, 1_000), (1e4, 400), (1e5, 80), (1e6, 16)];

/// Mean times between visits of the second panel, at T = 10^4.
const INTERVALS: [f64; 6] = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0];

/// Mean of |1 - mean age seen / mean age| over paths.
fn error(interval: f64, until: f64, paths: u64, seed: u64) -> Result<f64, ReproduceError> {
    let errors: Vec<f64> = (0..paths)
        .into_par_iter()
        .map(|path| {
            let visits = Law::Exponential(interval);
            let samples = match visit(UPDATES, visits, until, seed + path, Dates::Told) {
                // A short path of rare visits may never see the page at rest.
                Err(DistributionError::AlwaysChanged { .. }) => return Ok(None),
                made => made?,
            };
            let grid = Grid::new(1.0, 1.0, samples.unit())?;
            let mean = estimate(Method::M2, &samples, &grid)?.mean_kept;
            Ok(mean.map(|mean| (1.0 - mean / MEAN_AGE).abs()))
        })
        .filter_map(Result::transpose)
        .collect::<Result<_, ReproduceError>>()?;
    Ok(errors.iter().sum::<f64>() / errors.len() as f64)
}

/// Relative error of the mean age over the length of the path and over the
/// time between visits.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let lengths = &LENGTHS[..setup.scale.pick(LENGTHS.len(), 2)];
    let fewer = setup.scale.pick(1, 40);
    let by_length: Vec<(f64, f64)> = lengths
        .iter()
        .map(|&(until, paths)| Ok((until, error(1.0, until, paths / fewer, setup.seed)?)))
        .collect::<Result<_, ReproduceError>>()?;
    let until = setup.scale.pick(1e4, 3e3);
    let by_interval: Vec<(f64, f64)> = INTERVALS
        .iter()
        .map(|&interval| {
            let seed = setup.seed + 7_000;
            Ok((interval, error(interval, until, 800 / fewer, seed)?))
        })
        .collect::<Result<_, ReproduceError>>()?;
    let mut judge = Judge::new();
    rows(&mut judge, setup, &by_length, &by_interval);
    let panel = |title: &str, x: Axis, points| Panel {
        title: title.to_owned(),
        x,
        y: Axis::logarithmic("relative error of the mean age", 0.005, 1.0),
        series: vec![Series::line("M2, simulated", Stroke::Solid, points)],
    };
    let figure = figure(
        "Error of the mean age of M2",
        "Pareto updates, exponential visits",
        vec![
            panel(
                "one visit a unit",
                Axis::logarithmic("T, length of the path", 1e2, 1e6),
                by_length,
            ),
            panel(
                "T = 10,000",
                Axis::logarithmic("mean time between visits", 0.1, 30.0),
                by_interval,
            ),
        ],
    );
    Ok(Findings::of(figure, judge, vec![
            "The paper goes on to T = 10^7 with 1,000 paths each; here long paths are fewer, and the longest is 10^6.".to_owned(),
            "The variance of ages is infinite, so that the error falls as T^(-1/3) and not as T^(-1/2).".to_owned(),
        ]))
}

fn rows(
    judge: &mut Judge,
    setup: &Setup<'_>,
    by_length: &[(f64, f64)],
    by_interval: &[(f64, f64)],
) {
    judge.claim(
        "the error falls as the path grows",
        &by_length
            .windows(2)
            .map(|pair| pair[1].1 < pair[0].1)
            .collect::<Vec<_>>(),
        "few paths of heavy tails",
    );
    let logs: Vec<(f64, f64)> = by_length
        .iter()
        .map(|&(until, error)| (until.ln(), error.ln()))
        .collect();
    judge.exact(
        "power of T with which the error falls",
        -1.0 / 3.0,
        slope(&logs),
        Grounds {
            tolerance: setup.scale.pick(0.08, 0.4),
            basis: "near -1/3: squares of lifetimes have tail index 3/2, and their mean converges as T^(1/(3/2) - 1)",
            because: "heavy tails need longer paths to show their power",
        },
    );
    let stable = (by_interval[0].1 / by_interval[1].1 - 1.0).abs();
    judge.claim(
        "more visits help only up to a point: from 0.3 to 0.1 between visits the error moves by less than a sixth",
        &[stable < 1.0 / 6.0],
        "it still moves here",
    );
    judge.claim(
        "the error is larger with 30 between visits than with 1",
        &[by_interval[5].1 > by_interval[2].1],
        "it is not here",
    );
}
