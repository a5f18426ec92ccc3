//! M3: lengths between detected changes, constant visits.

use super::Outline;
use super::lattice::Lattice;
use crate::{DistributionError, Grid, Method, Samples};

/// Keeps `(r_{k+1} - r_k) Δ` for each detected change after the first
/// (equations 16 and 17).
///
/// Its tail at `x_n = n Δ` tends to `(G_U(x_{n+1}) - G_U(x_n)) / G_U(Δ)`
/// (theorem 6): neither ages nor lifetimes unless updates are Poisson.
pub(super) fn outline(samples: &Samples, grid: &Grid) -> Result<Outline, DistributionError> {
    let lattice = Lattice::of(samples);
    let mut lengths = lattice.complete_runs(samples, Method::M3)?;
    lengths.sort_unstable();
    let count = lengths.len() as f64;
    let up_to = |steps| lengths.partition_point(|&length| length <= steps) as f64 / count;
    Ok(Outline {
        cdf: lattice
            .steps_at(grid)
            .map(|steps| Some(up_to(steps)))
            .collect(),
        kept: lengths.len() as u64,
        mean_kept: Some(lengths.iter().sum::<u64>() as f64 / count * lattice.length),
        warnings: lattice.warning(Method::M3).into_iter().collect(),
        ..Outline::default()
    })
}
