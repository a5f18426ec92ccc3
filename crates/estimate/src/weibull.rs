//! `weibull`: a rate that moves as a power of time (Singh section 3.2).

use std::sync::OnceLock;

use recrawl_model::History;
use statrs::distribution::{Continuous, Gamma as GammaLaw};
use statrs::function::gamma::{digamma, gamma_lr};

use crate::confidence::gamma_quantile;
use crate::estimator::Bounds;
use crate::root::rising_root;
use crate::update_points::points_of_one_page;
use crate::{Confidence, Detail, Estimate, Estimator, Placement};

/// Which correction of the maximum-likelihood rate is reported.
///
/// At the last of n update points the expected rates, relative to the truth,
/// are: hat n^2/((n-1)(n-2)), tilde n/(n-1), check and bar
/// n(n-3)/((n-1)(n-2)). "Unbiased" in the paper holds only approximately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WeibullVariant {
    /// Maximum likelihood.
    Hat,
    /// Shape corrected: b~ = (n-2)/n b^.
    Tilde,
    /// (n-3)/(n-2) times tilde, the paper's choice.
    #[default]
    Check,
    /// (n-3)/n times hat. (The paper prints (n-3)/2.)
    Bar,
}

/// Update points needed: the corrections divide by n - 3.
pub(crate) const FEWEST_POINTS: usize = 4;

/// Rate at the last update point of the power law
/// `rate(t) = (b/eta)(t/eta)^(b-1)`, t in days since the first visit.
///
/// Maximum likelihood on n update points t_1..t_n: `b^ = n / sum ln(t_n/t_i)`,
/// `eta^ = t_n / n^(1/b^)`. Holds for independent changes whose rate rises or
/// falls steadily, with every update seen. The interval is exact for that
/// model: n b/b^ and (t_n/eta)^b are independent gamma laws of shape n-1 and n,
/// so rate/rate^ is their product over n^2.
#[derive(Debug)]
pub struct Weibull {
    /// Which correction is reported.
    pub variant: WeibullVariant,
    /// Where updates without a date are placed.
    pub placement: Placement,
    pivots: PivotBounds,
}

/// A fitted power law on a time axis that starts at 0, in days.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    /// b, the variant's own.
    pub shape: f64,
    /// eta in days, so that (t/eta)^b updates are expected up to t.
    pub scale_days: f64,
    /// What the variant multiplies the rate by.
    pub factor: f64,
    /// b^ of maximum likelihood, which intervals start from.
    pub likeliest_shape: f64,
}

impl PowerLaw {
    /// Fits `points`, days after the origin in rising order; `None` for fewer
    /// than four, for points not after the origin, or all at one moment.
    #[must_use]
    pub fn fit(points: &[f64], variant: WeibullVariant) -> Option<Self> {
        let n = points.len() as f64;
        let last = *points.last()?;
        if points.len() < FEWEST_POINTS || points.iter().any(|&t| t <= 0.0) {
            return None;
        }
        let logs: f64 = points.iter().map(|t| (last / t).ln()).sum();
        if logs <= 0.0 {
            return None;
        }
        let likeliest_shape = n / logs;
        let corrected = (n - 2.0) / n * likeliest_shape;
        let (shape, factor) = match variant {
            WeibullVariant::Hat => (likeliest_shape, 1.0),
            WeibullVariant::Tilde => (corrected, 1.0),
            WeibullVariant::Check => (corrected, (n - 3.0) / (n - 2.0)),
            WeibullVariant::Bar => (likeliest_shape, (n - 3.0) / n),
        };
        let scale_days = last / n.powf(1.0 / shape);
        Some(Self {
            shape,
            scale_days,
            factor,
            likeliest_shape,
        })
    }

    /// Changes a day at t `days` after the origin.
    #[must_use]
    pub fn rate_at(&self, days: f64) -> f64 {
        let relative = days / self.scale_days;
        self.factor * self.shape / self.scale_days * relative.powf(self.shape - 1.0)
    }
}

impl Weibull {
    /// The estimator, with intervals at this confidence.
    #[must_use]
    pub fn new(variant: WeibullVariant, placement: Placement, confidence: Confidence) -> Self {
        Self {
            variant,
            placement,
            pivots: PivotBounds::new(confidence),
        }
    }

