//! Exact pair counts by Fourier transforms, for any times and any bin.
//!
//! Write a time as `s = h q + r` with `0 <= r < h`. Then
//! `ceil((s_j - s_i) / h)` is `q_j - q_i`, plus one if `r_j > r_i`. With
//!
//! ```text
//! total(d) = pairs with q_j - q_i = d
//! above(d) = those of them with r_j > r_i
//! ```
//!
//! bin n holds `total(n) - above(n) + above(n - 1)` pairs. `total` is one
//! correlation of counts per cell. For `above`, visits are sorted by r into
//! blocks: pairs from a lower block to a higher one are a correlation again,
//! pairs inside a block are looked at one by one, and there are about
//! `blocks` times fewer of them. Cells are cut into chunks as long as the
//! reach, so memory grows with bins and visits, not with the span. Correlations
//! add up as spectra: only two transforms go back. Rounding stays below 1e-6
//! of a count for a million visits, so the nearest whole number is exact.

use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

/// Nanoseconds one point of a transform costs for each doubling of its length.
const NANOS_PER_POINT: f64 = 0.9;
/// Nanoseconds a pair inside a block costs.
const NANOS_PER_PAIR: f64 = 3.0;
/// More blocks than this never pay for themselves.
const MOST_BLOCKS: usize = 256;

/// How the work is cut up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Blocks of visits with neighbouring remainders.
    blocks: usize,
    cost: f64,
}

impl Layout {
    /// The number of blocks that costs least, or `None` where a transform
    /// makes no sense (nothing to count).
    pub(super) fn cheapest(times: &[i64], bin: i64, bins: usize, pairs: u64) -> Option<Self> {
        let (first, last) = (*times.first()?, *times.last()?);
        let span = (last.div_euclid(bin) - first.div_euclid(bin)) as f64 + 1.0;
        let chunks = (span / bins as f64).ceil();
        let length = 2.0 * span.min(bins as f64) + 2.0;
        let transforms = if chunks > 1.0 { 2.0 } else { 1.0 };
        let block_cost = chunks * transforms * length * length.log2() * NANOS_PER_POINT;
        let pair_cost = pairs as f64 * NANOS_PER_PAIR;
        let blocks = (pair_cost / block_cost)
            .sqrt()
            .clamp(1.0, MOST_BLOCKS as f64)
            .round();
        Some(Self {
            blocks: blocks as usize,
            cost: blocks * block_cost + pair_cost / blocks,
        })
    }

    /// Estimated nanoseconds.
    pub(super) const fn cost(&self) -> f64 {
        self.cost
    }
}

/// A visit as cell and remainder.
#[derive(Debug, Clone, Copy)]
struct Place {
    cell: i64,
    remainder: i64,
}

/// For rising `times`, the number of pairs whose distance rounds up to n bins,
/// at index n - 1, by Fourier transforms.
#[must_use]
pub fn count_by_fourier(times: &[i64], bin: i64, bins: usize) -> Vec<u64> {
    let pairs = super::direct::pairs_within(times, bin, bins);
    match Layout::cheapest(times, bin, bins, pairs) {
        Some(layout) => count_with(times, bin, bins, &layout),
        None => vec![0; bins],
    }
}

pub(super) fn count_with(times: &[i64], bin: i64, bins: usize, layout: &Layout) -> Vec<u64> {
    let Some(&first) = times.first() else {
        return vec![0; bins];
    };
    let origin = first.div_euclid(bin);
    let places: Vec<Place> = times
        .iter()
        .map(|&at| Place {
            cell: at.div_euclid(bin) - origin,
            remainder: at.rem_euclid(bin),
        })
        .collect();
    let blocks = blocks_by_remainder(&places, layout.blocks);
    let cells = places.last().map_or(0, |place| place.cell) as usize + 1;
    let reach = bins.min(cells); // no two visits are more cells apart
    let (total, mut above) = correlate(&blocks, cells, reach);
    for block in &blocks {
        add_pairs_inside(block, &mut above);
    }
    (1..=bins)
        .map(|n| match total.get(n) {
            Some(total) => total + above[n - 1] - above[n],
            None => 0, // farther apart than any two visits
        })
        .collect()
}

/// Visits in blocks of rising remainders, in order of time inside a block:
/// both sorts are stable, so one cell keeps its remainders rising.
/// Equal remainders never part.
fn blocks_by_remainder(places: &[Place], blocks: usize) -> Vec<Vec<Place>> {
    let mut sorted = places.to_vec();
    sorted.sort_by_key(|place| place.remainder);
    let size = sorted.len().div_ceil(blocks);
    let mut parts: Vec<Vec<Place>> = Vec::with_capacity(blocks);
    let mut start = 0;
    while start < sorted.len() {
        let mut end = (start + size).min(sorted.len());
        while end < sorted.len() && sorted[end].remainder == sorted[end - 1].remainder {
            end += 1;
        }
        let mut part = sorted[start..end].to_vec();
        part.sort_by_key(|place| place.cell);
        parts.push(part);
        start = end;
    }
    parts
}

/// `total` and `above` across blocks, for 0 to `reach` cells apart.
fn correlate(blocks: &[Vec<Place>], cells: usize, reach: usize) -> (Vec<u64>, Vec<u64>) {
    // Twice the reach and more, so that pairs the other way round wrap to
    // lags beyond it.
    let length = smooth_length(2 * reach + 2);
    let mut transforms = Transforms::new(length);
    let chunks = cells.div_ceil(reach);
    let mut cursors = vec![0; blocks.len()];
    for chunk in 0..chunks {
        let start = chunk * reach;
        transforms.start_chunk();
        for (block, cursor) in blocks.iter().zip(&mut cursors) {
            let here = window(&block[*cursor..], start + reach);
            let ahead = window(&block[*cursor..], start + 2 * reach);
            transforms.add_block(here, ahead, start);
            *cursor += here.len();
        }
        transforms.end_chunk();
    }
    transforms.finish(reach)
}

