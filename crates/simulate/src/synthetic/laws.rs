//! Laws that numbers of a synthetic world are drawn from.

use rand::Rng;
use rand_distr::{Beta, Distribution, Exp1, Gamma, LogNormal, Normal, Weibull};
use serde::Deserialize;

use super::spec::{SpecError, positive, require, require_share};

/// A law of shares, all in [0, 1].
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "law")]
pub enum ShareLaw {
    /// Always the same.
    Fixed {
        /// The share.
        value: f64,
    },
    /// Normal, drawn again until it falls in [0, 1].
    Normal {
        /// Mean before truncation.
        mean: f64,
        /// Standard deviation before truncation.
        sd: f64,
    },
    /// Beta(a, b).
    Beta {
        /// First shape.
        a: f64,
        /// Second shape.
        b: f64,
    },
    /// Uniform between two shares.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// A tenth of [0, 1] drawn by weight, then uniform in it.
    Deciles {
        /// Weight of each tenth, from 0-.1 to .9-1.
        weights: [f64; 10],
    },
    /// The first site has the first value and so on, then from the start again.
    List {
        /// The shares.
        values: Vec<f64>,
    },
}

/// Uniform on [0, 1], where nobody says.
impl Default for ShareLaw {
    fn default() -> Self {
        Self::Uniform {
            low: 0.0,
            high: 1.0,
        }
    }
}

impl ShareLaw {
    pub(super) fn check(&self) -> Result<(), SpecError> {
        match self {
            Self::Fixed { value } => require_share("rho.value", *value),
            Self::Normal { mean, sd } => {
                // Farther out hardly any draw would fall in [0, 1].
                require_share("rho.mean", *mean)?;
                require("rho.sd", *sd, positive(*sd), "above 0")
            }
            Self::Beta { a, b } => {
                require("rho.a", *a, positive(*a), "above 0")?;
                require("rho.b", *b, positive(*b), "above 0")
            }
            Self::Uniform { low, high } => {
                require_share("rho.low", *low)?;
                require_share("rho.high", *high)?;
                require("rho.high", *high, low <= high, "at least rho.low")
            }
            Self::Deciles { weights } => {
                let total: f64 = weights.iter().sum();
                let fine = positive(total) && weights.iter().all(|&weight| weight >= 0.0);
                require(
                    "rho.weights",
                    total,
                    fine,
                    "ten numbers of at least 0, not all 0",
                )
            }
            Self::List { values } => {
                let key = "rho.values";
                require(
                    key,
                    0.0,
                    !values.is_empty(),
                    "a list with one share at least",
                )?;
                values
                    .iter()
                    .try_for_each(|&value| require_share(key, value))
            }
        }
    }

    /// The share of site `site`.
    pub(super) fn draw(&self, site: usize, rng: &mut impl Rng) -> f64 {
        match self {
            Self::Fixed { value } => *value,
            Self::Normal { mean, sd } => match Normal::new(*mean, *sd) {
                Ok(law) => loop {
                    let share: f64 = law.sample(rng);
                    if (0.0..=1.0).contains(&share) {
                        break share;
                    }
                },
                Err(_) => *mean,
            },
            Self::Beta { a, b } => Beta::new(*a, *b).map_or(a / (a + b), |law| law.sample(rng)),
            Self::Uniform { low, high } => low + (high - low) * unit(rng),
            Self::Deciles { weights } => {
                let mut left = unit(rng) * weights.iter().sum::<f64>();
                let tenth = weights.iter().position(|&weight| {
                    left -= weight;
                    left < 0.0
                });
                (tenth.unwrap_or(9) as f64 + unit(rng)) / 10.0
            }
            Self::List { values } => values[site % values.len()],
        }
    }
}

/// A law of numbers that are not negative: a plain number, or a table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum NumberLaw {
    /// Always the same.
    Fixed(f64),
    /// One of the laws with a name.
    Law(SpreadLaw),
}

/// Numbers that spread.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "law")]
pub enum SpreadLaw {
    /// Uniform between two numbers.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Log-normal.
    LogNormal {
        /// Half of the numbers are below it.
        median: f64,
        /// Standard deviation of the logarithm.
        sigma: f64,
    },
}

