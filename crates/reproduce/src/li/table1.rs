//! Table I: convergence of M4 and M5; and the means of section V.

use std::f64::consts::PI;

use rayon::prelude::*;
use recrawl_chart::{Axis, Panel, Series, Stroke};
use recrawl_distribution::metrics::{largest_distance, weighted_mean_relative_difference};
use recrawl_distribution::{Grid, Method, estimate};

use super::figure;
use crate::support::blind::{Dates, Law, UPDATES, visit};
use crate::support::numbers::slope;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup, Table, number};

/// Lengths of paths and how many of each.
const LENGTHS: [(f64, u64); 5] = [(1e2, 600), (1e3, 300), (1e4, 100), (1e5, 24), (1e6, 8)];

/// WMRD and KS of M4 and M5, and the mean values they keep.
#[derive(Debug, Clone, Copy, Default)]
struct Errors {
    wmrd: [f64; 2],
    ks: [f64; 2],
    mean_m3: f64,
    mean_m4: f64,
}

fn one_path(until: f64, seed: u64) -> Result<Errors, ReproduceError> {
    let samples = visit(UPDATES, Law::Constant(1.0), until, seed, Dates::Untold)?;
    let longest = samples.runs().iter().map(|run| run.visits.len()).max();
    let grid = Grid::new(1.0, longest.unwrap_or(1) as f64, samples.unit())?;
    let mut errors = Errors::default();
    for (place, method) in [Method::M4, Method::M5].into_iter().enumerate() {
        let distribution = estimate(method, &samples, &grid)?;
        let points = &distribution.points;
        let curve: Vec<f64> = points.iter().filter_map(|point| point.cdf).collect();
        let truth: Vec<f64> = (1..=curve.len())
            .map(|n| UPDATES.age_cdf(n as f64))
            .collect();
        errors.wmrd[place] = weighted_mean_relative_difference(&curve, &truth);
        errors.ks[place] = largest_distance(&curve, &truth);
        if method == Method::M4 {
            errors.mean_m4 = distribution.mean_kept.unwrap_or(f64::NAN);
        }
    }
    let m3 = estimate(Method::M3, &samples, &grid)?;
    errors.mean_m3 = m3.mean_kept.unwrap_or(f64::NAN);
    Ok(errors)
}

fn mean_errors(until: f64, paths: u64, seed: u64) -> Result<Errors, ReproduceError> {
    let all: Vec<Errors> = (0..paths)
        .into_par_iter()
        .map(|path| one_path(until, seed + path))
        .collect::<Result<_, _>>()?;
    let mean =
        |value: &dyn Fn(&Errors) -> f64| all.iter().map(value).sum::<f64>() / all.len() as f64;
    Ok(Errors {
        wmrd: [mean(&|one| one.wmrd[0]), mean(&|one| one.wmrd[1])],
        ks: [mean(&|one| one.ks[0]), mean(&|one| one.ks[1])],
        mean_m3: mean(&|one| one.mean_m3),
        mean_m4: mean(&|one| one.mean_m4),
    })
}

/// Errors over the length of the path.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let lengths = &LENGTHS[..setup.scale.pick(LENGTHS.len(), 3)];
    let fewer = setup.scale.pick(1, 20);
    let found: Vec<(f64, Errors)> = lengths
        .iter()
        .map(|&(until, paths)| {
            let paths = (paths / fewer).max(4);
            Ok((until, mean_errors(until, paths, setup.seed)?))
        })
        .collect::<Result<_, ReproduceError>>()?;
    let mut table = Table::new(&["T", "wmrd_m4", "wmrd_m5", "ks_m4", "ks_m5"]);
    for (until, errors) in &found {
        let cells = [
            *until,
            errors.wmrd[0],
            errors.wmrd[1],
            errors.ks[0],
            errors.ks[1],
        ];
        table.rows.push(cells.map(number).to_vec());
    }
    let mut judge = Judge::new();
    rows(&mut judge, setup, &found);
    let series = |pick: fn(&Errors) -> [f64; 2]| {
        let line = |place: usize| {
            found
                .iter()
                .map(|(until, errors)| (*until, pick(errors)[place]))
                .collect()
        };
        vec![
            Series::line("M4", Stroke::Solid, line(0)),
            Series::points("M5", Stroke::Dashed, line(1)),
        ]
    };
    let panel = |title: &str, pick| Panel {
        title: title.to_owned(),
        x: Axis::logarithmic("T, length of the path", 1e2, 1e6),
        y: Axis::logarithmic("distance from G", 1e-4, 0.1),
        series: series(pick),
    };
    let figure = figure(
        "Convergence of M4 and M5",
        "Pareto updates, one visit a unit",
        vec![
            panel("WMRD", |errors| errors.wmrd),
            panel("KS", |errors| errors.ks),
        ],
    );
    Ok(Findings {
        table,
        figure,
        rows: judge.rows(),
        notes: vec![
            "The numbers of the table are lost; its two sentences and the means of section V are judged. WMRD is \
             summed up to the longest length observed, since the printed sum has no end."
                .to_owned(),
        ],
    })
}

fn rows(judge: &mut Judge, setup: &Setup<'_>, found: &[(f64, Errors)]) {
    let power = Grounds {
        tolerance: setup.scale.pick(0.06, 0.3),
        basis: "error falls as 1/sqrt(T), as printed",
        because: "another power",
    };
    let late: Vec<_> = found.iter().skip(1).collect();
    let wmrd = Grounds {
        because: "falls faster here: the sum ends at the longest length observed, which grows with T; the print leaves its end open",
        ..power
    };
    let falls = |pick: fn(&Errors) -> f64| {
        let logs: Vec<(f64, f64)> = late
            .iter()
            .map(|(until, errors)| (until.ln(), pick(errors).ln()))
            .collect();
        Some(slope(&logs))
    };
    judge.published(
        "power of T with which WMRD of M4 falls",
        -0.5,
        falls(|errors| errors.wmrd[0]),
        wmrd,
    );
    judge.published(
        "power of T with which KS of M4 falls",
        -0.5,
        falls(|errors| errors.ks[0]),
        power,
    );
    let alike: Vec<bool> = late
        .iter()
        .map(|(_, errors)| (errors.ks[0] / errors.ks[1] - 1.0).abs() < 0.02)
        .collect();
    judge.claim(
        "M4 and M5 are identical from T = 1,000 on (KS to 2 %)",
        &alike,
        "they differ here",
    );
    if let Some((_, longest)) = found.last() {
        means(judge, setup, longest);
    }
}

/// The means of section V.
fn means(judge: &mut Judge, setup: &Setup<'_>, longest: &Errors) {
    let mean = Grounds {
        tolerance: setup.scale.pick(0.01, 0.15),
        basis: "to the digits printed",
        because: "the limit is pi^2/6 = 1.645; the variance is infinite, so that finite simulations scatter about it, the paper's too",
    };
    judge.published("E[D3], visits every 1", 1.33, Some(longest.mean_m3), mean);
    judge.published(
        "E[D4], visits every 1, by simulation",
        1.63,
        Some(longest.mean_m4),
        mean,
    );
    judge.published(
        "E[D4], exactly: pi^2/6",
        1.63,
        Some(PI * PI / 6.0),
        Grounds {
            tolerance: 0.01,
            ..mean
        },
    );
}