    /// Interval, in changes a day, for the rate at the last of `n` points.
    pub(crate) fn interval(&self, law: &PowerLaw, n: usize, last_days: f64) -> Bounds {
        let likeliest = n as f64 * law.likeliest_shape / last_days;
        let (low, high) = self.pivots.at(n);
        (Some(likeliest * low), Some(likeliest * high))
    }
}

impl Estimator for Weibull {
    fn name(&self) -> &'static str {
        "weibull"
    }

    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate {
        let (tally, points) = match points_of_one_page(self.name(), histories, self.placement) {
            Ok(found) => found,
            Err(no_answer) => return *no_answer,
        };
        let Some((law, &last)) = PowerLaw::fit(&points, self.variant).zip(points.last()) else {
            let reason = format!("{} update points; four are needed", points.len());
            return Estimate::none(self.name(), tally, reason);
        };
        let bounds = self.interval(&law, points.len(), last);
        Estimate::new(self.name(), tally, law.rate_at(last), bounds).with_detail(Detail::PowerLaw {
            shape: law.shape,
            scale_days: Some(law.scale_days),
        })
    }
}

/// Quantiles of rate/rate^ by number of update points, remembered.
#[derive(Debug)]
struct PivotBounds {
    confidence: Confidence,
    rows: Vec<OnceLock<(f64, f64)>>,
}

/// Numbers of points up to which the exact law is used; beyond, the product of
/// gamma laws is log-normal to more digits than a user can see.
const EXACT_UP_TO: usize = 400;

impl PivotBounds {
    fn new(confidence: Confidence) -> Self {
        Self {
            confidence,
            rows: (0..=EXACT_UP_TO).map(|_| OnceLock::new()).collect(),
        }
    }

    fn at(&self, n: usize) -> (f64, f64) {
        let tail = self.confidence.tail();
        let both = |quantile: fn(usize, f64) -> f64| (quantile(n, tail), quantile(n, 1.0 - tail));
        match self.rows.get(n) {
            Some(row) => *row.get_or_init(|| both(product_quantile)),
            None => both(product_quantile_for_many),
        }
    }
}

/// The p-quantile of Gamma(n) x Gamma(n-1) / n^2, by quadrature.
fn product_quantile(n: usize, p: f64) -> f64 {
    let (n_points, norm) = (n as f64, (n * n) as f64);
    let low = gamma_quantile(n_points, 1e-9) * gamma_quantile(n_points - 1.0, 1e-9) / norm;
    let high =
        gamma_quantile(n_points, 1.0 - 1e-9) * gamma_quantile(n_points - 1.0, 1.0 - 1e-9) / norm;
    rising_root(low, high, p, |ratio| product_below(n_points, ratio * norm))
}

/// P(Gamma(n) x Gamma(n-1) <= q) = integral of f_n(x) P_{n-1}(q/x) dx, by
/// Simpson's rule over where f_n is not negligible.
fn product_below(n: f64, q: f64) -> f64 {
    const STEPS: usize = 120;
    let Ok(density) = GammaLaw::new(n, 1.0) else {
        return f64::NAN;
    };
    let (from, to) = (gamma_quantile(n, 1e-9), gamma_quantile(n, 1.0 - 1e-9));
    let width = (to - from) / STEPS as f64;
    let term = |step: usize| {
        let x = from + step as f64 * width;
        let weight = match step {
            0 | STEPS => 1.0,
            _ if step % 2 == 1 => 4.0,
            _ => 2.0,
        };
        weight * density.pdf(x) * gamma_lr(n - 1.0, q / x)
    };
    (0..=STEPS).map(term).sum::<f64>() * width / 3.0
}

/// The same for many points: the logarithm of a gamma law of shape k has mean
/// digamma(k) and variance close to 1/(k - 1/2), and is nearly normal.
fn product_quantile_for_many(n: usize, p: f64) -> f64 {
    let k = n as f64;
    let mean = digamma(k) + digamma(k - 1.0) - 2.0 * k.ln();
    let spread = (1.0 / (k - 0.5) + 1.0 / (k - 1.5)).sqrt();
    (mean + spread * normal_quantile(p)).exp()
}

