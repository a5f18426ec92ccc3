//! Pair counts of M6 and the fits, one by one: `cargo bench -p
//! recrawl-distribution --bench counting`. Ratios: `--bench ratios`.
#![expect(
    clippy::expect_used,
    reason = "a benchmark that cannot set up has nothing to say"
)]

use divan::{Bencher, black_box};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use recrawl_distribution::counting::{count_by_fourier, count_by_lags, count_by_pairs};
use recrawl_distribution::npmle::Npmle;
use recrawl_distribution::{Bootstrap, Grid, Method, Samples, Study};
use recrawl_model::TimeUnit;

fn main() {
    divan::main();
}

/// Microseconds between visits, on average.
const GAP: i64 = 86_400_000_000;

fn times(count: usize) -> Vec<i64> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut at = 0;
    (0..count)
        .map(|_| {
            at += random.random_range(1..2 * GAP);
            at
        })
        .collect()
}

fn samples(count: usize) -> Samples {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    let changed = (0..count).map(|_| random.random_bool(0.3)).collect();
    Samples::from_path(times(count), changed, TimeUnit::Day).expect("mixed")
}

#[divan::bench(args = [1_000, 10_000], sample_count = 5)]
fn pair_loop(bencher: Bencher, visits: usize) {
    let times = times(visits);
    bencher.bench(|| count_by_pairs(black_box(&times), GAP, 256));
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
fn lags_256_bins(bencher: Bencher, visits: usize) {
    let times = times(visits);
    bencher.bench(|| count_by_lags(black_box(&times), GAP, 256));
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
fn fourier_256_bins(bencher: Bencher, visits: usize) {
    let times = times(visits);
    bencher.bench(|| count_by_fourier(black_box(&times), GAP, 256));
}

#[divan::bench(args = [1_000, 20_000, 200_000], sample_count = 5)]
fn maximum_likelihood(bencher: Bencher, visits: usize) {
    let samples = samples(visits);
    bencher.bench(|| Npmle::fit(black_box(&samples)));
}

#[divan::bench(args = [1_000, 20_000], sample_count = 3)]
fn whole_study_with_200_replicates(bencher: Bencher, visits: usize) {
    let samples = samples(visits);
    let grid = Grid::for_samples(&samples, None, None).expect("a grid");
    bencher.bench(|| Study::new(Method::Npmle, &samples, &grid, Bootstrap::default()));
}
