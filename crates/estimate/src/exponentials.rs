//! Sums of exponentials over the intervals of a page, several at a time: what
//! the equations of `cho`, `mle` and the bounds are made of.

use pulp::{Arch, Simd, WithSimd};

/// Numbers of the widest vector.
const LANES: usize = 8;

/// Intervals worked on together: those of most pages, and few enough that
/// their terms stay in registers and the nearest cache.
const BLOCK: usize = 32;

/// A function at a point, and its first and second derivative there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Jet {
    pub(crate) value: f64,
    pub(crate) slope: f64,
    pub(crate) bend: f64,
}

/// `sum exp(-rate t)` and its derivatives by the rate, `-sum t exp(-rate t)` and
/// `sum t^2 exp(-rate t)`, over the lengths t of intervals. `rate t` must not be
/// negative.
pub(crate) fn survivals(rate: f64, lengths: &[f64]) -> Jet {
    Arch::new().dispatch(Sum {
        lengths,
        term: Survival { rate },
    })
}

/// `sum t o` with the odds `o = 1/(exp(rate t) - 1)`, and its derivatives by the
/// rate, `-sum t^2 o (1 + o)` and `sum t^3 o (1 + o)(1 + 2 o)`, over the lengths t
/// of intervals. `rate t` must be positive.
pub(crate) fn odds(rate: f64, lengths: &[f64]) -> Jet {
    Arch::new().dispatch(Sum {
        lengths,
        term: Odds { rate },
    })
}

/// What an interval adds to a sum and to its derivatives.
trait Term: Copy {
    fn of(self, days: f64) -> Jet;
}

#[derive(Clone, Copy)]
struct Survival {
    rate: f64,
}

#[derive(Clone, Copy)]
struct Odds {
    rate: f64,
}

impl Term for Survival {
    #[expect(
        clippy::inline_always,
        reason = "is compiled for the machine's vectors only inside `Sum`"
    )]
    #[inline(always)]
    fn of(self, days: f64) -> Jet {
        let (less_one, scale) = exponential(-self.rate * days);
        let survival = less_one.mul_add(scale, scale);
        let slope = -days * survival;
        Jet {
            value: survival,
            slope,
            bend: -days * slope,
        }
    }
}

impl Term for Odds {
    #[expect(
        clippy::inline_always,
        reason = "is compiled for the machine's vectors only inside `Sum`"
    )]
    #[inline(always)]
    fn of(self, days: f64) -> Jet {
        let (less_one, scale) = exponential(self.rate * days);
        let odds = 1.0 / less_one.mul_add(scale, scale - 1.0);
        let value = days * odds;
        let slope = -days * value * (1.0 + odds);
        Jet {
            value,
            slope,
            bend: -days * slope * 2.0_f64.mul_add(odds, 1.0),
        }
    }
}

/// Adds up a term over all intervals.
struct Sum<'a, T> {
    lengths: &'a [f64],
    term: T,
}

impl<T: Term> WithSimd for Sum<'_, T> {
    type Output = Jet;

    #[expect(
        clippy::inline_always,
        reason = "is compiled for the machine's vectors only inside `dispatch`"
    )]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Jet {
        let mut total = Jet {
            value: 0.0,
            slope: 0.0,
            bend: 0.0,
        };
        let mut terms = [[0.0; BLOCK]; 3];
        let [values, slopes, bends] = &mut terms;
        let mut lengths = [1.0; BLOCK];
        for block in self.lengths.chunks(BLOCK) {
            lengths[..block.len()].copy_from_slice(block);
            let whole = block.len().next_multiple_of(LANES);
            let room = values[..whole].iter_mut().zip(&mut slopes[..whole]);
            let room = room.zip(&mut bends[..whole]);
            for (((value, slope), bend), &days) in room.zip(&lengths[..whole]) {
                let term = self.term.of(days);
                (*value, *slope, *bend) = (term.value, term.slope, term.bend);
            }
            total.value += sum(&values[..block.len()]);
            total.slope += sum(&slopes[..block.len()]);
            total.bend += sum(&bends[..block.len()]);
        }
        total
    }
}

/// A sum in as many parts as there are lanes, none of which waits for another.
#[expect(
    clippy::inline_always,
    reason = "is compiled for the machine's vectors only inside `Sum`"
)]
#[inline(always)]
fn sum(numbers: &[f64]) -> f64 {
    let (whole, rest) = numbers.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for numbers in whole {
        for lane in 0..LANES {
            sums[lane] += numbers[lane];
        }
    }
    sums.iter().chain(rest).sum()
}

