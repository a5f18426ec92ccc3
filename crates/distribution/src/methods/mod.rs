//! One file a method: from samples to the method's own curve.

mod from_age;
mod gm4;
mod lattice;
mod m1;
mod m2;
mod m3;
mod m4;
mod m5;
mod m6;
mod maximum_likelihood;

use crate::{AgeLaw, DistributionError, Grid, Method, Samples, Warning};

/// What a method makes of the samples, at the points of a grid.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outline {
    /// The method's own curve as the paper defines it.
    pub(crate) cdf: Vec<Option<f64>>,
    /// `G_U`, where the method gives it.
    pub(crate) age: Option<Vec<f64>>,
    /// `F_U`, where the method gives it.
    pub(crate) update: Option<Vec<f64>>,
    pub(crate) law: Option<AgeLaw>,
    /// Values the method kept: ages, lengths or pairs.
    pub(crate) kept: u64,
    /// Their mean.
    pub(crate) mean_kept: Option<f64>,
    pub(crate) smallest_lifetime: Option<f64>,
    pub(crate) warnings: Vec<Warning>,
}

impl Outline {
    /// The share of sorted `values` at or below each point.
    pub(crate) fn of_values(values: &[f64], grid: &Grid) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        Self {
            cdf: grid.xs().map(|x| Some(share_up_to(values, x))).collect(),
            kept: values.len() as u64,
            mean_kept: (count > 0.0).then_some(mean),
            ..Self::default()
        }
    }
}

/// The share of sorted `values` at or below `x`, forgiving the last digits.
pub(crate) fn share_up_to(values: &[f64], x: f64) -> f64 {
    let edge = x * (1.0 + 1e-12);
    values.partition_point(|&value| value <= edge) as f64 / values.len() as f64
}

/// Runs a method.
pub(crate) fn outline(
    method: Method,
    samples: &Samples,
    grid: &Grid,
) -> Result<Outline, DistributionError> {
    match method {
        Method::M1 => m1::outline(samples, grid),
        Method::M2 => m2::outline(samples, grid),
        Method::M3 => m3::outline(samples, grid),
        Method::M4 => Ok(m4::outline(samples, grid)),
        Method::M5 => m5::outline(samples, grid),
        Method::GM4 => Ok(gm4::outline(samples, grid)),
        Method::M6 => Ok(m6::outline(samples, grid)),
        Method::Npmle => Ok(maximum_likelihood::outline(samples, grid)),
    }
}
