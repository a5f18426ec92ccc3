//! The shape-constrained maximum likelihood as a method among the others.

use super::Outline;
use crate::npmle::Npmle;
use crate::{Grid, Samples};

/// See [`crate::npmle`].
pub(super) fn outline(samples: &Samples, grid: &Grid) -> Outline {
    let fit = Npmle::fit(samples);
    let age: Vec<f64> = grid.xs().map(|x| fit.age_cdf(x)).collect();
    Outline {
        cdf: age.iter().copied().map(Some).collect(),
        age: Some(age),
        update: Some(grid.xs().map(|x| fit.update_cdf(x)).collect()),
        kept: samples.visits() as u64,
        law: Some(fit.law()),
        smallest_lifetime: Some(fit.smallest_lifetime()),
        ..Outline::default()
    }
}
