//! The laws: what ages and lifetimes each makes.

use statrs::function::erf::erfc;
use statrs::function::gamma::{gamma, gamma_lr};

/// Which law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LawKind {
    /// Poisson updates.
    Exponential,
    /// Rates that rise or fall with age.
    Weibull,
    /// Pareto from zero on: bursts and long silences.
    Lomax,
    /// Lifetimes whose logarithm is normal.
    LogNormal,
}

/// A law of lifetimes. Lengths count the unit of the samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// `F = 1 - exp(-rate x)`.
    Exponential {
        /// Updates per unit.
        rate: f64,
    },
    /// `F = 1 - exp(-(x/scale)^shape)`.
    Weibull {
        /// Below 1 heavy-tailed, 1 exponential, above 1 clock-like.
        shape: f64,
        /// Length at which 63 % of lifetimes are over.
        scale: f64,
    },
    /// `F = 1 - (1 + x/scale)^-shape`, shape above 1 so that a mean exists.
    Lomax {
        /// Power of the tail.
        shape: f64,
        /// Length from which the tail is a power.
        scale: f64,
    },
    /// `F = Φ((ln x - location) / spread)`.
    LogNormal {
        /// Mean of the logarithm.
        location: f64,
        /// Standard deviation of the logarithm.
        spread: f64,
    },
}

impl LawKind {
    /// Every law.
    pub const ALL: [Self; 4] = [
        Self::Exponential,
        Self::Weibull,
        Self::Lomax,
        Self::LogNormal,
    ];

    /// The word used in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exponential => "exponential",
            Self::Weibull => "weibull",
            Self::Lomax => "pareto",
            Self::LogNormal => "log-normal",
        }
    }

    /// Free numbers, any sign, where a search for a law of about that rate
    /// starts.
    pub(super) fn start(self, rate: f64) -> Vec<f64> {
        match self {
            Self::Exponential => vec![rate.ln()],
            Self::Weibull => vec![0.0, -rate.ln()],
            Self::Lomax => vec![2f64.ln(), (2.0 / rate).ln()],
            Self::LogNormal => vec![-rate.ln() - 0.5, 0.0],
        }
    }

    /// The law at free numbers.
    pub(super) fn at(self, numbers: &[f64]) -> Law {
        match (self, numbers) {
            (Self::Weibull, &[shape, scale]) => Law::Weibull {
                shape: shape.exp(),
                scale: scale.exp(),
            },
            (Self::Lomax, &[shape, scale]) => Law::Lomax {
                shape: 1.0 + shape.exp(),
                scale: scale.exp(),
            },
            (Self::LogNormal, &[location, spread]) => Law::LogNormal {
                location,
                spread: spread.exp(),
            },
            (_, numbers) => Law::Exponential {
                rate: numbers[0].exp(),
            },
        }
    }
}

impl Law {
    /// Which law this is.
    #[must_use]
    pub const fn kind(&self) -> LawKind {
        match self {
            Self::Exponential { .. } => LawKind::Exponential,
            Self::Weibull { .. } => LawKind::Weibull,
            Self::Lomax { .. } => LawKind::Lomax,
            Self::LogNormal { .. } => LawKind::LogNormal,
        }
    }

    /// Its numbers by name.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::Exponential { rate } => vec![("rate", rate)],
            Self::Weibull { shape, scale } | Self::Lomax { shape, scale } => {
                vec![("shape", shape), ("scale", scale)]
            }
            Self::LogNormal { location, spread } => {
                vec![("location", location), ("spread", spread)]
            }
        }
    }

    /// Mean lifetime.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Exponential { rate } => 1.0 / rate,
            Self::Weibull { shape, scale } => scale * gamma(1.0 + 1.0 / shape),
            Self::Lomax { shape, scale } => scale / (shape - 1.0),
            Self::LogNormal { location, spread } => (location + spread * spread / 2.0).exp(),
        }
    }

    /// `1 - F_U(x)`.
    #[must_use]
    pub fn update_tail(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return 1.0;
        }
        match *self {
            Self::Exponential { rate } => (-rate * x).exp(),
            Self::Weibull { shape, scale } => (-(x / scale).powf(shape)).exp(),
            Self::Lomax { shape, scale } => (-shape * (x / scale).ln_1p()).exp(),
            Self::LogNormal { location, spread } => normal_tail((x.ln() - location) / spread),
        }
    }

    /// `G_U(x) = (1/mean) ∫_0^x (1 - F_U)`, in closed form.
    ///
    /// Weibull: the incomplete gamma function `P(1/shape, (x/scale)^shape)`.
    /// Lomax: again Lomax, of shape one less. Log-normal:
    /// `(x/mean) (1 - Φ(z)) + Φ(z - spread)`, `z = (ln x - location)/spread`.
    #[must_use]
    pub fn age_cdf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        if x.is_infinite() {
            return 1.0;
        }
        match *self {
            Self::Exponential { rate } => -(-rate * x).exp_m1(),
            Self::Weibull { shape, scale } => {
                let argument = (x / scale).powf(shape);
                if argument < f64::MIN_POSITIVE {
                    0.0
                } else if argument > 700.0 {
                    1.0
                } else {
                    gamma_lr(1.0 / shape, argument)
                }
            }
            Self::Lomax { shape, scale } => -((1.0 - shape) * (x / scale).ln_1p()).exp_m1(),
            Self::LogNormal { location, spread } => {
                let z = (x.ln() - location) / spread;
                x / self.mean() * normal_tail(z) + normal_tail(spread - z)
            }
        }
    }

    /// `g_U(x)`.
    #[must_use]
    pub fn age_density(&self, x: f64) -> f64 {
        self.update_tail(x) / self.mean()
    }
}

/// `1 - Φ(z)`.
fn normal_tail(z: f64) -> f64 {
    0.5 * erfc(z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAWS: [Law; 5] = [
        Law::Exponential { rate: 2.0 },
        Law::Weibull {
            shape: 0.6,
            scale: 0.7,
        },
        Law::Weibull {
            shape: 3.0,
            scale: 1.5,
        },
        Law::Lomax {
            shape: 3.0,
            scale: 1.0,
        },
        Law::LogNormal {
            location: -0.3,
            spread: 0.8,
        },
    ];

    #[test]
    fn age_curves_are_the_integrals_of_the_update_tails() {
        for law in LAWS {
            let step = 1e-4;
            let mut area = 0.0;
            for n in 0..20_000 {
                area += law.update_tail((f64::from(n) + 0.5) * step) * step;
                if n % 5_000 == 4_999 {
                    let x = f64::from(n + 1) * step;
                    let expected = area / law.mean();
                    assert!((law.age_cdf(x) - expected).abs() < 2e-4, "{law:?} {x}");
                }
            }
        }
    }

    #[test]
    fn pareto_three_one_is_the_papers() {
        let law = Law::Lomax {
            shape: 3.0,
            scale: 1.0,
        };
        assert!((law.mean() - 0.5).abs() < 1e-15);
        assert!((law.age_cdf(1.0) - 0.75).abs() < 1e-15);
        assert!((law.age_density(0.0) - 2.0).abs() < 1e-15);
    }

    #[test]
    fn free_numbers_lead_back_to_a_law_of_the_rate_asked_for() {
        for kind in LawKind::ALL {
            let law = kind.at(&kind.start(0.25));
            assert_eq!(law.kind(), kind);
            assert!((law.mean() - 4.0).abs() < 1e-9, "{law:?}");
        }
    }
}
