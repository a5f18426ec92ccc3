//! `cho` over a hundred million rows against the machine's memory bandwidth,
//! side by side in one run: `cargo bench -p recrawl-estimate --bench cho_rows`.
//!
//! A row reads n and X (4 bytes each) and T (8) and writes a rate (8): 24 bytes,
//! as many as an element of the triad `a = b + s c` moves. Both are counted in
//! CPU time of one thread, because shared machines make wall time meaningless.
//! `RECRAWL_BENCH_ROWS` asks for another number of rows.

use std::hint::black_box;
use std::time::Duration;

use recrawl_estimate::cho_rates;
use rustix::time::{ClockId, clock_gettime};

const ROWS: usize = 100_000_000;
const REPEATS: usize = 5;
const BYTES_A_ROW: f64 = 24.0;

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Median CPU seconds of `REPEATS` runs, the first not counted.
fn median_seconds(mut run: impl FnMut()) -> f64 {
    let mut seconds: Vec<f64> = (0..=REPEATS)
        .map(|_| {
            let start = cpu_time();
            run();
            cpu_time().saturating_sub(start).as_secs_f64()
        })
        .skip(1)
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[REPEATS / 2]
}

#[expect(
    clippy::disallowed_methods,
    reason = "a benchmark may be told its size"
)]
fn rows() -> usize {
    std::env::var("RECRAWL_BENCH_ROWS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(ROWS)
}

#[expect(clippy::print_stdout, reason = "a benchmark reports")]
fn main() {
    let rows = rows();
    let intervals: Vec<u32> = (0..rows as u32).map(|row| 10 + row % 50).collect();
    let changes: Vec<u32> = (0..rows as u32).map(|row| row % 11).collect();
    let spans: Vec<f64> = intervals.iter().map(|&n| f64::from(n) * 1.5).collect();
    let mut rates = vec![0.0; rows];

    let vector = median_seconds(|| {
        if cho_rates(&intervals, &changes, &spans, black_box(&mut rates)).is_err() {
            unreachable!("columns of one length");
        }
    });
    let scalar = median_seconds(|| {
        for (row, rate) in black_box(&mut rates).iter_mut().enumerate() {
            let (n, x) = (f64::from(intervals[row]), f64::from(changes[row]));
            *rate = -((n - x + 0.5) / (n + 0.5)).ln() * n / spans[row];
        }
    });
    drop(changes);
    drop(intervals);
    let other = vec![1.0; rows];
    let triad = median_seconds(|| {
        for ((a, b), c) in black_box(&mut rates).iter_mut().zip(&spans).zip(&other) {
            *a = b + 3.0 * c;
        }
    });
    let report = |what: &str, seconds: f64| {
        let gigabytes = rows as f64 * BYTES_A_ROW / seconds / 1e9;
        let a_row = seconds / rows as f64 * 1e9;
        println!("{what:<26} {seconds:>7.3} CPU s  {a_row:>6.2} ns a row  {gigabytes:>6.1} GB/s");
    };
    println!("{rows} rows, one thread, median of {REPEATS}");
    report("memory triad", triad);
    report("cho, vectorised", vector);
    report("cho, std logarithm", scalar);
    println!(
        "cho reaches {:.2} of the triad's bandwidth (to reach: 0.50)",
        triad / vector
    );
    println!("vectorised over scalar: {:.1} times", scalar / vector);
}
