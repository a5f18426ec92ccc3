//! Maximum likelihood of the age distribution under a falling density, for
//! any visiting pattern and with dates where visits told them.
//!
//! The density of an age falls, so an age is uniform on 0 to L for some random
//! lifetime L (the one a random moment falls into). Weights `w_k` on a grid of
//! lifetimes `l_k` make
//!
//! ```text
//! G_U(x) = sum_k w_k min(x, l_k) / l_k      ages
//! μ      = sum_k w_k / l_k                  updates per unit of time
//! P(U = l_k) = (w_k / l_k) / μ              lifetimes
//! ```
//!
//! The likelihood is that of every visit's cell (see [`cells`]), a composite
//! one because neighbouring visits are not independent. It is concave in the
//! weights, so its maximum is one, and the gradient proves how near it is.

mod cells;
mod least_squares;
mod lifetimes;
mod likelihood;
mod smooth;
mod solver;

pub use cells::{Cell, Known, cells};
pub use lifetimes::smallest_lifetime;
pub use solver::TOLERANCE;

use crate::{AgeLaw, Samples};
use likelihood::Likelihood;
use solver::maximise;

/// The law of maximum likelihood.
#[derive(Debug, Clone)]
pub struct Npmle {
    /// Lifetimes with weight, rising.
    lifetimes: Vec<f64>,
    /// Share of time spent in versions of each lifetime.
    weights: Vec<f64>,
    smallest_lifetime: f64,
    /// Spread of the smoothing of the update curve, in logarithms.
    bandwidth: f64,
    /// The mean log-likelihood of a visit.
    pub mean_log_likelihood: f64,
    /// A bound on how far `mean_log_likelihood` is from its maximum.
    pub gap: f64,
    /// Steps the search took.
    pub steps: usize,
}

impl Npmle {
    /// Fits the law to all visits.
    #[must_use]
    pub fn fit(samples: &Samples) -> Self {
        let cells = cells(samples);
        let smallest = smallest_lifetime(samples);
        let grid = lifetimes::grid(&cells, smallest);
        let start = lifetimes::start(grid.len());
        let likelihood = Likelihood::new(&cells, grid);
        let solution = maximise(&likelihood, start);
        let (lifetimes, weights): (Vec<f64>, Vec<f64>) = likelihood
            .lifetimes()
            .iter()
            .zip(&solution.weights)
            .filter(|&(_, &weight)| weight > 0.0)
            .map(|(&lifetime, &weight)| (lifetime, weight))
            .unzip();
        let bandwidth = smooth::bandwidth(&lifetimes, &weights, samples.changes());
        Self {
            lifetimes,
            weights,
            smallest_lifetime: smallest,
            bandwidth,
            mean_log_likelihood: solution.mean_log_likelihood,
            gap: solution.gap,
            steps: solution.steps,
        }
    }

    /// The smallest lifetime that was allowed: the mean update depends on it.
    #[must_use]
    pub const fn smallest_lifetime(&self) -> f64 {
        self.smallest_lifetime
    }

    /// Lifetimes of the law and the share of time spent in each.
    pub fn weights(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.lifetimes
            .iter()
            .zip(&self.weights)
            .map(|(&lifetime, &weight)| (lifetime, weight))
    }

    /// `G_U(x)`.
    #[must_use]
    pub fn age_cdf(&self, x: f64) -> f64 {
        let sum: f64 = self
            .weights()
            .map(|(lifetime, weight)| weight * (x / lifetime).min(1.0))
            .sum();
        sum.clamp(0.0, 1.0)
    }

    /// μ, updates per unit of time.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.weights()
            .map(|(lifetime, weight)| weight / lifetime)
            .sum()
    }

    /// `F_U(x)` as it comes out, in steps.
    #[must_use]
    pub fn stepped_update_cdf(&self, x: f64) -> f64 {
        let below: f64 = self
            .weights()
            .filter(|&(lifetime, _)| lifetime <= x)
            .map(|(lifetime, weight)| weight / lifetime)
            .sum();
        (below / self.rate()).min(1.0)
    }

    /// `F_U(x)`, smoothed on the scale of logarithms, mean kept.
    #[must_use]
    pub fn update_cdf(&self, x: f64) -> f64 {
        smooth::update_cdf(self.weights(), self.bandwidth, x)
    }

    /// The law for policies.
    #[must_use]
    pub fn law(&self) -> AgeLaw {
        let points: Vec<_> = self
            .lifetimes
            .iter()
            .map(|&lifetime| (lifetime, self.age_cdf(lifetime)))
            .collect();
        AgeLaw::through(&points, Some(self.rate()))
    }
}
