//! The pair loop as the paper writes it: the yardstick of the fast ways.

/// For rising `times`, the number of pairs whose distance rounds up to n bins,
/// at index n - 1, by looking at every pair: n^2 / 2 steps.
#[must_use]
pub fn count_by_pairs(times: &[i64], bin: i64, bins: usize) -> Vec<u64> {
    let mut counts = vec![0; bins];
    for (later, &end) in times.iter().enumerate() {
        for &start in &times[..later] {
            let n = (end - start + bin - 1) / bin;
            if let Some(count) = counts.get_mut((n - 1) as usize) {
                *count += 1;
            }
        }
    }
    counts
}
