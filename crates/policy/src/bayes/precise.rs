//! Exponentials and logarithms to fourteen digits, of several numbers at once.
//!
//! Plain arithmetic without branches, as in [`super::elementary`], for differences
//! that lose digits.

/// Added to a number below 2^51 it leaves the nearest whole number in the low
/// bits: 1.5 * 2^52.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// 2^52, and its bits: what they hold in front of a whole number below it.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// ln 2 in two parts, the first of few enough bits that whole multiples of it
/// are exact.
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// The bits of 2/3, from which on a mantissa counts as belonging to the next
/// power of two, and the bits of 1.
const TWO_THIRDS: u64 = 0x3fe5_5555_5555_5555;
const ONE: u64 = 0x3ff0_0000_0000_0000;

/// `ln x`, for x positive and not below the smallest normal number.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
pub(super) fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let above = bits.wrapping_sub(TWO_THIRDS).wrapping_add(ONE); // never negative
    let power = f64::from_bits(WHOLE.to_bits() | above >> 52) - (WHOLE + 1_023.0);
    let mantissa = f64::from_bits(
        bits.wrapping_sub(above & !(u64::MAX >> 12))
            .wrapping_add(ONE),
    );
    let excess = mantissa - 1.0;
    let ratio = excess / (2.0 + excess);
    let square = ratio * ratio;
    // 2 artanh(ratio); |ratio| is at most a fifth.
    let mut series = 1.0 / 21.0;
    for odd in [19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        series = 1.0 / odd + square * series;
    }
    power * LN_2_HIGH + (2.0 * (ratio + ratio * square * series) + power * LN_2_LOW)
}

/// `ln(1 + x)`, for x at least 0.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
pub(super) fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    ln(sum) + (x - (sum - 1.0)) / sum // what the sum has rounded off
}

/// `1 - e^-x`, for x at least 0.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
pub(super) fn one_less_exp(x: f64) -> f64 {
    let x = -x.min(700.0);
    let rounded = x * std::f64::consts::LOG2_E + ROUNDER;
    let power = rounded - ROUNDER;
    let rest = (x - power * LN_2_HIGH) - power * LN_2_LOW;
    let mut series = 1.0 / 6_227_020_800.0;
    for factorial in [
        479_001_600.0,
        39_916_800.0,
        3_628_800.0,
        362_880.0,
        40_320.0,
        5_040.0,
        720.0,
        120.0,
        24.0,
        6.0,
        2.0,
    ] {
        series = 1.0 / factorial + rest * series;
    }
    let more = rest + rest * rest * series; // e^rest - 1
    let scale = f64::from_bits(rounded.to_bits().wrapping_add(1_023) << 52);
    (1.0 - scale) - scale * more
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn they_agree_with_the_slow_ones(log in -30.0..6.5f64) {
            let x = log.exp();
            let near = |ours: f64, exact: f64| (ours - exact).abs() <= 4e-15 * exact.abs();
            prop_assert!((ln(x) - x.ln()).abs() <= 4e-15 * x.ln().abs().max(0.1));
            prop_assert!(near(ln_1p(x), x.ln_1p()), "{x}: {} {}", ln_1p(x), x.ln_1p());
            prop_assert!(near(one_less_exp(x), -(-x).exp_m1()), "{x}: {}", one_less_exp(x));
        }
    }

    #[test]
    fn the_ends_of_the_range_hold() {
        assert_eq!((ln(1.0), ln_1p(0.0), one_less_exp(0.0)), (0.0, 0.0, 0.0));
        assert_eq!(one_less_exp(1e9), 1.0);
        assert!((ln(f64::MIN_POSITIVE) / f64::MIN_POSITIVE.ln() - 1.0).abs() < 1e-14);
    }
}