/// The leading places in cells below `end`.
fn window(places: &[Place], end: usize) -> &[Place] {
    let count = places.partition_point(|place| (place.cell as usize) < end);
    &places[..count]
}

/// Spectra of the two correlations on their way.
struct Transforms {
    forward: Arc<dyn RealToComplex<f64>>,
    cells: Vec<f64>,
    scratch: Vec<Complex<f64>>,
    here: Vec<Complex<f64>>,
    ahead: Vec<Complex<f64>>,
    /// Sum over the blocks so far of the spectra of the earlier visits.
    lower: Vec<Complex<f64>>,
    /// Sum over the blocks so far of the spectra of the later visits.
    all_ahead: Vec<Complex<f64>>,
    total: Vec<Complex<f64>>,
    above: Vec<Complex<f64>>,
}

impl Transforms {
    fn new(length: usize) -> Self {
        let forward = RealFftPlanner::new().plan_fft_forward(length);
        let spectrum = forward.make_output_vec();
        Self {
            cells: forward.make_input_vec(),
            scratch: forward.make_scratch_vec(),
            here: spectrum.clone(),
            ahead: spectrum.clone(),
            lower: spectrum.clone(),
            all_ahead: spectrum.clone(),
            total: spectrum.clone(),
            above: spectrum,
            forward,
        }
    }

    fn start_chunk(&mut self) {
        self.lower.fill(Complex::ZERO);
        self.all_ahead.fill(Complex::ZERO);
    }

    /// Adds a block: `here` are its visits in this chunk, `ahead` those in
    /// this one and the next.
    fn add_block(&mut self, here: &[Place], ahead: &[Place], start: usize) {
        if ahead.is_empty() {
            return;
        }
        self.transform(ahead, start);
        std::mem::swap(&mut self.here, &mut self.ahead);
        if here.len() < ahead.len() {
            self.transform(here, start);
        } else {
            self.here.copy_from_slice(&self.ahead);
        }
        for (above, (lower, ahead)) in self
            .above
            .iter_mut()
            .zip(self.lower.iter().zip(&self.ahead))
        {
            *above += lower.conj() * ahead;
        }
        for (lower, here) in self.lower.iter_mut().zip(&self.here) {
            *lower += here;
        }
        for (all, ahead) in self.all_ahead.iter_mut().zip(&self.ahead) {
            *all += ahead;
        }
    }

    fn end_chunk(&mut self) {
        let pairs = self.lower.iter().zip(&self.all_ahead);
        for (total, (here, ahead)) in self.total.iter_mut().zip(pairs) {
            *total += here.conj() * ahead;
        }
    }

    /// The spectrum of visits per cell, left in `here`.
    fn transform(&mut self, places: &[Place], start: usize) {
        self.cells.fill(0.0);
        for place in places {
            self.cells[place.cell as usize - start] += 1.0;
        }
        // Lengths are those the planner was asked for, so this cannot fail.
        let done =
            self.forward
                .process_with_scratch(&mut self.cells, &mut self.here, &mut self.scratch);
        debug_assert!(done.is_ok());
    }

    fn finish(mut self, reach: usize) -> (Vec<u64>, Vec<u64>) {
        let backward = RealFftPlanner::new().plan_fft_inverse(self.cells.len());
        let mut back = |spectrum: &mut [Complex<f64>]| {
            // Real input makes these two real; rounding may not.
            if let Some(first) = spectrum.first_mut() {
                first.im = 0.0;
            }
            if let Some(last) = spectrum.last_mut() {
                last.im = 0.0;
            }
            let done = backward.process(spectrum, &mut self.cells);
            debug_assert!(done.is_ok());
            let scale = 1.0 / self.cells.len() as f64;
            self.cells[..=reach]
                .iter()
                .map(|&sum| (sum * scale).round().max(0.0) as u64)
                .collect::<Vec<u64>>()
        };
        (back(&mut self.total), back(&mut self.above))
    }
}

/// Adds the pairs of one block with `r_j > r_i` to `above`, one by one.
fn add_pairs_inside(block: &[Place], above: &mut [u64]) {
    for (earlier, from) in block.iter().enumerate() {
        for to in &block[earlier + 1..] {
            let Some(count) = above.get_mut((to.cell - from.cell) as usize) else {
                break;
            };
            *count += u64::from(to.remainder > from.remainder);
        }
    }
}

/// The smallest even length of factors 2, 3 and 5 that is no shorter, which
/// transforms fastest.
fn smooth_length(least: usize) -> usize {
    let mut best = least.next_power_of_two();
    for fives in [1, 5, 25] {
        for threes in [1, 3, 9, 27] {
            let odd = fives * threes;
            let length = odd * least.div_ceil(odd).next_power_of_two().max(2);
            if length < best {
                best = length;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_even_smooth_and_no_shorter() {
        for least in [2, 3, 7, 100, 1025, 4002, 200_002] {
            let length = smooth_length(least);
            assert!(length >= least && length.is_multiple_of(2) && length <= 2 * least);
            let mut rest = length;
            for factor in [2, 3, 5] {
                while rest.is_multiple_of(factor) {
                    rest /= factor;
                }
            }
            assert_eq!(rest, 1);
        }
    }

    #[test]
    fn visits_on_the_bins_need_one_block_and_no_pairs() {
        let times: Vec<i64> = (0..1_000).map(|n| n * 60).collect();
        let counts = count_by_fourier(&times, 60, 1_000);
        assert!((1..1_000).all(|n| counts[n - 1] == 1_000 - n as u64));
        assert_eq!(counts[999], 0);
    }
}
