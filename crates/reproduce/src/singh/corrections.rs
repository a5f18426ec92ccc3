//! Section 3.2: how far the corrected Weibull rates are from unbiased.

use rand::SeedableRng;
use rand_distr::{Distribution, Exp1};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use recrawl_chart::{Axis, Series, Stroke};
use recrawl_estimate::{PowerLaw, WeibullVariant};

use crate::support::figures::single;
use crate::support::numbers::{Moments, log_grid};
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Shape and scale of the simulated power law; the ratios do not depend on it.
const SHAPE: f64 = 1.7;
const SCALE: f64 = 30.0;

const POINTS: [usize; 5] = [5, 8, 10, 20, 50];

/// A correction with the exact mean of rate / truth at the last of n points.
type Variant = (WeibullVariant, &'static str, fn(f64) -> f64);

const VARIANTS: [Variant; 3] = [
    (WeibullVariant::Hat, "hat", |n| {
        n * n / ((n - 1.0) * (n - 2.0))
    }),
    (WeibullVariant::Tilde, "tilde", |n| n / (n - 1.0)),
    (WeibullVariant::Check, "check", |n| {
        n * (n - 3.0) / ((n - 1.0) * (n - 2.0))
    }),
];

/// Rate by a variant over the true rate, at the last of n points of a power
/// law.
fn ratio(variant: WeibullVariant, n: usize, random: &mut Pcg64Mcg) -> Option<f64> {
    let mut count = 0.0;
    let points: Vec<f64> = (0..n)
        .map(|_| {
            let gap: f64 = Exp1.sample(random);
            count += gap;
            SCALE * f64::powf(count, 1.0 / SHAPE)
        })
        .collect();
    let last = *points.last()?;
    let truth = SHAPE / SCALE * (last / SCALE).powf(SHAPE - 1.0);
    Some(PowerLaw::fit(&points, variant)?.rate_at(last) / truth)
}

fn simulated(variant: WeibullVariant, n: usize, runs: usize, seed: u64) -> Moments {
    let ratios: Vec<f64> = (0..runs as u64)
        .into_par_iter()
        .filter_map(|run| {
            let mut random = Pcg64Mcg::seed_from_u64(seed ^ run.wrapping_mul(0x9e37_79b9_7f4a));
            ratio(variant, n, &mut random)
        })
        .collect();
    Moments::of(&ratios)
}

/// Mean rate over truth: hat, tilde and check by simulation, and bar with the
/// factor the paper prints.
#[expect(
    clippy::unnecessary_wraps,
    reason = "every experiment has one signature"
)]
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let runs = setup.scale.pick(100_000, 3_000);
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (number, (variant, name, exact)) in VARIANTS.into_iter().enumerate() {
        let mut ours = Vec::new();
        for n in POINTS {
            let found = simulated(variant, n, runs, setup.seed + (number * 1_000 + n) as u64);
            let error = found.deviation / found.count.sqrt();
            judge.exact(
                format!("{name}: mean rate / truth, n = {n}"),
                exact(n as f64),
                found.mean,
                Grounds {
                    tolerance: crate::rounded(5.0 * error),
                    basis: "within five standard errors of the simulation",
                    because: "farther off than chance allows",
                },
            );
            ours.push((n as f64, found.mean));
        }
        let curve = log_grid(4.0, 50.0, 60)
            .into_iter()
            .map(|n| (n, exact(n)))
            .collect();
        series.push(Series::line("exact", Stroke::Dotted, curve));
        series.push(Series::points(
            &format!("simulated, {name}"),
            Stroke::nth(number),
            ours,
        ));
    }
    as_printed(&mut judge, runs, setup.seed);
    let figure = single(
        "Mean of the Weibull rates relative to the truth",
        "at the last of n update points of a power law; 1 is unbiased",
        Axis::logarithmic("n, update points", 4.0, 50.0),
        Axis::linear("E[rate] / truth", 0.5, 2.5),
        series,
    );
    Ok(Findings::of(
        figure,
        judge,
        vec!["Not a figure of the paper: it measures what section 3.2 asserts.".to_owned()],
    ))
}

/// What the paper calls unbiased.
fn as_printed(judge: &mut Judge, runs: usize, seed: u64) {
    for n in [10usize, 50] {
        let found = simulated(WeibullVariant::Check, n, runs, seed + n as u64);
        judge.published(
            format!("check, which the paper calls unbiased: mean rate / truth, n = {n}"),
            1.0,
            Some(found.mean),
            Grounds {
                tolerance: 0.01,
                basis: "unbiased to 1 %",
                because: "check is n(n-3)/((n-1)(n-2)) of the truth, unbiased only as n grows",
            },
        );
        let hat = simulated(WeibullVariant::Hat, n, runs, seed + 7 + n as u64);
        judge.published(
            format!("bar with the printed factor (n-3)/2: mean rate / truth, n = {n}"),
            1.0,
            Some((n as f64 - 3.0) / 2.0 * hat.mean),
            Grounds {
                tolerance: 0.01,
                basis: "unbiased to 1 %",
                because: "a misprint: the factor must be (n-3)/n",
            },
        );
    }
}
