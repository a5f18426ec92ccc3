//! Exponentials and logarithms of many numbers at once.
//!
//! Plain arithmetic without branches, so that loops over arrays become vector
//! instructions, and the same to the last bit on every machine. Good to a few
//! parts in ten million, which is more than claims need.

/// Added to a number below 2^22 it leaves the nearest whole number in the low
/// bits: 1.5 * 2^23.
const ROUNDER: f32 = 12_582_912.0;

/// ln 2 in two parts, the first of few enough bits that whole multiples of it
/// are exact.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// The bits of 2/3, from which on a mantissa counts as belonging to the next
/// power of two: logarithms near 1 lose no digits.
const TWO_THIRDS: u32 = 0x3f2a_aaab;

/// `e^x`, for x between -87 and 88; beyond, the value there.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUNDER;
    let power = rounded - ROUNDER;
    let rest = (x - power * LN_2_HIGH) - power * LN_2_LOW;
    let tail = 1.0 / 120.0 + rest * (1.0 / 720.0 + rest * (1.0 / 5_040.0));
    let series = 0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * tail));
    let mantissa = 1.0 + (rest + rest * rest * series);
    let bits = rounded.to_bits().wrapping_add(127) << 23;
    mantissa * f32::from_bits(bits)
}

/// A whole number below 2^21 not above x, at least 0, and what x is more, which
/// may be 1 where x is whole.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
pub(super) fn whole_and_rest(x: f32) -> (u32, f32) {
    let rounded = (x - 0.5) + ROUNDER;
    let whole = rounded - ROUNDER;
    (rounded.to_bits() & 0x001f_ffff, x - whole)
}

/// `ln x`, for x positive and not below the smallest normal number.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let power = (bits.wrapping_sub(TWO_THIRDS) as i32) >> 23;
    let mantissa = f32::from_bits(bits.wrapping_sub((power as u32) << 23));
    let excess = mantissa - 1.0;
    let ratio = excess / (2.0 + excess);
    let square = ratio * ratio;
    // 2 artanh(ratio); |ratio| is at most a fifth.
    let series =
        square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square * (1.0 / 9.0))));
    let power = power as f32;
    power * LN_2_HIGH + (2.0 * (ratio + ratio * series) + power * LN_2_LOW)
}

/// `ln(1 + x)`, for x at least 0.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
pub(super) fn ln_1p(x: f32) -> f32 {
    let sum = 1.0 + x;
    ln(sum) + (x - (sum - 1.0)) / sum // what the sum has rounded off
}

/// `e^x - 1`, for x at least 0.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
pub(super) fn exp_m1(x: f32) -> f32 {
    let series = x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0))));
    let whole = exp(x) - 1.0;
    if x < 0.1 { series } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The largest error, in parts of the value.
    const ERROR: f64 = 4e-7;

    fn near(ours: f32, exact: f64) -> bool {
        (f64::from(ours) - exact).abs() <= ERROR * exact.abs()
    }

    #[test]
    fn the_ends_of_the_range_hold() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!((ln(1.0), ln_1p(0.0), exp_m1(0.0)), (0.0, 0.0, 0.0));
        assert!(exp(-1e9) > 0.0 && exp(-1e9) < 1e-37);
        assert!(exp(1e9).is_finite());
        assert!(near(
            ln(f32::MIN_POSITIVE),
            f64::from(f32::MIN_POSITIVE).ln()
        ));
    }

    proptest! {
        #[test]
        fn a_number_is_its_whole_and_its_rest(x in 0.0..1_000.0f32) {
            for x in [x, x.floor(), x.ceil()] {
                let (whole, rest) = whole_and_rest(x);
                prop_assert!((0.0..=1.0).contains(&rest), "{x}: {whole} {rest}");
                prop_assert_eq!(whole as f32 + rest, x);
            }
        }

        #[test]
        fn they_agree_with_the_slow_ones(x in -80.0..80.0f32) {
            prop_assert!(near(exp(x), f64::from(x).exp()), "{x}: {}", exp(x));
            let y = exp(x);
            let exact = f64::from(y).ln();
            prop_assert!((f64::from(ln(y)) - exact).abs() <= ERROR * exact.abs().max(0.1));
            prop_assert!(near(ln_1p(y), f64::from(y).ln_1p()), "{y}: {}", ln_1p(y));
            prop_assert!(near(exp_m1(y.min(60.0)), f64::from(y.min(60.0)).exp_m1()));
        }
    }
}