/// exp x as `(p, s)` with `exp x = s(1 + p)` and `exp x - 1 = s p + (s - 1)`, s a
/// power of two; both to a few units in the last place. Beyond +-708, where s
/// would leave the range of numbers, as at +-708. No branches, so that
/// compilers vectorise it.
///
/// x = k ln 2 + r with |r| <= ln 2 / 2, s = 2^k, and p the Taylor sum of
/// exp r - 1 up to r^13: the next term is below 1e-17 of it.
#[inline(always)] // must be part of the loop to be vectorised with it
fn exponential(x: f64) -> (f64, f64) {
    /// Largest |x| for which s and 1/s are normal numbers.
    const FURTHEST: f64 = 708.0;
    /// Adding this rounds to a whole number, held in the lowest bits.
    const ROUNDER: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52
    /// ln 2 in two parts, the first with room for exact multiples.
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

    let x = x.clamp(-FURTHEST, FURTHEST);
    let rounded = x.mul_add(std::f64::consts::LOG2_E, ROUNDER);
    let k = rounded - ROUNDER;
    let r = k.mul_add(-LN_2_LOW, k.mul_add(-LN_2_HIGH, x));
    // Pairs of terms, then pairs of pairs, so that few wait for each other.
    let (r2, r4) = (r * r, (r * r) * (r * r));
    let pair = |low: f64, high: f64| r.mul_add(1.0 / high, 1.0 / low);
    let terms_2_to_5 = r2.mul_add(pair(24.0, 120.0), pair(2.0, 6.0));
    let terms_6_to_9 = r2.mul_add(pair(40_320.0, 362_880.0), pair(720.0, 5_040.0));
    let terms_10_to_13 = r2.mul_add(
        pair(479_001_600.0, 6_227_020_800.0),
        pair(3_628_800.0, 39_916_800.0),
    );
    let sum = r4.mul_add(r4.mul_add(terms_10_to_13, terms_6_to_9), terms_2_to_5);
    let less_one = r2.mul_add(sum, r);
    let scale = (rounded.to_bits() << 52).wrapping_add(1.0_f64.to_bits());
    (less_one, f64::from_bits(scale))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(ours: f64, theirs: f64, within: f64) -> bool {
        (ours - theirs).abs() <= within * theirs.abs()
    }

    proptest! {
        #[test]
        fn the_exponential_is_that_of_the_standard_library(x in -700.0f64..700.0, digits in -12i32..1) {
            for x in [x, x / 700.0 * 10f64.powi(digits)] {
                let (p, s) = exponential(x);
                prop_assert!(close(s + s * p, x.exp(), 1e-15), "exp {x}");
                let less_one = p.mul_add(s, s - 1.0);
                prop_assert!(x < -0.3 || close(less_one, x.exp_m1(), 1e-15), "exp_m1 {x}");
            }
        }

        #[test]
        fn sums_are_those_of_the_terms_one_by_one(
            lengths in proptest::collection::vec(1e-4f64..400.0, 0..40),
            rate in 1e-4f64..30.0,
        ) {
            let survival: f64 = lengths.iter().map(|t| (-rate * t).exp()).sum();
            let falls: f64 = lengths.iter().map(|t| -t * (-rate * t).exp()).sum();
            let bends: f64 = lengths.iter().map(|t| t * t * (-rate * t).exp()).sum();
            let jet = survivals(rate, &lengths);
            prop_assert!((jet.value - survival).abs() <= 1e-14 * survival + 1e-300);
            prop_assert!((jet.slope - falls).abs() <= 1e-14 * falls.abs() + 1e-300);
            prop_assert!((jet.bend - bends).abs() <= 1e-14 * bends + 1e-300);
            let odd = |t: &f64| 1.0 / (rate * t).exp_m1();
            let expected: f64 = lengths.iter().map(|t| t * odd(t)).sum();
            let falls: f64 = lengths.iter().map(|t| -t * t * odd(t) * (1.0 + odd(t))).sum();
            let bend = |t: &f64| t.powi(3) * odd(t) * (1.0 + odd(t)) * (1.0 + 2.0 * odd(t));
            let bends: f64 = lengths.iter().map(bend).sum();
            let jet = odds(rate, &lengths);
            prop_assert!((jet.value - expected).abs() <= 1e-14 * expected + 1e-300);
            prop_assert!((jet.slope - falls).abs() <= 1e-14 * falls.abs() + 1e-300);
            prop_assert!((jet.bend - bends).abs() <= 1e-13 * bends + 1e-297);
        }
    }

    #[test]
    fn far_ends_stay_finite() {
        assert!(survivals(1.0, &[1e9, f64::MAX / 2.0]).value < 1e-300);
        let jet = odds(1.0, &[1e9]);
        assert!(jet.value > 0.0 && jet.value < 1e-290 && jet.slope < 0.0);
        let jet = |value, slope, bend| Jet { value, slope, bend };
        assert_eq!(survivals(0.0, &[1.0, 2.0]), jet(2.0, -3.0, 5.0));
        assert_eq!(odds(1.0, &[]), jet(0.0, 0.0, 0.0));
    }
}
