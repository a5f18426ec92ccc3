//! Whether a version that has lived long will live longer: [`Ageing`].

use crate::AgeLaw;
use crate::bootstrap::Band;

/// How the time until the next update depends on the time since the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ageing {
    /// Used things wear out: the longer unchanged, the sooner the next change
    /// (updates by the clock).
    NewBetterThanUsed,
    /// Used things last: the longer unchanged, the longer still (bursts).
    NewWorseThanUsed,
    /// Neither can be told from Poisson updates.
    Memoryless,
}

/// Levels of the age distribution at which tails are compared.
const LEVELS: [f64; 7] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];

impl Ageing {
    /// The word used in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewBetterThanUsed => "new-better-than-used",
            Self::NewWorseThanUsed => "new-worse-than-used",
            Self::Memoryless => "memoryless",
        }
    }

    /// What a band of [`lean`] says: a side only if the band excludes zero.
    #[must_use]
    pub fn from_band(band: Band) -> Self {
        if band.low > 0.0 {
            Self::NewWorseThanUsed
        } else if band.high < 0.0 {
            Self::NewBetterThanUsed
        } else {
            Self::Memoryless
        }
    }
}

/// By how much ages exceed the memoryless law: the mean over pairs of lengths x
/// and y of `P(A > x + y) - P(A > x) P(A > y)`.
///
/// Zero for Poisson updates, above zero if ages are new worse than used, below
/// if new better than used (definition 3 of Li, Cline, Loguinov). It needs no
/// slope at zero. Lengths are those at which the law reaches 10 % to 70 %;
/// pairs beyond the reach of the law are left out.
#[must_use]
pub fn lean(law: &AgeLaw) -> f64 {
    let tail = |x: f64| 1.0 - law.cdf(x);
    let lengths: Vec<f64> = LEVELS
        .iter()
        .filter(|&&level| level < law.highest())
        .map(|&level| quantile(law, level))
        .collect();
    let (mut sum, mut pairs) = (0.0, 0.0);
    for (place, &x) in lengths.iter().enumerate() {
        for &y in &lengths[..=place] {
            if x + y <= law.reach() || law.highest() >= 1.0 {
                sum += tail(x + y) - tail(x) * tail(y);
                pairs += 1.0;
            }
        }
    }
    if pairs > 0.0 { sum / pairs } else { 0.0 }
}

/// The length at which the law reaches `level`, which must be below its
/// highest value.
fn quantile(law: &AgeLaw, level: f64) -> f64 {
    let (mut low, mut high) = (0.0, law.reach());
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if law.cdf(middle) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_laws_lean_to_their_side() {
        let constant = AgeLaw::through(&[(1.0, 1.0)], None);
        let points: Vec<_> = (1..20_000)
            .map(|n| f64::from(n) * 0.01)
            .map(|x| (x, 1.0 - (1.0 + x).powi(-2)))
            .collect();
        let pareto = AgeLaw::through(&points, None);
        assert!(lean(&constant) < -0.05, "{}", lean(&constant));
        assert!(lean(&pareto) > 0.02, "{}", lean(&pareto));
        assert!(lean(&AgeLaw::exponential(3.0)).abs() < 1e-4);
    }

    #[test]
    fn a_band_around_zero_takes_no_side() {
        let of = |low, high| Ageing::from_band(Band { low, high });
        assert_eq!(of(-0.1, 0.1), Ageing::Memoryless);
        assert_eq!(of(0.01, 0.1), Ageing::NewWorseThanUsed);
        assert_eq!(of(-0.2, -0.1), Ageing::NewBetterThanUsed);
    }
}
