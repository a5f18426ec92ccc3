//! G-M4: M4 stretched to any visits.

use super::Outline;
use crate::{Grid, Samples};

/// Keeps `s_j - s_j*` at each visit from the first detected change on, where
/// `s_j*` is the last visit with a change after it (equation 25).
///
/// On constant visits this is M4. On others the rounding varies from interval
/// to interval and long ones hold more changes, so the curve tends to neither
/// ages nor lifetimes (figure 14).
pub(super) fn outline(samples: &Samples, grid: &Grid) -> Outline {
    let times = samples.times();
    let mut values: Vec<f64> = Vec::with_capacity(samples.visits());
    for run in &samples.runs()[1..] {
        let before = times[run.visits.start - 1];
        values.extend(
            times[run.visits.clone()]
                .iter()
                .map(|at| samples.in_unit(at - before)),
        );
    }
    values.sort_by(f64::total_cmp);
    Outline::of_values(&values, grid)
}
