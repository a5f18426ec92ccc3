//! Intervals: how far the truth may be from an estimate.

use std::sync::OnceLock;

use statrs::distribution::{ContinuousCDF, Gamma};
use statrs::function::beta::inv_beta_reg;
use statrs::function::gamma::ln_gamma;
use thiserror::Error;

use crate::Evidence;
use crate::estimator::Bounds;
use crate::exponentials::survivals;
use crate::root::{LAST_STEP_OF_BOUNDS, falling_root};

/// The probability with which an interval holds the truth, between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence(f64);

/// A number that is no confidence.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("a confidence of {0} is not possible: it must lie between 0 and 1, as 0.95 does")]
pub struct ConfidenceError(pub f64);

impl Confidence {
    /// Checks that `level` lies between 0 and 1, both excluded.
    ///
    /// # Errors
    /// [`ConfidenceError`] carries the number.
    pub fn new(level: f64) -> Result<Self, ConfidenceError> {
        if level > 0.0 && level < 1.0 {
            Ok(Self(level))
        } else {
            Err(ConfidenceError(level))
        }
    }

    /// The level itself.
    #[must_use]
    pub const fn level(self) -> f64 {
        self.0
    }

    /// Probability left below the interval, and as much above.
    #[must_use]
    pub const fn tail(self) -> f64 {
        (1.0 - self.0) / 2.0
    }
}

/// 95 %, what most readers expect.
impl Default for Confidence {
    fn default() -> Self {
        Self(0.95)
    }
}

/// Counts up to which bounds are remembered: most pages of a collection share
/// few pairs (n, X), and the quantiles are the dear part.
const REMEMBERED: usize = 256;

/// Clopper & Pearson's (1934) bounds for a share seen as X of n.
///
/// The interval holds the true share with at least the stated probability:
/// its ends p solve `P(Bin(n, p) >= X) = tail` and `P(Bin(n, p) <= X) = tail`.
#[derive(Debug)]
pub struct ShareBounds {
    confidence: Confidence,
    /// Row n holds the bounds for X = 0..=n, computed when first asked for.
    rows: Vec<OnceLock<Row>>,
}

type Row = Box<[(f64, f64)]>;

impl ShareBounds {
    /// Bounds at one confidence.
    #[must_use]
    pub fn new(confidence: Confidence) -> Self {
        let rows = (0..=REMEMBERED).map(|_| OnceLock::new()).collect();
        Self { confidence, rows }
    }

    /// The confidence they hold at.
    #[must_use]
    pub const fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// Lower and upper bound of the share behind `hits` of `trials`.
    #[must_use]
    pub fn share(&self, hits: usize, trials: usize) -> (f64, f64) {
        match self.rows.get(trials) {
            Some(row) => {
                let fill = || {
                    (0..=trials)
                        .map(|hits| self.compute(hits, trials))
                        .collect()
                };
                row.get_or_init(fill)[hits]
            }
            None => self.compute(hits, trials),
        }
    }

    fn compute(&self, hits: usize, trials: usize) -> (f64, f64) {
        let (x, n, tail) = (hits as f64, trials as f64, self.confidence.tail());
        let low = if hits == 0 {
            0.0
        } else {
            inv_beta_reg(x, n - x + 1.0, tail)
        };
        let high = if hits >= trials {
            1.0
        } else {
            inv_beta_reg(x + 1.0, n - x, 1.0 - tail)
        };
        (low, high)
    }

    /// Bounds, in changes a day, of the rate behind changed and unchanged
    /// intervals of any lengths t_i: the rates at which the mean chance of a
    /// change, `mean of 1 - exp(-rate t_i)`, meets the bounds of the share.
    ///
    /// On equal lengths this is Clopper & Pearson's interval. On unequal ones
    /// the number of changes is a sum of unequal coin throws, whose tails are
    /// never heavier than the binomial's with the same mean (Hoeffding 1956,
    /// Theorem 4), so the interval still holds its level.
    #[must_use]
    pub(crate) fn rate(&self, evidence: &Evidence) -> Bounds {
        let (changes, intervals) = (evidence.changes(), evidence.intervals());
        let Some(mean) = evidence.mean_days().filter(|&mean| mean > 0.0) else {
            return (Some(0.0), None);
        };
        let (low, high) = self.share(changes, intervals);
        let variation = evidence.variation(mean);
        let solve = |share: f64| rate_at_share(evidence, mean, variation, share);
        (Some(solve(low)), (changes < intervals).then(|| solve(high)))
    }
}

/// The rate at which intervals would see a change in a mean `share` of cases:
/// the root of `sum exp(-rate t_i) = n (1 - share)`.
///
/// By Jensen's inequality the answer for equal lengths, `h/m` with
/// `h = -ln(1 - share)` and the mean length m, is never above it. The search starts
/// at the answer for lengths spread as a gamma law's with their squared
/// coefficient of variation v, `(exp(v h) - 1)/(v m)`, which is near.
fn rate_at_share(evidence: &Evidence, mean_days: f64, variation: f64, share: f64) -> f64 {
    if share <= 0.0 {
        return 0.0;
    }
    let hazard = -(-share).ln_1p();
    let left = hazard / mean_days;
    let spread = (variation * hazard).min(WIDEST_SPREAD);
    let start = if spread > NO_SPREAD {
        left * spread.exp_m1() / spread
    } else {
        left
    };
    let target = evidence.intervals() as f64 * (1.0 - share);
    let sum = |rate| survivals(rate, evidence.as_slice());
    falling_root(left, start, target, LAST_STEP_OF_BOUNDS, sum)
}

