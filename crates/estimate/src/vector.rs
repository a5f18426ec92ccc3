//! `cho` over columns: many pages with regular visits at memory speed.

use pulp::Arch;

/// The columns of a batch differ in length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("columns of {intervals}, {changes}, {spans} and {rates} rows do not belong together")]
pub struct ColumnsDiffer {
    /// Rows of interval counts.
    pub intervals: usize,
    /// Rows of change counts.
    pub changes: usize,
    /// Rows of spans.
    pub spans: usize,
    /// Rows of room for rates.
    pub rates: usize,
}

/// `-ln((n - X + 0.5)/(n + 0.5)) n/T` for each row: the log estimator of Cho &
/// Garcia-Molina on n regular `intervals`, X with `changes`, over T `span_days`,
/// in changes a day.
///
/// A row of the batch is a page of [`crate::Cho`] with regular visits, to a few
/// units in the last place. n is at least 1, X at most n, T above 0; a row that
/// breaks this has no meaning, and neither has its result.
///
/// Runs on the widest vectors the machine has.
///
/// # Errors
/// [`ColumnsDiffer`] unless all columns have one length.
pub fn cho_rates(
    intervals: &[u32],
    changes: &[u32],
    span_days: &[f64],
    rates: &mut [f64],
) -> Result<(), ColumnsDiffer> {
    let rows = rates.len();
    if [intervals.len(), changes.len(), span_days.len()] != [rows; 3] {
        return Err(ColumnsDiffer {
            intervals: intervals.len(),
            changes: changes.len(),
            spans: span_days.len(),
            rates: rows,
        });
    }
    Arch::new().dispatch(|| {
        let columns = intervals.iter().zip(changes).zip(span_days);
        for (rate, ((&n, &x), &span)) in rates.iter_mut().zip(columns) {
            let n = f64::from(n);
            let share_left = (n - f64::from(x) + 0.5) / (n + 0.5);
            *rate = -log_of_normal(share_left) * n / span;
        }
    });
    Ok(())
}

/// ln x of a positive, normal x, without branches so that compilers vectorise
/// it; within 3e-16 of the true value, relative, on (0, 1].
///
/// x = 2^k m with m in [sqrt(1/2), sqrt(2)), s = (m-1)/(m+1),
/// `ln x = k ln 2 + 2(s + s^3/3 + s^5/5 + ...)`; |s| < 0.172, so eleven terms
/// reach the last bit.
#[inline(always)] // must be part of the loop to be vectorised with it
fn log_of_normal(x: f64) -> f64 {
    const ROOT_HALF_BITS: u64 = 0x3fe6_a09e_0000_0000;
    const ONE_BITS: u64 = 0x3ff0_0000_0000_0000;
    const FRACTION: u64 = 0x000f_ffff_ffff_ffff;
    /// Adding an integer below 2^52 to these bits makes 2^52 + that integer.
    const TWO_TO_52_BITS: u64 = 0x4330_0000_0000_0000;
    const TWO_TO_52: f64 = 4_503_599_627_370_496.0;
    /// ln 2 in two parts, the first with room for exact multiples.
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

    let shifted = x.to_bits().wrapping_add(ONE_BITS - ROOT_HALF_BITS);
    let k = f64::from_bits((shifted >> 52) | TWO_TO_52_BITS) - (TWO_TO_52 + 1023.0);
    let m = f64::from_bits((shifted & FRACTION) + ROOT_HALF_BITS);
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let mut sum = 1.0_f64 / 21.0;
    for odd in [19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        sum = sum.mul_add(z, 1.0 / odd);
    }
    let twice = 2.0 * s;
    k.mul_add(LN_2_HIGH, twice + (twice * z).mul_add(sum, k * LN_2_LOW))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evidence, cho_rate};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_logarithm_is_that_of_the_standard_library(mantissa in 1.0f64..2.0, exponent in -60i32..1) {
            let x = mantissa * 2f64.powi(exponent);
            let (ours, theirs) = (log_of_normal(x), x.ln());
            prop_assert!((ours - theirs).abs() <= 4e-16 * theirs.abs().max(1e-3), "{x}: {ours} {theirs}");
        }

        #[test]
        fn a_row_is_a_page_with_regular_visits(n in 1u32..400, share in 0.0f64..=1.0, days in 0.01f64..50.0) {
            let x = (f64::from(n) * share) as u32;
            let page = Evidence::from_intervals((0..n).map(|i| (days, i < x)));
            let mut rates = [0.0];
            cho_rates(&[n], &[x], &[page.span_days()], &mut rates).expect("one row each");
            let expected = cho_rate(&page).expect("intervals");
            prop_assert!((rates[0] - expected).abs() <= 1e-12 * expected, "{} {expected}", rates[0]);
        }
    }

    #[test]
    fn columns_of_other_lengths_are_refused() {
        let refused = cho_rates(&[1, 2], &[1], &[1.0, 1.0], &mut [0.0, 0.0]);
        assert!(refused.is_err());
    }
}