impl NumberLaw {
    pub(super) fn check(&self, key: &'static str, least: f64) -> Result<(), SpecError> {
        let at_least = |number: f64| number.is_finite() && number >= least;
        match *self {
            Self::Fixed(value) => require(key, value, at_least(value), "finite and large enough"),
            Self::Law(SpreadLaw::Uniform { low, high }) => {
                let fine = at_least(low) && at_least(high) && low <= high;
                require(key, low, fine, "a range from low to high, large enough")
            }
            Self::Law(SpreadLaw::LogNormal { median, sigma }) => {
                let fine = positive(median) && positive(sigma);
                require(key, median, fine, "a median and a sigma above 0")
            }
        }
    }

    pub(super) fn draw(&self, rng: &mut impl Rng) -> f64 {
        match *self {
            Self::Fixed(value) => value,
            Self::Law(SpreadLaw::Uniform { low, high }) => low + (high - low) * unit(rng),
            Self::Law(SpreadLaw::LogNormal { median, sigma }) => {
                LogNormal::new(median.ln(), sigma).map_or(median, |law| law.sample(rng))
            }
        }
    }
}

/// The law of the time between two updates, scaled to mean 1.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "law")]
pub enum GapLaw {
    /// Without memory, the default.
    #[default]
    Exponential,
    /// `P(U > x) = (1 + x/b)^-shape`, as in Li, Cline & Loguinov.
    Pareto {
        /// Above 1, else there is no mean.
        shape: f64,
    },
    /// `P(U > x) = exp(-(x/b)^shape)`.
    Weibull {
        /// Below 1 bursty, above 1 regular.
        shape: f64,
    },
    /// The logarithm is normal.
    LogNormal {
        /// Standard deviation of the logarithm.
        sigma: f64,
    },
    /// Points of a lattice, each shifted by itself and some missing.
    Lattice {
        /// Largest shift either way, as a share of the step; below a half.
        #[serde(default)]
        jitter: f64,
        /// Share of the points that do not happen.
        #[serde(default)]
        missing: f64,
    },
}

impl GapLaw {
    pub(super) fn check(self) -> Result<(), SpecError> {
        match self {
            Self::Exponential => Ok(()),
            Self::Pareto { shape } => require(
                "time.gaps.shape",
                shape,
                shape.is_finite() && shape > 1.0,
                "above 1, else gaps have no mean",
            ),
            Self::Weibull { shape } => {
                require("time.gaps.shape", shape, positive(shape), "above 0")
            }
            Self::LogNormal { sigma } => {
                require("time.gaps.sigma", sigma, positive(sigma), "above 0")
            }
            Self::Lattice { jitter, missing } => {
                let fine = (0.0..0.5).contains(&jitter);
                require("time.gaps.jitter", jitter, fine, "at least 0 and below 0.5")?;
                let fine = (0.0..1.0).contains(&missing);
                require("time.gaps.missing", missing, fine, "at least 0 and below 1")
            }
        }
    }

    /// A gap of mean 1 after an update. A lattice is drawn elsewhere.
    pub(super) fn gap(self, rng: &mut impl Rng) -> f64 {
        match self {
            Self::Exponential | Self::Lattice { .. } => Exp1.sample(rng),
            Self::Pareto { shape } => lomax(shape, shape - 1.0, rng),
            Self::Weibull { shape } => {
                let scale = 1.0 / gamma(1.0 + 1.0 / shape);
                Weibull::new(scale, shape).map_or(1.0, |law| law.sample(rng))
            }
            Self::LogNormal { sigma } => {
                LogNormal::new(-sigma * sigma / 2.0, sigma).map_or(1.0, |law| law.sample(rng))
            }
        }
    }

