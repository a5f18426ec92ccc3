//! How many pairs of visits lie how far apart: the counts W and Z of M6.
//!
//! A pair of visits at times `s_i < s_j` falls into bin
//! `n = ceil((s_j - s_i) / h)`. The pair loop costs n^2 / 2 steps. Here the
//! same whole numbers come from lagged differences, which cost one step for
//! each pair within reach, or from Fourier transforms, whichever the sizes
//! make cheaper. Pairs without a change lie inside one run, so they are
//! counted run by run with the same function.

mod direct;
mod fourier;
mod pair_loop;

pub use direct::count_by_lags;
pub use fourier::count_by_fourier;
pub use pair_loop::count_by_pairs;

use crate::Samples;

/// Pairs of visits by distance, and how many of them saw a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairCounts {
    /// W: pairs whose distance rounds up to n bins, at index n - 1.
    pub pairs: Vec<u64>,
    /// Z: those of them with a change between the two visits.
    pub changed: Vec<u64>,
}

/// Counts pairs up to `bins` bins of `bin` microseconds apart.
#[must_use]
pub fn count_pairs(samples: &Samples, bin: i64, bins: usize) -> PairCounts {
    let pairs = count_distances(samples.times(), bin, bins);
    let mut changed = pairs.clone();
    for run in samples.runs() {
        let times = &samples.times()[run.visits.clone()];
        let (Some(first), Some(last)) = (times.first(), times.last()) else {
            continue;
        };
        let reach = ((last - first) / bin) as usize + 1; // no pair is farther apart
        let same = count_distances(times, bin, bins.min(reach));
        for (count, same) in changed.iter_mut().zip(same) {
            *count -= same;
        }
    }
    PairCounts { pairs, changed }
}

/// For rising `times`, the number of pairs whose distance rounds up to n bins,
/// at index n - 1, by the cheaper of the two ways.
#[must_use]
pub fn count_distances(times: &[i64], bin: i64, bins: usize) -> Vec<u64> {
    let within = direct::pairs_within(times, bin, bins);
    match fourier::Layout::cheapest(times, bin, bins, within) {
        Some(layout) if layout.cost() < direct::cost(within) => {
            fourier::count_with(times, bin, bins, &layout)
        }
        _ => count_by_lags(times, bin, bins),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;
    use recrawl_model::TimeUnit;

    /// Rising times with gaps of 1 to `most`.
    fn path(count: usize, most: i64, seed: u64) -> Vec<i64> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut at = 0;
        (0..count)
            .map(|_| {
                at += random.random_range(1..=most);
                at
            })
            .collect()
    }

    #[test]
    fn distances_round_up_so_that_one_whole_bin_is_bin_one() {
        // Distances 10, 11, 1: bins 1, 2, 1.
        assert_eq!(count_by_pairs(&[0, 10, 11], 10, 3), [2, 1, 0]);
    }

    #[test]
    fn all_ways_agree_exactly_on_a_path_with_many_bins() {
        for (count, most, bin, bins) in [
            (2_000, 1_000, 37, 4_000),
            (2_000, 1_000, 500, 3_000),
            (3_000, 9, 16, 200),
            (1_500, 1_000_000_000, 3_333_333, 50_000),
        ] {
            let times = path(count, most, 7);
            let expected = count_by_pairs(&times, bin, bins);
            assert!(expected.iter().sum::<u64>() > 1_000);
            assert_eq!(count_by_lags(&times, bin, bins), expected);
            assert_eq!(count_by_fourier(&times, bin, bins), expected);
            assert_eq!(count_distances(&times, bin, bins), expected);
        }
    }

    #[test]
    fn changed_pairs_are_those_across_a_change_as_the_double_loop_of_the_paper_says() {
        let times = path(400, 50, 3);
        let mut random = Pcg64Mcg::seed_from_u64(4);
        let changed: Vec<bool> = (0..400).map(|_| random.random_bool(0.2)).collect();
        let samples = Samples::from_path(times, changed, TimeUnit::Day).expect("mixed");
        let (bin, bins) = (30, 300);
        let mut expected = PairCounts {
            pairs: vec![0; bins],
            changed: vec![0; bins],
        };
        for i in 0..400 {
            let mut seen = false;
            for j in i + 1..400 {
                seen |= samples.changed()[j];
                let n = ((samples.times()[j] - samples.times()[i]) as f64 / 30.0).ceil() as usize;
                if n <= bins {
                    expected.pairs[n - 1] += 1;
                    expected.changed[n - 1] += u64::from(seen);
                }
            }
        }
        assert_eq!(count_pairs(&samples, bin, bins), expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn both_fast_ways_equal_the_pair_loop(
            gaps in proptest::collection::vec(1i64..200, 1..120),
            bin in 1i64..150,
            bins in 1usize..60,
        ) {
            let times: Vec<i64> = gaps
                .iter()
                .scan(-500, |at, gap| { *at += gap; Some(*at) })
                .collect();
            let expected = count_by_pairs(&times, bin, bins);
            prop_assert_eq!(count_by_lags(&times, bin, bins), expected.clone());
            prop_assert_eq!(count_by_fourier(&times, bin, bins), expected);
        }
    }
}
