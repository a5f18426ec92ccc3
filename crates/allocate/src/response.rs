//! The fast forms of `h(v)` that run over all pages: tables where [`Measure`]
//! has no closed form.

use std::sync::LazyLock;

use crate::gain::{inverse_age_gain, inverse_freshness_gain};
use crate::measure::Measure;
use crate::table::OctaveTable;

/// 1/x of regular visits over v - 1: the last bit of v, to [`REGULAR_END`].
static REGULAR: LazyLock<OctaveTable> =
    LazyLock::new(|| OctaveTable::new(-52, 24, |excess| inverse_freshness_gain(excess).recip()));

/// Beyond this v - 1 a page is visited thousands of times between two changes.
const REGULAR_END: f64 = 16_777_216.0; // 2^24

/// 1/x of age over v.
static AGE: LazyLock<OctaveTable> =
    LazyLock::new(|| OctaveTable::new(-40, 32, |worth| inverse_age_gain(worth).recip()));

/// The ends of [`AGE`]: a millionth of a visit per change, and a thousand.
const AGE_START: f64 = 9.094_947_017_729_282e-13; // 2^-40
const AGE_END: f64 = 4_294_967_296.0; // 2^32

/// h(v) of regular visits from its table; within 4e-10 of the exact value.
#[inline(always)] // part of the loop over pages
pub(crate) fn regular(table: &OctaveTable, worth: f64) -> f64 {
    let excess = worth - 1.0; // at most 0 where no visit is worth its price
    if excess >= REGULAR_END {
        off_table(Measure::Freshness, worth)
    } else {
        table.get(excess)
    }
}

/// h(v) of age from its table; within 4e-10 of the exact value.
#[inline(always)]
pub(crate) fn age(table: &OctaveTable, worth: f64) -> f64 {
    if (AGE_START..AGE_END).contains(&worth) {
        table.get(worth)
    } else {
        off_table(Measure::Age, worth)
    }
}

#[cold]
fn off_table(measure: Measure, worth: f64) -> f64 {
    measure.visits_per_change(worth)
}

/// The table of regular visits.
pub(crate) fn regular_table() -> &'static OctaveTable {
    &REGULAR
}

/// The table of age.
pub(crate) fn age_table() -> &'static OctaveTable {
    &AGE
}

/// h(v) by the fast form, for few arguments; loops over pages hold the table.
pub(crate) fn visits_per_change(measure: Measure, worth: f64) -> f64 {
    match measure {
        Measure::Freshness | Measure::Changes => regular(&REGULAR, worth),
        Measure::Age => age(&AGE, worth),
        Measure::MemorylessFreshness | Measure::Harmonic | Measure::HarmonicWithFeed => {
            measure.visits_per_change(worth)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_forms_are_the_exact_ones_to_nine_digits() {
        for measure in Measure::ALL {
            for step in -700..700 {
                let excess = f64::from(step).mul_add(0.05, 0.013).exp();
                for worth in [excess, 1.0 + excess] {
                    let exact = measure.visits_per_change(worth);
                    let fast = visits_per_change(measure, worth);
                    assert!(
                        (fast - exact).abs() <= 4e-10 * exact,
                        "{measure:?} {worth} {fast} {exact}"
                    );
                }
            }
            assert_eq!(visits_per_change(measure, 0.0), 0.0);
        }
    }
}
