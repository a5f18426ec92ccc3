//! `duane`: a straight line through log mean time between updates (Singh 3.3).

use std::sync::OnceLock;

use rand::SeedableRng;
use rand_distr::{Distribution, Exp1};
use rand_pcg::Pcg64Mcg;
use recrawl_model::History;

use crate::estimator::Bounds;
use crate::update_points::points_of_one_page;
use crate::{Confidence, Detail, Estimate, Estimator, Placement};

/// How the line is drawn and what rate is read from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DuaneVariant {
    /// Least squares over all points; rate = t^-gamma/alpha, the mean rate up
    /// to t, as printed.
    #[default]
    Cumulative,
    /// Least squares over all points; rate = (1-gamma) t^-gamma/alpha, the rate
    /// at t.
    Instantaneous,
    /// A line through the first and the last point; rate as in `Cumulative`.
    TwoPoint,
}

/// Update points needed: two would make any line fit.
pub(crate) const FEWEST_POINTS: usize = 3;

/// Duane's plot: `log(t_i/i) = log alpha + gamma log t_i`, t_i the time of the
/// i-th update in days since the first visit. Reported as a power law of shape
/// 1 - gamma and scale alpha^(1/(1-gamma)).
///
/// Holds for rates that move as a power of time. For that model the ratio of
/// estimate to truth has one law for each number of points, whatever shape and
/// scale are, so its quantiles, drawn once with a fixed seed, give an interval
/// that holds its level.
#[derive(Debug)]
pub struct Duane {
    /// How the line is drawn and read.
    pub variant: DuaneVariant,
    /// Where updates without a date are placed.
    pub placement: Placement,
    pivots: PivotBounds,
}

/// The fitted line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DuaneLine {
    /// Slope of log mean time between updates over log time. No unit.
    pub gamma: f64,
    /// log of alpha.
    pub log_alpha: f64,
}

impl DuaneLine {
    /// Fits `points`, days after the origin in rising order; `None` for fewer
    /// than three or points not after the origin.
    #[must_use]
    pub fn fit(points: &[f64], variant: DuaneVariant) -> Option<Self> {
        if points.len() < FEWEST_POINTS || points.iter().any(|&t| t <= 0.0) {
            return None;
        }
        let mut log_pairs = points.iter().enumerate().map(|(i, &t)| {
            let x = t.ln();
            (x, x - ((i + 1) as f64).ln())
        });
        let (gamma, log_alpha) = match variant {
            DuaneVariant::TwoPoint => {
                let (first, last) = (log_pairs.next()?, log_pairs.next_back()?);
                let gamma = (last.1 - first.1) / (last.0 - first.0);
                (gamma, last.1 - gamma * last.0)
            }
            DuaneVariant::Cumulative | DuaneVariant::Instantaneous => {
                let n = points.len() as f64;
                let (sum_x, sum_y) = log_pairs
                    .clone()
                    .fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
                let (mean_x, mean_y) = (sum_x / n, sum_y / n);
                let (covariance, variance) = log_pairs.fold((0.0, 0.0), |(c, v), (x, y)| {
                    (c + (x - mean_x) * (y - mean_y), v + (x - mean_x).powi(2))
                });
                let gamma = covariance / variance;
                (gamma, mean_y - gamma * mean_x)
            }
        };
        gamma.is_finite().then_some(Self { gamma, log_alpha })
    }

    /// Changes a day at t `days` after the origin.
    #[must_use]
    pub fn rate_at(&self, days: f64, variant: DuaneVariant) -> f64 {
        let cumulative = (-self.log_alpha - self.gamma * days.ln()).exp();
        match variant {
            DuaneVariant::Instantaneous => (1.0 - self.gamma) * cumulative,
            DuaneVariant::Cumulative | DuaneVariant::TwoPoint => cumulative,
        }
    }
}

impl Duane {
    /// The estimator, with intervals at this confidence.
    #[must_use]
    pub fn new(variant: DuaneVariant, placement: Placement, confidence: Confidence) -> Self {
        Self {
            variant,
            placement,
            pivots: PivotBounds::new(variant, confidence),
        }
    }

    /// Interval, in changes a day, around a rate estimated from `n` points.
    pub(crate) fn interval(&self, daily: f64, n: usize) -> Bounds {
        let (low, high) = self.pivots.at(n);
        (Some(daily / high), (low > 0.0).then(|| daily / low))
    }
}

impl Estimator for Duane {
    fn name(&self) -> &'static str {
        "duane"
    }

    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate {
        let (tally, points) = match points_of_one_page(self.name(), histories, self.placement) {
            Ok(found) => found,
            Err(no_answer) => return *no_answer,
        };
        let Some((line, &last)) = DuaneLine::fit(&points, self.variant).zip(points.last()) else {
            let reason = format!("{} update points; three are needed", points.len());
            return Estimate::none(self.name(), tally, reason);
        };
        let daily = line.rate_at(last, self.variant);
        let shape = 1.0 - line.gamma;
        if daily < 0.0 {
            let reason = "updates slow down faster than any power law allows; use weibull";
            return Estimate::none(self.name(), tally, reason);
        }
        let scale_days = (shape > 0.0).then(|| (line.log_alpha / shape).exp());
        Estimate::new(
            self.name(),
            tally,
            daily,
            self.interval(daily, points.len()),
        )
        .with_detail(Detail::PowerLaw { shape, scale_days })
    }
}

