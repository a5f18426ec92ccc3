//! How many pages of a site to sample: the rule of thumb and Theorem 2 of
//! Cho & Ntoulas (VLDB 2002), section 3.3.

/// Half the width of the window in which the density of sites is counted: one
/// decile around the threshold, as in the paper's histograms.
const HALF_WINDOW: f64 = 0.05;

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
    (gain > 0.0).then(|| (pages_per_site * affordable * spread.density / (6.0 * gain)).sqrt())
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
    (gain > 0.0).then(|| (pages_per_site * spread.density * variance / (2.0 * gain)).sqrt())
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