/// Spread `v h` below which lengths count as equal; what is neglected is half of
/// it, relative, of a mere start.
const NO_SPREAD: f64 = 1e-9;

/// Spread `v h` beyond which lengths no longer look like a gamma law's, and its
/// answer, already three times that of equal lengths, is no better a start.
const WIDEST_SPREAD: f64 = 2.0;

/// Garwood's (1936) bounds for the mean behind a Poisson count: half the
/// chi-square quantiles with 2X and 2X + 2 degrees of freedom.
#[derive(Debug)]
pub(crate) struct CountBounds {
    confidence: Confidence,
    /// The bounds of small counts, computed when first asked for.
    counts: Vec<OnceLock<(f64, f64)>>,
}

impl CountBounds {
    /// Bounds at one confidence.
    pub(crate) fn new(confidence: Confidence) -> Self {
        let counts = (0..=REMEMBERED).map(|_| OnceLock::new()).collect();
        Self { confidence, counts }
    }

    /// Lower and upper bound of the mean behind `count`.
    pub(crate) fn mean(&self, count: usize) -> (f64, f64) {
        match self.counts.get(count) {
            Some(bounds) => *bounds.get_or_init(|| self.compute(count)),
            None => self.compute(count),
        }
    }

    fn compute(&self, count: usize) -> (f64, f64) {
        let tail = self.confidence.tail();
        let low = if count == 0 {
            0.0
        } else {
            gamma_quantile(count as f64, tail)
        };
        (low, gamma_quantile(count as f64 + 1.0, 1.0 - tail))
    }
}

/// The p-quantile of the gamma law with this shape and unit scale.
///
/// Near zero the law is `x^shape / Gamma(shape + 1)` to a relative x, which
/// small shapes need: their lower quantiles lie below any search's tolerance.
#[must_use]
pub(crate) fn gamma_quantile(shape: f64, p: f64) -> f64 {
    let near_zero = ((p.ln() + ln_gamma(shape + 1.0)) / shape).exp();
    if near_zero < 1e-9 {
        return near_zero;
    }
    Gamma::new(shape, 1.0).map_or(f64::NAN, |law| law.inverse_cdf(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(ours: f64, theirs: f64) -> bool {
        (ours - theirs).abs() <= 1e-7 * theirs.abs()
    }

    #[test]
    fn share_bounds_are_those_of_clopper_and_pearson() {
        // scipy.stats.beta.ppf, 1.17.
        let bounds = ShareBounds::new(Confidence::default());
        for (hits, trials, low, high) in [
            (0, 10, 0.0, 0.308_497_107_818_760_7),
            (3, 10, 0.066_739_511_177_734_47, 0.652_452_850_059_997_3),
            (10, 10, 0.691_502_892_181_239_2, 1.0),
            (1, 1, 0.025, 1.0),
            (7, 250, 0.011_330_013_795_658_532, 0.056_837_245_273_053_616),
            (499, 500, 0.988_907_523_101_031_2, 0.999_949_365_665_992_6),
            (
                1,
                1_000,
                2.531_748_749_129_404e-5,
                0.005_558_924_279_826_672,
            ),
        ] {
            let (our_low, our_high) = bounds.share(hits, trials);
            assert!(
                close(our_low, low) && close(our_high, high),
                "{hits}/{trials}: {our_low} {our_high}"
            );
        }
    }

    #[test]
    fn poisson_bounds_are_garwoods() {
        // scipy.stats.chi2.ppf, 1.17.
        for (count, low, high) in [
            (0, 0.0, 3.688_879_454_113_935_4),
            (1, 0.025_317_807_984_289_876, 5.571_643_390_938_898),
            (50, 37.110_963_737_461_866, 65.918_766_664_336_81),
            (1_000, 938.973_018_407_695_2, 1_063.952_136_016_302),
        ] {
            let (our_low, our_high) = CountBounds::new(Confidence::default()).mean(count);
            assert!(
                close(our_low, low) && close(our_high, high),
                "{count}: {our_low} {our_high}"
            );
        }
    }

    #[test]
    fn gamma_quantiles_reach_into_small_shapes() {
        // scipy.stats.gamma.ppf, 1.17.
        for (shape, p, expected) in [
            (0.5, 0.025, 0.000_491_034_558_587_627_8),
            (0.5, 0.975, 2.511_943_093_657_444),
            (0.05, 0.025, 5.315_661_889_914_36e-33),
            (0.05, 0.975, 0.567_173_761_753_858_3),
            (200.5, 0.025, 173.706_242_440_433_58),
        ] {
            let ours = gamma_quantile(shape, p);
            assert!(close(ours, expected), "{shape} {p}: {ours}");
        }
        assert!(
            gamma_quantile(0.05, 0.025) < 1e-20,
            "next to nothing, never negative"
        );
        assert!(gamma_quantile(0.05, 0.025) >= 0.0);
    }

    #[test]
    fn a_confidence_lies_between_none_and_certainty() {
        for level in [0.0, 1.0, -0.5, 95.0, f64::NAN] {
            assert!(Confidence::new(level).is_err(), "{level}");
        }
    }
}
