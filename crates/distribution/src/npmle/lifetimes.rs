//! Which lifetimes the law may use.

use super::cells::{Cell, Known};
use crate::Samples;

/// Lifetimes on the grid where the cells have more ends than this.
const GRID: usize = 400;

/// The grid reaches this many times the longest length any visit can tell, for
/// versions that were there before the first visit.
const BEYOND: f64 = 2.0;

/// Lifetimes the search starts from; it finds the rest by itself.
const START: usize = 12;

/// The smallest lifetime the data can speak about.
///
/// A change is pinned down to the interval between the two visits around it,
/// or to its age where a date tells it. Of n such lengths the answer is the
/// k-th smallest, k the cube root of n: below it too few changes are seen to
/// tell a short lifetime from a shorter one, and the likelihood would pile
/// weight there, which the rate (sum of weight / lifetime) magnifies. With the
/// cube root both k and the share k/n go the right way as n grows, so the
/// smallest lifetime goes to 0 and the evidence for it does not.
#[must_use]
pub fn smallest_lifetime(samples: &Samples) -> f64 {
    let times = samples.times();
    let mut lengths: Vec<i64> = samples.runs()[1..]
        .iter()
        .map(|run| {
            let seen = times[run.visits.start];
            let since = run.modified.unwrap_or(times[run.visits.start - 1]);
            (seen - since).max(1)
        })
        .collect();
    let place = (lengths.len() as f64).cbrt().ceil() as usize - 1;
    samples.in_unit(*lengths.select_nth_unstable(place).1)
}

/// The lifetimes weights may stand on: the ends of the cells where there are
/// few (that is where the maximum has its corners), else equal steps in the
/// logarithm.
pub(super) fn grid(cells: &[Cell], smallest: f64) -> Vec<f64> {
    let mut ends: Vec<f64> = Vec::with_capacity(cells.len() + 2);
    let mut longest = smallest;
    for cell in cells {
        let (lower, upper) = match cell.known {
            Known::Within { lower, upper } => (lower, upper),
            Known::Exactly(age) => (age, age * (1.0 + 1e-9)),
        };
        longest = longest.max(lower);
        if upper.is_finite() {
            longest = longest.max(upper);
            if upper > smallest {
                ends.push(upper);
            }
        }
    }
    ends.push(smallest);
    ends.push(longest * BEYOND);
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    if ends.len() <= GRID {
        return ends;
    }
    let ratio = (longest * BEYOND / smallest).ln();
    (0..GRID)
        .map(|k| smallest * (ratio * k as f64 / (GRID - 1) as f64).exp())
        .collect()
}

/// Equal weights on a few lifetimes spread over the grid. The longest is one
/// of them: it alone gives every cell a chance above zero.
pub(super) fn start(count: usize) -> Vec<f64> {
    let step = count.div_ceil(START);
    let mut weights = vec![0.0; count];
    for weight in weights.iter_mut().rev().step_by(step) {
        *weight = 1.0;
    }
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= sum;
    }
    weights
}
