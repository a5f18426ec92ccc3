//! M6: the share of pairs of visits with a change between them.

use super::{Outline, from_age};
use crate::counting::{PairCounts, count_pairs};
use crate::isotonic::isotonic;
use crate::{Grid, Samples};

/// `G_6(y_n) = Z(y_n) / W(y_n)` over all pairs of visits whose distance rounds
/// up to `y_n = n h` (equations 26 to 29); tends to `G_U` as h goes to 0 where
/// visits come at any distance (theorem 9).
///
/// Rounding up shifts the curve by about half a bin: the share of bin n is that
/// of distances around `(n - 1/2) h`. The curve of ages puts it there (unless
/// all distances are whole bins), makes it rise by isotonic regression weighted
/// by W, and is read at `n h` on straight lines.
pub(super) fn outline(samples: &Samples, grid: &Grid) -> Outline {
    let counts = count_pairs(samples, grid.bin_micros(), grid.points() + 1);
    let shift = if on_the_bins(samples, grid.bin_micros()) {
        0.0
    } else {
        0.5
    };
    let corners = rising_corners(&counts, grid.bin(), shift);
    let value = |x: f64| read(&corners, x);
    let share = |n: usize| match counts.pairs[n] {
        0 => None,
        pairs => Some(counts.changed[n] as f64 / pairs as f64),
    };
    let mut outline = Outline {
        cdf: (0..grid.points()).map(share).collect(),
        age: Some(grid.xs().map(value).collect()),
        kept: counts.pairs[..grid.points()].iter().sum(),
        ..Outline::default()
    };
    let past = corners
        .iter()
        .find(|corner| corner.1 >= 0.9)
        .map_or(grid.max() / 4.0, |corner| corner.0);
    from_age::finish(&mut outline, grid, &corners, value, (past, grid.bin()));
    outline
}

/// Whether every distance between visits is a whole number of bins.
fn on_the_bins(samples: &Samples, bin: i64) -> bool {
    samples.gaps().all(|gap| gap % bin == 0)
}

/// Where bins with pairs lie and their rising shares.
fn rising_corners(counts: &PairCounts, bin: f64, shift: f64) -> Vec<(f64, f64)> {
    let mut places = Vec::new();
    let mut shares = Vec::new();
    let mut weights = Vec::new();
    for (n, (&pairs, &changed)) in counts.pairs.iter().zip(&counts.changed).enumerate() {
        if pairs > 0 {
            places.push(((n + 1) as f64 - shift) * bin);
            shares.push(changed as f64 / pairs as f64);
            weights.push(pairs as f64);
        }
    }
    places
        .into_iter()
        .zip(isotonic(&shares, &weights))
        .collect()
}

/// The curve through 0 and the corners at `x`, level past the last.
fn read(corners: &[(f64, f64)], x: f64) -> f64 {
    let after = corners.partition_point(|corner| corner.0 <= x);
    let before = match after {
        0 => (0.0, 0.0),
        after => corners[after - 1],
    };
    match corners.get(after) {
        None => before.1,
        Some(next) => before.1 + (next.1 - before.1) * (x - before.0) / (next.0 - before.0),
    }
}
