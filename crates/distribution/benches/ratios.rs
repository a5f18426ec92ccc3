//! M6 below quadratic, side by side in one run, in CPU time: `cargo bench -p
//! recrawl-distribution --bench ratios`.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "the answer goes to standard output, and without a clock there is none"
)]

use std::hint::black_box;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use recrawl_distribution::Samples;
use recrawl_distribution::counting::{
    count_by_fourier, count_by_lags, count_by_pairs, count_distances, count_pairs,
};
use recrawl_model::TimeUnit;

/// Microseconds between visits, on average.
const GAP: i64 = 86_400_000_000;

fn main() {
    let times = random_times(100_000, 1);
    // Distances up to the whole span, in bins of one mean interval.
    let all = times.len() + times.len() / 50;
    println!("n = 100,000 visits at random times, bin = mean interval\n");
    let (loop_seconds, by_loop) = timed(|| count_by_pairs(&times, GAP, all));
    row("full pair loop, all lags", loop_seconds, loop_seconds);
    let (seconds, counts) = timed(|| count_distances(&times, GAP, all));
    assert_eq!(counts, by_loop);
    row("chosen way, all lags", seconds, loop_seconds);
    for (name, bin) in [("mean interval", GAP), ("mean interval / 20", GAP / 20)] {
        println!("\n256 bins of {name}");
        let (seconds, by_lags) = timed(|| count_by_lags(&times, bin, 256));
        row("lagged differences", seconds, loop_seconds);
        let (seconds, by_fourier) = timed(|| count_by_fourier(&times, bin, 256));
        row("Fourier", seconds, loop_seconds);
        let (seconds, chosen) = timed(|| count_distances(&times, bin, 256));
        row("chosen way", seconds, loop_seconds);
        assert_eq!(by_lags, by_fourier);
        assert_eq!(by_lags, chosen);
        if bin == GAP {
            assert_eq!(by_lags, by_loop[..256]);
        }
    }
    million();
}

/// The counts W and Z of a million visits in 2,000 bins.
fn million() {
    println!("\nn = 1,000,000 visits, 2,000 bins of the mean interval, W and Z");
    for (name, changes) in [
        ("one visit in three sees a change", 0.3),
        ("one in ten thousand", 1e-4),
    ] {
        let times = random_times(1_000_000, 2);
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let changed = (0..times.len())
            .map(|_| random.random_bool(changes))
            .collect();
        let Ok(samples) = Samples::from_path(times, changed, TimeUnit::Day) else {
            continue;
        };
        let (seconds, counts) = timed(|| count_pairs(&samples, GAP, 2_000));
        let pairs: u64 = counts.pairs.iter().sum();
        println!("  {name}: {seconds:.2} CPU s for {pairs} pairs");
    }
    println!("  peak memory of this whole run: {}", peak_memory());
}

fn random_times(count: usize, seed: u64) -> Vec<i64> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut at = 0;
    (0..count)
        .map(|_| {
            at += random.random_range(1..2 * GAP);
            at
        })
        .collect()
}

fn row(name: &str, seconds: f64, against: f64) {
    println!(
        "  {name:<26} {seconds:>9.4} CPU s  {:>8.1} x",
        against / seconds
    );
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let before = cpu_seconds();
    let answer = black_box(work());
    (cpu_seconds() - before, answer)
}

/// CPU seconds of this thread, as the scheduler counts them.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text
        .split_whitespace()
        .next()
        .and_then(|n| n.parse::<f64>().ok());
    nanos.expect("CPU time is read from /proc, which needs Linux") / 1e9
}

fn peak_memory() -> String {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}