    /// Time to the next update seen from a moment that knows nothing of the
    /// last: density `P(U > x)`, as the mean is 1. The world is so in balance
    /// from its start on.
    pub(super) fn residual(self, rng: &mut impl Rng) -> f64 {
        match self {
            Self::Exponential | Self::Lattice { .. } => Exp1.sample(rng),
            // (1 + x/b)^-a integrates to a Lomax tail of shape a - 1, same b.
            Self::Pareto { shape } => lomax(shape - 1.0, shape - 1.0, rng),
            // A gap met at random is length-biased, and the moment uniform in it.
            Self::Weibull { shape } => {
                let scale = 1.0 / gamma(1.0 + 1.0 / shape);
                let power = Gamma::new(1.0 + 1.0 / shape, 1.0).map_or(1.0, |law| law.sample(rng));
                unit(rng) * scale * f64::powf(power, 1.0 / shape)
            }
            Self::LogNormal { sigma } => {
                let biased = LogNormal::new(sigma * sigma / 2.0, sigma);
                unit(rng) * biased.map_or(1.0, |law| law.sample(rng))
            }
        }
    }
}

/// Tail `(1 + x/b)^-shape`.
fn lomax(shape: f64, b: f64, rng: &mut impl Rng) -> f64 {
    let exponential: f64 = Exp1.sample(rng);
    b * (exponential / shape).exp_m1()
}

fn gamma(x: f64) -> f64 {
    statrs::function::gamma::gamma(x)
}

/// Uniform on [0, 1), 53 bits.
pub(crate) fn unit(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * (-53f64).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64Mcg;

    const DRAWS: usize = 20_000;

    fn laws() -> [GapLaw; 4] {
        [
            GapLaw::Exponential,
            GapLaw::Pareto { shape: 4.0 },
            GapLaw::Weibull { shape: 0.7 },
            GapLaw::LogNormal { sigma: 0.8 },
        ]
    }

    #[test]
    fn every_gap_law_has_mean_one() {
        for law in laws() {
            let mut rng = Pcg64Mcg::new(7);
            let mean = (0..DRAWS).map(|_| law.gap(&mut rng)).sum::<f64>() / DRAWS as f64;
            assert!((mean - 1.0).abs() < 0.04, "{law:?}: {mean}");
        }
    }

    #[test]
    fn residuals_have_half_the_mean_square_of_gaps() {
        // E[residual] = E[U^2] / (2 E[U]): exponential 1; Pareto a = 4, b = 3:
        // 1.5; Weibull .7: Gamma(1 + 2/k)/Gamma(1 + 1/k)^2/2 = 1.569;
        // log-normal: exp(sigma^2)/2 = .948.
        for (law, expected) in laws().into_iter().zip([1.0, 1.5, 1.569, 0.948]) {
            let mut rng = Pcg64Mcg::new(8);
            let mean = (0..DRAWS).map(|_| law.residual(&mut rng)).sum::<f64>() / DRAWS as f64;
            assert!((mean - expected).abs() < 0.06, "{law:?}: {mean}");
        }
    }

    #[test]
    fn truncated_normal_shares_have_the_moments_of_their_law() {
        // Normal(.5, .3) on [0, 1]: mean .5, variance
        // .09 (1 - 2 a phi(a)/(2 Phi(a) - 1)), a = 5/3: sd .2388.
        let law = ShareLaw::Normal { mean: 0.5, sd: 0.3 };
        let mut rng = Pcg64Mcg::new(9);
        let draws: Vec<f64> = (0..DRAWS).map(|_| law.draw(0, &mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / DRAWS as f64;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / DRAWS as f64;
        assert!(draws.iter().all(|share| (0.0..=1.0).contains(share)));
        assert!((mean - 0.5).abs() < 0.006 && (variance.sqrt() - 0.2388).abs() < 0.004);
    }

    #[test]
    fn deciles_are_drawn_by_weight() {
        let weights = [0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let law = ShareLaw::Deciles { weights };
        let mut rng = Pcg64Mcg::new(10);
        let draws: Vec<f64> = (0..DRAWS).map(|_| law.draw(0, &mut rng)).collect();
        let high = draws.iter().filter(|&&share| share >= 0.9).count() as f64 / DRAWS as f64;
        assert!((high - 0.25).abs() < 0.01);
        assert!(draws.iter().all(|&x| (0.1..0.2).contains(&x) || x >= 0.9));
    }
}
