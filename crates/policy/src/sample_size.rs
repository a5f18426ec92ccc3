//! How many pages of a site to sample: the rule of thumb and Theorem 2 of
//! Cho & Ntoulas (VLDB 2002), section 3.3.

/// Half the width of the window in which the density of sites is counted: one
/// decile around the threshold, as in the paper's histograms.
const HALF_WINDOW: f64 = 0.05;

/// Least gain of the sites above the threshold over the rest that counts as
/// one: below it sites are alike but for rounding.
const LEAST_GAIN: f64 = 1e-9;

/// How the changed shares ρ of sites are spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// `ρ_t`: the share of the last site that is still affordable.
    pub threshold: f64,
    /// `f(ρ_t)`: density of sites at the threshold.
    pub density: f64,
    /// Mean share of the sites above the threshold.
    pub mean_above: f64,
    /// Mean share of all sites.
    pub mean: f64,
}

/// `sqrt(N r)`, N = `pages_per_site`, r = `affordable`, the part of all pages
/// that the budget pays for. Holds to a factor that depends on the spread.
#[must_use]
pub fn rule_of_thumb(pages_per_site: f64, affordable: f64) -> f64 {
    (pages_per_site * affordable).sqrt()
}

/// Theorem 2 as printed: `sqrt(N r f(ρ_t) / (6 (mean_above - mean)))`.
/// `None` where the sites above the threshold are no better than the rest.
///
/// The derivation has a sign wrong and loses r: see [`corrected`].
#[must_use]
pub fn printed(pages_per_site: f64, affordable: f64, spread: &Spread) -> Option<f64> {
    let gain = spread.mean_above - spread.mean;
    (gain > LEAST_GAIN)
        .then(|| (pages_per_site * affordable * spread.density / (6.0 * gain)).sqrt())
}

/// Theorem 2 with the budget kept:
/// `sqrt(N f(ρ_t) v / (2 (mean_above - mean)))`, v = `ρ_t (1 - ρ_t)` the
/// variance of one sample at the threshold. `None` as in [`printed`].
///
/// From maximising `s mean + (N r - s) (mean_above - f v / (2 r s))`, changes
/// a site with s samples each, over s, for s far below N r.
#[must_use]
pub fn corrected(pages_per_site: f64, spread: &Spread) -> Option<f64> {
    let gain = spread.mean_above - spread.mean;
    let variance = spread.threshold * (1.0 - spread.threshold);
    (gain > LEAST_GAIN).then(|| (pages_per_site * spread.density * variance / (2.0 * gain)).sqrt())
}

/// The spread of sites of one size with the given shares when `affordable` of
/// their pages can be downloaded; `None` without sites.
#[must_use]
pub fn spread(shares: &[f64], affordable: f64) -> Option<Spread> {
    let mut sorted = shares.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let count = sorted.len();
    let above = ((count as f64 * affordable).round() as usize).clamp(1, count.max(1));
    let threshold = *sorted.get(above - 1)?;
    let (low, high) = (
        (threshold - HALF_WINDOW).max(0.0),
        (threshold + HALF_WINDOW).min(1.0),
    );
    let near = sorted
        .iter()
        .filter(|&&share| (low..=high).contains(&share));
    Some(Spread {
        threshold,
        density: near.count() as f64 / (count as f64 * (high - low)),
        mean_above: sorted[..above].iter().sum::<f64>() / above as f64,
        mean: sorted.iter().sum::<f64>() / count as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{Continuous, ContinuousCDF, Normal};

    /// The spread of shares that follow a normal law, mean 0.5, deviation 0.3.
    fn normal_spread(affordable: f64) -> Spread {
        let law = Normal::new(0.5, 0.3).expect("a law");
        let threshold = law.inverse_cdf(1.0 - affordable);
        let density = law.pdf(threshold);
        Spread {
            threshold,
            density,
            mean_above: 0.5 + 0.09 * density / affordable,
            mean: 0.5,
        }
    }

    #[test]
    fn sizes_are_those_of_independent_calculations() {
        // ALGORITHMS 3.3: printed, corrected and sqrt(N r) for 1,000 pages a site.
        for (affordable, as_printed, as_corrected, thumb) in [
            (0.1, 4.3, 7.5, 10.0),
            (1.0 / 3.0, 14.3, 20.8, 18.3),
            (0.6, 25.8, 28.5, 24.5),
        ] {
            let spread = normal_spread(affordable);
            let size = printed(1e3, affordable, &spread).expect("a gain");
            assert!((size - as_printed).abs() < 0.05, "{size}");
            let size = corrected(1e3, &spread).expect("a gain");
            assert!((size - as_corrected).abs() < 0.05, "{size}");
            let size = rule_of_thumb(1e3, affordable);
            assert!((size - thumb).abs() < 0.05, "{size}");
        }
    }

    #[test]
    fn the_rule_of_thumb_is_about_20_for_the_papers_data() {
        // Section 4.3: N = 353,000/252, r = 100,000/353,000.
        let size = rule_of_thumb(353_000.0 / 252.0, 100_000.0 / 353_000.0);
        assert!((size - 19.9).abs() < 0.05, "{size}");
    }

    #[test]
    fn a_spread_is_read_off_the_shares_of_sites() {
        let law = Normal::new(0.5, 0.1).expect("a law");
        let shares: Vec<f64> = (0..10_000)
            .map(|site| law.inverse_cdf((f64::from(site) + 0.5) / 1e4))
            .collect();
        let spread = spread(&shares, 0.25).expect("sites");
        let threshold = law.inverse_cdf(0.75);
        let density = (law.cdf(threshold + 0.05) - law.cdf(threshold - 0.05)) / 0.1;
        assert!((spread.threshold - threshold).abs() < 1e-3);
        assert!((spread.density - density).abs() < 5e-3, "{spread:?}");
        assert!((spread.mean - 0.5).abs() < 1e-6);
        let mean_above = 0.5 + 0.01 * law.pdf(threshold) / 0.25;
        assert!((spread.mean_above - mean_above).abs() < 1e-3, "{spread:?}");
    }

    #[test]
    fn sites_that_are_all_alike_have_no_best_sample_size() {
        let spread = spread(&[0.4; 10], 0.3).expect("sites");
        assert_eq!(printed(100.0, 0.3, &spread), None);
        assert_eq!(corrected(100.0, &spread), None);
        assert_eq!(super::spread(&[], 0.3), None);
    }
}
