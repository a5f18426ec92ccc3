//! How far a curve lies from the truth: KS and WMRD.

/// The largest distance between two curves at the same points (Kolmogorov and
/// Smirnov), source: Li, Cline, Loguinov, equation 24.
#[must_use]
pub fn largest_distance(curve: &[f64], truth: &[f64]) -> f64 {
    curve
        .iter()
        .zip(truth)
        .map(|(ours, truth)| (ours - truth).abs())
        .fold(0.0, f64::max)
}

/// `sum |H - G| / sum (H + G) / 2` over the same points, source: Li, Cline,
/// Loguinov, equation 23. The paper's sum has no end; it must stop at the
/// largest length observed, or the denominator grows without limit.
#[must_use]
pub fn weighted_mean_relative_difference(curve: &[f64], truth: &[f64]) -> f64 {
    let (mut apart, mut size) = (0.0, 0.0);
    for (ours, truth) in curve.iter().zip(truth) {
        apart += (ours - truth).abs();
        size += f64::midpoint(*ours, *truth);
    }
    if size > 0.0 { apart / size } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_two_short_curves() {
        let (curve, truth) = ([0.2, 0.6, 1.0], [0.4, 0.5, 1.0]);
        assert!((largest_distance(&curve, &truth) - 0.2).abs() < 1e-15);
        let expected = 0.3 / (0.3 + 0.55 + 1.0);
        let ours = weighted_mean_relative_difference(&curve, &truth);
        assert!((ours - expected).abs() < 1e-15);
        assert_eq!(weighted_mean_relative_difference(&[], &[]), 0.0);
    }
}
