//! M1: the age at the last visit before each change.

use super::Outline;
use crate::{DistributionError, Grid, Method, Samples};

/// Keeps `A(s_j)` where a change is seen at visit j + 1 (equation 7).
///
/// Its tail tends to `E[G_U(x+S) - G_U(x)] / E[G_U(S)]` (theorem 2), which is
/// neither that of ages nor that of lifetimes unless updates are Poisson.
pub(super) fn outline(samples: &Samples, grid: &Grid) -> Result<Outline, DistributionError> {
    let complete = &samples.runs()[..samples.changes()];
    let mut ages: Vec<f64> = complete
        .iter()
        .filter_map(|run| Some(samples.times()[run.visits.end - 1] - run.modified?))
        .map(|age| samples.in_unit(age))
        .collect();
    if ages.is_empty() {
        return Err(DistributionError::NoAges { method: Method::M1 });
    }
    ages.sort_by(f64::total_cmp);
    Ok(Outline::of_values(&ages, grid))
}
