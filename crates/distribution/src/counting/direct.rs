//! Lagged differences: one step for each pair within reach.

/// Nanoseconds a pair costs, to weigh against a Fourier transform. Only the
/// ratio to the constants of `fourier.rs` matters; measured together with
/// `cargo bench -p recrawl-distribution`.
const NANOS_PER_PAIR: f64 = 3.5;

/// For rising `times`, the number of pairs whose distance rounds up to n bins,
/// at index n - 1, by walking from each visit to the last one within reach.
#[must_use]
pub fn count_by_lags(times: &[i64], bin: i64, bins: usize) -> Vec<u64> {
    let mut counts = vec![0; bins];
    let reach = reach(bin, bins);
    // Exact below 2^52 microseconds (142 years): a quotient above a whole
    // number differs from it by more than one rounding.
    let width = bin as f64;
    for (earlier, &start) in times.iter().enumerate() {
        for &end in &times[earlier + 1..] {
            let distance = end - start;
            if distance > reach {
                break;
            }
            let n = (distance as f64 / width).ceil() as usize;
            if let Some(count) = counts.get_mut(n - 1) {
                *count += 1;
            }
        }
    }
    counts
}

/// How many pairs lie within `bins` bins.
pub(super) fn pairs_within(times: &[i64], bin: i64, bins: usize) -> u64 {
    let reach = reach(bin, bins);
    let mut first = 0;
    let mut pairs = 0;
    for (later, &end) in times.iter().enumerate() {
        while end - times[first] > reach {
            first += 1;
        }
        pairs += (later - first) as u64;
    }
    pairs
}

/// Estimated nanoseconds for so many pairs.
pub(super) fn cost(pairs: u64) -> f64 {
    pairs as f64 * NANOS_PER_PAIR
}

fn reach(bin: i64, bins: usize) -> i64 {
    i64::try_from(bins).map_or(i64::MAX, |bins| bin.saturating_mul(bins))
}