/// Quantiles of estimate/truth by number of points, remembered.
#[derive(Debug)]
struct PivotBounds {
    variant: DuaneVariant,
    confidence: Confidence,
    rows: Vec<OnceLock<(f64, f64)>>,
}

/// Numbers of points drawn for; beyond, the spread of the log ratio is taken to
/// shrink as one over the root of the number.
const DRAWN_UP_TO: usize = 200;

/// Draws behind each pair of quantiles: a coverage error of about 0.3 %.
const DRAWS: usize = 4_000;

impl PivotBounds {
    fn new(variant: DuaneVariant, confidence: Confidence) -> Self {
        let rows = (0..=DRAWN_UP_TO).map(|_| OnceLock::new()).collect();
        Self {
            variant,
            confidence,
            rows,
        }
    }

    fn at(&self, n: usize) -> (f64, f64) {
        let drawn = n.min(DRAWN_UP_TO);
        let (low, high) = *self.rows[drawn].get_or_init(|| self.draw(drawn));
        let shrink = (drawn as f64 / n as f64).sqrt();
        (low.powf(shrink), high.powf(shrink))
    }

    /// Draws update points of the unit power law (shape and scale 1) and
    /// returns the quantiles of estimate/truth at the last one. The truth is
    /// the mean rate u/t = 1 for cumulative readings (with u the expected count
    /// up to the last point), and the rate itself, 1, for the instantaneous.
    fn draw(&self, n: usize) -> (f64, f64) {
        let mut random = Pcg64Mcg::seed_from_u64(n as u64);
        let mut points = vec![0.0; n];
        let mut ratios: Vec<f64> = (0..DRAWS)
            .filter_map(|_| {
                let mut arrival = 0.0;
                for point in &mut points {
                    let gap: f64 = Exp1.sample(&mut random);
                    arrival += gap;
                    *point = arrival;
                }
                let line = DuaneLine::fit(&points, self.variant)?;
                Some(line.rate_at(arrival, self.variant))
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        let at = |p: f64| ratios[((p * DRAWS as f64) as usize).min(ratios.len() - 1)];
        (at(self.confidence.tail()), at(1.0 - self.confidence.tail()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_power_law_give_it_back() {
        // i = t^b exactly, so log(t/i) = (1 - b) log t: gamma = 1 - b, alpha = 1.
        let shape = 0.7f64;
        let points: Vec<f64> = (1..=8).map(|i| f64::from(i).powf(1.0 / shape)).collect();
        for variant in [DuaneVariant::Cumulative, DuaneVariant::TwoPoint] {
            let line = DuaneLine::fit(&points, variant).expect("eight points");
            assert!((line.gamma - 0.3).abs() < 1e-12 && line.log_alpha.abs() < 1e-12);
            let last = points[7];
            assert!((line.rate_at(last, variant) - 8.0 / last).abs() < 1e-12);
        }
        let line = DuaneLine::fit(&points, DuaneVariant::Instantaneous).expect("eight points");
        let last = points[7];
        let instantaneous = line.rate_at(last, DuaneVariant::Instantaneous);
        assert!((instantaneous - shape * last.powf(shape - 1.0)).abs() < 1e-12);
    }

    #[test]
    fn the_interval_holds_its_level_whatever_shape_and_scale() {
        let (shape, scale, n, runs) = (1.8f64, 5.0, 6, 4_000);
        let mut random = Pcg64Mcg::seed_from_u64(99);
        for variant in [
            DuaneVariant::Cumulative,
            DuaneVariant::Instantaneous,
            DuaneVariant::TwoPoint,
        ] {
            let method = Duane::new(variant, Placement::Middle, Confidence::default());
            let mut held = 0;
            for _ in 0..runs {
                let mut count = 0.0f64;
                let points: Vec<f64> = (0..n)
                    .map(|_| {
                        let gap: f64 = Exp1.sample(&mut random);
                        count += gap;
                        scale * count.powf(1.0 / shape)
                    })
                    .collect();
                let last = points[n - 1];
                let truth = match variant {
                    DuaneVariant::Instantaneous => shape * count / last,
                    DuaneVariant::Cumulative | DuaneVariant::TwoPoint => count / last,
                };
                let line = DuaneLine::fit(&points, variant).expect("points");
                let (low, high) = method.interval(line.rate_at(last, variant), n);
                let below = high.is_none_or(|high| truth <= high);
                held += usize::from(low.expect("bounded") <= truth && below);
            }
            let coverage = held as f64 / f64::from(runs);
            assert!((coverage - 0.95).abs() < 0.015, "{variant:?}: {coverage}");
        }
    }
}
