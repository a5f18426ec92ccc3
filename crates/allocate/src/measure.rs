//! What is to be made best: [`Measure`].

use crate::gain::{age_gain, freshness_gain, inverse_age_gain, inverse_freshness_gain};

/// What visits are to make best, for pages that change at known, steady rates.
///
/// λ is a page's rate, w its weight, f its visits per unit of time, x = λ/f.
/// The best visits under a budget B = Σ f are all of one form,
///
/// `f = λ h(v)`, `v = w/(μ λ^k)`,
///
/// with one price μ of a visit for all pages, found so that the budget is
/// spent; h rises, so pages that are worth more get more.
///
/// | measure | page's score, times w | k | h(v) |
/// |---|---|---|---|
/// | `Freshness` | (1 - e^-x)/x | 1 | 1/x where 1/v = 1 - (1+x)e^-x; 0 for v ≤ 1 |
/// | `Age` | -(1/f)(1/2 - 1/x + (1 - e^-x)/x²) | 2 | 1/x where 1/v = x²/2 + x e^-x - (1 - e^-x) |
/// | `Changes` | f (1 - e^-x) | 0 | as `Freshness` |
/// | `MemorylessFreshness` | f/(f + λ) | 1 | √v - 1; 0 for v ≤ 1 |
/// | `Harmonic` | -ln((f + λ)/f) | 1 | 2v/(1 + √(1 + 4v)) |
/// | `HarmonicWithFeed` | ln(f/λ) | 1 | v; 1 for v ≥ 1 |
///
/// Sources: Cho & Garcia-Molina, *Effective Page Refresh Policies* (2003), for
/// the first two; Azar, Horvitz, Lubetzky, Peres & Shahaf, *Tractable
/// near-optimal policies for crawling* (2018); Kolobov, Peres, Lu & Horvitz,
/// *Staying up to date with online content changes* (LambdaCrawl, 2019). The
/// common form is derived in `docs/math.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Share of time a copy visited at regular intervals is up to date. Pages
    /// too fast to be kept up with get no visit.
    Freshness,
    /// Time a copy visited at regular intervals has been out of date.
    Age,
    /// Visits that find a change (ChangeRatio). With equal weights, visits in
    /// proportion to rates.
    Changes,
    /// Freshness with visits at random moments (Azar et al.).
    MemorylessFreshness,
    /// LambdaCrawl: the n-th change missed costs 1/n; no page gets nothing.
    Harmonic,
    /// LambdaCrawl for pages that tell each change: a share f/λ of the changes
    /// is fetched, all at most.
    HarmonicWithFeed,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Freshness,
        Self::Age,
        Self::Changes,
        Self::MemorylessFreshness,
        Self::Harmonic,
        Self::HarmonicWithFeed,
    ];

    /// A page's merit `w/λ^k`: what a visit is worth before the price is known.
    #[must_use]
    #[inline(always)] // part of the loops over pages
    pub fn merit(self, rate: f64, weight: f64) -> f64 {
        match self {
            Self::Changes => weight,
            Self::Age => weight / (rate * rate),
            Self::Freshness
            | Self::MemorylessFreshness
            | Self::Harmonic
            | Self::HarmonicWithFeed => weight / rate,
        }
    }

    /// h(v): visits per change, v = merit over price. Exact.
    #[must_use]
    #[inline(always)] // part of the loops over pages
    pub fn visits_per_change(self, worth: f64) -> f64 {
        match self {
            Self::Freshness | Self::Changes if worth <= 1.0 => 0.0,
            Self::Freshness | Self::Changes => inverse_freshness_gain(worth - 1.0).recip(),
            Self::Age => inverse_age_gain(worth).recip(),
            Self::MemorylessFreshness => (worth.sqrt() - 1.0).max(0.0),
            Self::Harmonic => 2.0 * worth / (1.0 + (1.0 + 4.0 * worth).sqrt()),
            Self::HarmonicWithFeed => worth.min(1.0),
        }
    }

    /// The worth v at which [`Self::visits_per_change`] is q, for q above 0
    /// (and, with a feed, below 1): the inverse of h.
    #[must_use]
    pub fn worth_of(self, visits_per_change: f64) -> f64 {
        let q = visits_per_change;
        match self {
            Self::Freshness | Self::Changes => freshness_gain(q.recip()).recip(),
            Self::Age => age_gain(q.recip()).recip(),
            Self::MemorylessFreshness => (1.0 + q) * (1.0 + q),
            Self::Harmonic => q * (1.0 + q),
            Self::HarmonicWithFeed => q,
        }
    }

    /// The score of a page that changes λ = `rate` times and is visited f =
    /// `visits` times per unit of time, to be made large; see the table above.
    /// Minus infinity where the measure counts an unvisited page so.
    #[must_use]
    pub fn score(self, rate: f64, visits: f64) -> f64 {
        let x = rate / visits;
        match self {
            Self::Freshness | Self::Changes if visits <= 0.0 => 0.0,
            Self::Freshness => -(-x).exp_m1() / x,
            Self::Changes => -visits * (-x).exp_m1(),
            Self::Age if visits <= 0.0 => f64::NEG_INFINITY,
            Self::Age => -mean_age(x) / visits,
            Self::MemorylessFreshness => visits / (visits + rate),
            Self::Harmonic => -x.ln_1p(),
            Self::HarmonicWithFeed => -x.max(1.0).ln(),
        }
    }

    /// What one more visit adds to [`Self::score`]: its derivative by f. At the
    /// optimum, w times this is μ for every page visited and at most μ for
    /// those that are not. Pages with a feed gain nothing beyond f = λ.
    #[must_use]
    pub fn marginal_score(self, rate: f64, visits: f64) -> f64 {
        let x = rate / visits;
        match self {
            Self::Freshness => freshness_gain(x) / rate,
            Self::Changes => freshness_gain(x),
            Self::Age => age_gain(x) / (rate * rate),
            Self::MemorylessFreshness => rate / ((visits + rate) * (visits + rate)),
            Self::Harmonic => rate / (visits * (visits + rate)),
            Self::HarmonicWithFeed => visits.recip(),
        }
    }

    /// Whether h has no finite slope where it reaches 0.
    pub(crate) fn ends_steeply(self) -> bool {
        matches!(self, Self::Freshness | Self::Changes)
    }

    /// The most visits a page can use: λ with a feed, else no bound.
    pub(crate) fn ceiling(self, rate: f64) -> f64 {
        if self == Self::HarmonicWithFeed {
            rate
        } else {
            f64::INFINITY
        }
    }
}

