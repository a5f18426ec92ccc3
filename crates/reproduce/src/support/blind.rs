//! Blind sampling: a page that renews itself by one law, visited by another.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use recrawl_distribution::{DistributionError, Samples};
use recrawl_model::TimeUnit;

/// Microseconds of a unit of time: a day.
const UNIT: f64 = 86_400e6;

/// Time before the first visit, so that the page is in its steady state.
const WARM_UP: f64 = 200.0;

/// A law of times, drawn by its inverse distribution function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Law {
    /// Always the same.
    Constant(f64),
    /// Memoryless, of that mean.
    Exponential(f64),
    /// Between zero and twice the mean.
    Uniform(f64),
    /// `1 - (1 + x/scale)^-3`: shape 3, mean scale/2.
    Pareto(f64),
}

/// The paper's updates: Pareto with shape 3 and scale 1, two a unit.
pub(crate) const UPDATES: Law = Law::Pareto(1.0);

impl Law {
    fn draw(self, random: &mut Pcg64Mcg) -> f64 {
        let u: f64 = 1.0 - random.random::<f64>();
        match self {
            Self::Constant(value) => value,
            Self::Exponential(mean) => -mean * u.ln(),
            Self::Uniform(mean) => 2.0 * mean * u,
            Self::Pareto(scale) => scale * (u.powf(-1.0 / 3.0) - 1.0),
        }
    }

    /// `F_U(x)`, the law itself.
    pub(crate) fn cdf(self, x: f64) -> f64 {
        match self {
            Self::Constant(value) => f64::from(u8::from(x >= value)),
            Self::Exponential(mean) => -(-x / mean).exp_m1(),
            Self::Uniform(mean) => (x / (2.0 * mean)).min(1.0),
            Self::Pareto(scale) => 1.0 - (1.0 + x / scale).powi(-3),
        }
    }

    /// `G_U(x)`, the law of ages: the integral of the law's tail over its mean.
    pub(crate) fn age_cdf(self, x: f64) -> f64 {
        match self {
            Self::Constant(value) => (x / value).min(1.0),
            Self::Exponential(mean) => -(-x / mean).exp_m1(),
            Self::Uniform(mean) => {
                let share = (x / (2.0 * mean)).min(1.0);
                share * (2.0 - share)
            }
            Self::Pareto(scale) => 1.0 - (1.0 + x / scale).powi(-2),
        }
    }

    /// `E[f(S)]` for times S of this law.
    pub(crate) fn expectation(self, f: impl Fn(f64) -> f64) -> f64 {
        const STEPS: u32 = 20_000;
        if let Self::Constant(value) = self {
            return f(value);
        }
        // The mean over equally likely quantiles, each at the middle of its share.
        let quantile = |u: f64| match self {
            Self::Constant(value) => value,
            Self::Exponential(mean) => -mean * u.ln(),
            Self::Uniform(mean) => 2.0 * mean * u,
            Self::Pareto(scale) => scale * (u.powf(-1.0 / 3.0) - 1.0),
        };
        (0..STEPS)
            .map(|step| f(quantile((f64::from(step) + 0.5) / f64::from(STEPS))))
            .sum::<f64>()
            / f64::from(STEPS)
    }
}

/// Whether visits learn when the page last changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dates {
    Told,
    Untold,
}

/// A page that updates by one law, visited by another from 0 to `until`.
pub(crate) fn visit(
    updates: Law,
    visits: Law,
    until: f64,
    seed: u64,
    dates: Dates,
) -> Result<Samples, DistributionError> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut last_update = -WARM_UP;
    let mut next_update = last_update + updates.draw(&mut random);
    let mut at = 0.0;
    let (mut times, mut changed, mut told) = (Vec::new(), Vec::new(), Vec::new());
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
                told.push((dates == Dates::Told).then_some((last_update * UNIT) as i64));
            }
        }
        at += visits.draw(&mut random);
    }
    Ok(Samples::from_path(times, changed, TimeUnit::Day)?.with_run_dates(&told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_those_on_paper() {
        // E[G(S)] for Pareto updates and exponential visits of mean 1.
        let p = Law::Exponential(1.0).expectation(|s| UPDATES.age_cdf(s));
        assert!((p - 0.596).abs() < 6e-4, "{p}");
        let mean = Law::Uniform(1.0).expectation(|s| s);
        assert!((mean - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_age_law_is_the_integral_of_the_tail() {
        for law in [
            Law::Constant(2.0),
            Law::Exponential(0.5),
            Law::Uniform(1.0),
            Law::Pareto(1.0),
        ] {
            let mean = law.expectation(|u| u);
            let steps = 4_000;
            let integral: f64 = (0..steps)
                .map(|step| (f64::from(step) + 0.5) * 1.5 / f64::from(steps))
                .map(|x| (1.0 - law.cdf(x)) * 1.5 / f64::from(steps))
                .sum();
            assert!((integral / mean - law.age_cdf(1.5)).abs() < 5e-3, "{law:?}");
        }
    }
}
