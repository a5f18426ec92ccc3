//! Visits to simulated pages; one unit of time is one day.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use recrawl_distribution::Samples;
use recrawl_model::TimeUnit;

const UNIT: f64 = 86_400e6;

/// Updates before the first visit, so that the page is in its steady state.
const WARM_UP: f64 = 200.0;

/// A law of times, by its inverse distribution function.
#[derive(Clone, Copy)]
pub(crate) enum Law {
    /// Always the same.
    Constant(f64),
    /// Memoryless, of that mean.
    Exponential(f64),
    /// Between zero and twice the mean.
    Uniform(f64),
    /// `1 - (1 + x)^-3`: the papers' Pareto with shape 3 and scale 1, mean 1/2.
    Pareto,
}

impl Law {
    fn draw(self, random: &mut Pcg64Mcg) -> f64 {
        let u: f64 = 1.0 - random.random::<f64>();
        match self {
            Self::Constant(value) => value,
            Self::Exponential(mean) => -mean * u.ln(),
            Self::Uniform(mean) => 2.0 * mean * u,
            Self::Pareto => u.powf(-1.0 / 3.0) - 1.0,
        }
    }
}

/// The papers' age distribution for Pareto updates, `1 - (1+x)^-2`.
pub(crate) fn pareto_age(x: f64) -> f64 {
    1.0 - (1.0 + x).powi(-2)
}

/// A page that updates by one law, visited by another from 0 to `until`, with
/// dates where asked for.
pub(crate) fn visit(updates: Law, visits: Law, until: f64, seed: u64, dated: bool) -> Samples {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut last_update = -WARM_UP;
    let mut next_update = last_update + updates.draw(&mut random);
    let mut at = 0.0;
    let mut times = Vec::new();
    let mut changed = Vec::new();
    let mut dates = Vec::new();
    while at <= until {
        let before = last_update;
        while next_update <= at {
            last_update = next_update;
            next_update += updates.draw(&mut random);
        }
        let time = (at * UNIT) as i64;
        if times.last() != Some(&time) {
            times.push(time);
            changed.push(last_update > before);
            if times.len() == 1 || last_update > before {
                dates.push(dated.then_some((last_update * UNIT) as i64));
            }
        }
        at += visits.draw(&mut random);
    }
    Samples::from_path(times, changed, TimeUnit::Day)
        .expect("some visits see a change and some do not")
        .with_run_dates(&dates)
}