/// `1/2 - 1/x + (1 - exp(-x))/x^2`, by its series where digits would be lost.
fn mean_age(x: f64) -> f64 {
    if x < 0.01 {
        x * (1.0 / 6.0 - x * (1.0 / 24.0 - x * (1.0 / 120.0 - x / 720.0)))
    } else {
        0.5 - x.recip() - (-x).exp_m1() / (x * x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marginal_score_is_the_slope_of_the_score() {
        for measure in Measure::ALL {
            for (rate, visits) in [(1.0, 0.3), (0.02, 0.015), (40.0, 7.0)] {
                let step = visits * 1e-5;
                let rise = measure.score(rate, visits + step) - measure.score(rate, visits - step);
                let slope = rise / (2.0 * step);
                let ours = measure.marginal_score(rate, visits);
                assert!(
                    (ours / slope - 1.0).abs() < 1e-6,
                    "{measure:?} {ours} {slope}"
                );
            }
        }
    }

    #[test]
    fn at_the_price_of_its_marginal_score_a_page_gets_its_visits_back() {
        for measure in Measure::ALL {
            for (rate, weight, visits) in [(1.0, 1.0, 0.3), (0.02, 5.0, 0.01), (40.0, 0.1, 7.0)] {
                let price = weight * measure.marginal_score(rate, visits);
                let worth = measure.merit(rate, weight) / price;
                let ours = rate * measure.visits_per_change(worth);
                assert!(
                    (ours / visits - 1.0).abs() < 1e-10,
                    "{measure:?} {ours} {visits}"
                );
                let worth_of = measure.worth_of(visits / rate);
                assert!((worth_of / worth - 1.0).abs() < 1e-10, "{measure:?}");
            }
        }
    }

    #[test]
    fn the_score_of_age_is_minus_the_age_of_cho_and_garcia_molina() {
        // x = 1: A = 1/2 - 1 + 1 - 1/e.
        let expected = -(0.5 - (-1f64).exp());
        assert!((Measure::Age.score(1.0, 1.0) - expected).abs() < 1e-15);
        let (below, above) = (mean_age(0.009_999_99), mean_age(0.010_000_01));
        assert!((above / below - 1.0 - 2e-6).abs() < 1e-8);
    }
}
