//! Wilson's interval for a share.

use recrawl_estimate::Confidence;
use statrs::distribution::{ContinuousCDF, Normal};

/// Wilson's (1927) interval for a share seen as `share` of `count` draws:
/// centre `(p + z^2/2n) / (1 + z^2/n)`, half width
/// `z sqrt(p(1-p)/n + z^2/4n^2) / (1 + z^2/n)`, z the normal quantile of the
/// confidence. Has a width at p = 0 and 1, where Wald's has none. (0, 1)
/// without draws.
#[must_use]
pub fn wilson_interval(share: f64, count: u32, confidence: Confidence) -> (f64, f64) {
    if count == 0 {
        return (0.0, 1.0);
    }
    let n = f64::from(count);
    let z = Normal::standard().inverse_cdf(1.0 - confidence.tail());
    let shrink = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / shrink;
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / shrink;
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_literature() {
        // Newcombe (1998), table I: Wilson's 95 % intervals without continuity
        // correction for 81/263, 15/148, 0/20 and 1/29.
        for (changed, count, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let share = changed / f64::from(count);
            let (l, h) = wilson_interval(share, count, Confidence::default());
            assert!((l - low).abs() < 5e-5, "{changed}/{count}: {l}");
            assert!((h - high).abs() < 5e-5, "{changed}/{count}: {h}");
        }
    }
}
