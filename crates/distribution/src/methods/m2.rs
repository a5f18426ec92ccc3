//! M2: the ages at all visits.

use super::{Outline, from_age, share_up_to};
use crate::{DistributionError, Grid, Method, Samples};

/// Ages below the smallest step of the slope at zero, so that its noise stays
/// near one part in `sqrt` of this many.
const AGES_IN_A_STEP: usize = 50;

/// The share of ages up to x (equation 11); tends to `G_U` (theorem 5).
pub(super) fn outline(samples: &Samples, grid: &Grid) -> Result<Outline, DistributionError> {
    let mut ages: Vec<f64> = samples
        .ages()
        .flatten()
        .map(|age| samples.in_unit(age))
        .collect();
    if ages.is_empty() {
        return Err(DistributionError::NoAges { method: Method::M2 });
    }
    ages.sort_by(f64::total_cmp);
    let mut outline = Outline::of_values(&ages, grid);
    let count = ages.len() as f64;
    let corners: Vec<_> = ages
        .chunk_by(|a, b| a == b)
        .scan(0, |below, alike| {
            *below += alike.len();
            Some((alike[0], *below as f64 / count))
        })
        .collect();
    let place = |share: f64| ages[((count - 1.0) * share) as usize];
    let smallest = ages[AGES_IN_A_STEP.min(ages.len() - 1)];
    outline.age = Some(grid.xs().map(|x| share_up_to(&ages, x)).collect());
    from_age::finish(
        &mut outline,
        grid,
        &corners,
        |x| share_up_to(&ages, x),
        (place(0.9), smallest),
    );
    Ok(outline)
}