/// The p-quantile of the standard normal law.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    -std::f64::consts::SQRT_2 * statrs::function::erf::erfc_inv(2.0 * p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_distr::{Distribution, Exp1};
    use rand_pcg::Pcg64Mcg;

    /// n update points of a power law with shape b and scale 1, from a unit
    /// Poisson process.
    fn power_law_points(n: usize, shape: f64, random: &mut Pcg64Mcg) -> Vec<f64> {
        let mut arrival = 0.0;
        (0..n)
            .map(|_| {
                let gap: f64 = Exp1.sample(random);
                arrival += gap;
                f64::powf(arrival, 1.0 / shape)
            })
            .collect()
    }

    #[test]
    fn the_likelihood_has_its_maximum_at_the_fit() {
        let points = [0.4, 1.1, 1.9, 2.2, 3.7];
        let law = PowerLaw::fit(&points, WeibullVariant::Hat).expect("five points");
        let log_likelihood = |b: f64, eta: f64| {
            let log_rates: f64 = points
                .iter()
                .map(|t| (b / eta).ln() + (b - 1.0) * (t / eta).ln())
                .sum();
            log_rates - (3.7 / eta).powf(b)
        };
        let best = log_likelihood(law.shape, law.scale_days);
        for (b, eta) in [(1.02, 1.0), (0.98, 1.0), (1.0, 1.02), (1.0, 0.98)] {
            assert!(log_likelihood(law.shape * b, law.scale_days * eta) < best);
        }
    }

    #[test]
    fn the_variants_stand_in_the_printed_ratios() {
        let points = [1.0, 2.0, 3.5, 4.0, 6.0, 9.0];
        let rate = |variant| {
            PowerLaw::fit(&points, variant)
                .expect("six points")
                .rate_at(9.0)
        };
        let hat = rate(WeibullVariant::Hat);
        assert!((rate(WeibullVariant::Tilde) / hat - 4.0 / 6.0).abs() < 1e-12);
        assert!((rate(WeibullVariant::Check) / hat - 3.0 / 6.0).abs() < 1e-12);
        assert!((rate(WeibullVariant::Bar) / hat - 3.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn the_mean_rate_is_off_by_the_exact_factors() {
        // ALGORITHMS 2.3: check 0.667 at n = 4, 0.952 at n = 8.
        let mut random = Pcg64Mcg::seed_from_u64(23);
        for (n, expected) in [(4, 0.667), (8, 0.952)] {
            let shape = 1.4;
            let runs = 40_000;
            let mean: f64 = (0..runs)
                .map(|_| {
                    let points = power_law_points(n, shape, &mut random);
                    let last = points[n - 1];
                    let law = PowerLaw::fit(&points, WeibullVariant::Check).expect("points");
                    law.rate_at(last) / (shape * last.powf(shape - 1.0))
                })
                .sum::<f64>()
                / f64::from(runs);
            assert!((mean - expected).abs() < 0.025, "n={n}: {mean}");
        }
    }

    #[test]
    fn the_interval_holds_its_level_for_a_power_law() {
        let mut random = Pcg64Mcg::seed_from_u64(7);
        let method = Weibull::new(
            WeibullVariant::Check,
            Placement::Middle,
            Confidence::default(),
        );
        for (n, shape) in [(4, 0.6), (10, 2.0)] {
            let runs = 4_000;
            let held = (0..runs)
                .filter(|_| {
                    let points = power_law_points(n, shape, &mut random);
                    let law = PowerLaw::fit(&points, WeibullVariant::Check).expect("points");
                    let (low, high) = method.interval(&law, n, points[n - 1]);
                    let truth = shape * points[n - 1].powf(shape - 1.0);
                    low.expect("bounded") <= truth && truth <= high.expect("bounded")
                })
                .count();
            let coverage = held as f64 / f64::from(runs);
            assert!((coverage - 0.95).abs() < 0.012, "n={n}: {coverage}");
        }
    }

    #[test]
    fn the_law_for_many_points_meets_the_exact_one() {
        for p in [0.025, 0.5, 0.975] {
            let (exact, many) = (product_quantile(300, p), product_quantile_for_many(300, p));
            assert!((exact / many - 1.0).abs() < 2e-3, "{p}: {exact} {many}");
        }
    }

    #[test]
    fn normal_quantiles_are_the_tables() {
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-9);
    }
}
