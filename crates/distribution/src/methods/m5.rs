//! M5: M4 from the lengths of complete runs alone, constant visits.

use super::lattice::Lattice;
use super::{Outline, m4};
use crate::{DistributionError, Grid, Method, Samples};

/// `G_5(x_n) = (1/T) sum over runs of min(x_n, length of the run)` (equation
/// 21); tends to `G_U(x_n)` (theorem 8).
///
/// A run of length L holds `min(n, L)` of M4's values up to n Δ, so this is M4
/// on complete runs, and T must be the length of the complete runs, not the
/// window (the paper's T), for the curve to reach 1.
pub(super) fn outline(samples: &Samples, grid: &Grid) -> Result<Outline, DistributionError> {
    let lattice = Lattice::of(samples);
    let lengths = lattice.complete_runs(samples, Method::M5)?;
    let total = lengths.iter().sum::<u64>();
    let most = lengths.iter().max().copied().unwrap_or(0);
    // Runs of at least n intervals add one more at step n.
    let mut reaching = vec![0u64; most as usize + 1];
    for &length in &lengths {
        reaching[length as usize] += 1;
    }
    let mut left = lengths.len() as u64;
    let curve: Vec<f64> = reaching[..most as usize]
        .iter()
        .scan(0u64, |sum, &ended| {
            left -= ended;
            *sum += left;
            Some(*sum as f64 / total as f64)
        })
        .collect();
    let mut outline = m4::of_curve(&lattice, &curve, grid);
    outline.kept = lengths.len() as u64;
    outline.mean_kept = Some(total as f64 / lengths.len() as f64 * lattice.length);
    outline.warnings.extend(lattice.warning(Method::M5));
    Ok(outline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::TimeUnit;

    #[test]
    fn it_is_m4_on_complete_runs_and_reaches_one() {
        // Changes at visits 1, 4, 5, 7: complete runs of 3, 1 and 2.
        let changed = [false, true, false, false, true, true, false, true];
        let day = 86_400_000_000;
        let times: Vec<i64> = (0..8).map(|n| n * day).collect();
        let samples = Samples::from_path(times, changed.to_vec(), TimeUnit::Day).expect("mixed");
        let grid = Grid::new(1.0, 4.0, TimeUnit::Day).expect("a grid");
        let ours = outline(&samples, &grid).expect("two changes");
        let expected = [3.0 / 6.0, 5.0 / 6.0, 1.0, 1.0];
        for (ours, expected) in ours.cdf.iter().zip(expected) {
            assert!((ours.expect("a value") - expected).abs() < 1e-15);
        }
    }
}
