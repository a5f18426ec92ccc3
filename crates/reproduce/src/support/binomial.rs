//! Exact sums over how many of n accesses see a change.

use statrs::distribution::{Binomial, Discrete};

/// `P(X = k)` for k = 0..=n, X ~ Binomial(n, 1 - exp(-r)): how many of n
/// accesses see a change that comes r times an access on average.
pub(crate) fn changes_seen(accesses: u64, changes_per_access: f64) -> Vec<f64> {
    let chance = -(-changes_per_access).exp_m1();
    match Binomial::new(chance, accesses) {
        Ok(law) => (0..=accesses).map(|seen| law.pmf(seen)).collect(),
        Err(_) => vec![f64::NAN; accesses as usize + 1],
    }
}

/// Mean and standard deviation of `estimate[X]`, X as in [`changes_seen`].
pub(crate) fn moments(estimates: &[f64], changes_per_access: f64) -> (f64, f64) {
    let chances = changes_seen(estimates.len() as u64 - 1, changes_per_access);
    let expect = |power: i32| -> f64 {
        let weighted = chances.iter().zip(estimates);
        weighted
            .map(|(chance, value)| chance * value.powi(power))
            .sum()
    };
    let mean = expect(1);
    (mean, (expect(2) - mean * mean).max(0.0).sqrt())
}

/// The log estimator by its formula, `-ln((n - X + 0.5)/(n + 0.5))`, for
/// X = 0..=n.
pub(crate) fn log_estimates(accesses: u64) -> Vec<f64> {
    let n = accesses as f64;
    (0..=accesses)
        .map(|seen| -((n - seen as f64 + 0.5) / (n + 0.5)).ln())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_estimator_has_the_moments_found_in_advance() {
        // n, r, E/r by an independent sum.
        for (n, r, ratio) in [
            (10, 1.0, 1.003),
            (10, 2.0, 0.970),
            (10, 5.0, 0.594),
            (50, 3.0, 0.998),
            (50, 5.0, 0.855),
        ] {
            let (mean, _) = moments(&log_estimates(n), r);
            assert!(
                (mean / r - ratio).abs() < 6e-4,
                "n = {n}, r = {r}: {}",
                mean / r
            );
        }
    }

    #[test]
    fn chances_add_up_to_one() {
        let total: f64 = changes_seen(20, 0.7).iter().sum();
        assert!((total - 1.0).abs() < 1e-12);
    }
}
