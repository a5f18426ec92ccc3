//! How often a page changes: [`Rate`].

use std::time::Duration;

use thiserror::Error;

use crate::{TimeUnit, days};

/// Changes per unit of time: never negative, never NaN, never infinite.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Rate(f64);

/// A number that is no rate.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{0} is not a rate: it must be finite and not negative")]
pub struct RateError(pub f64);

impl Rate {
    /// Never changes.
    pub const ZERO: Self = Self(0.0);

    /// A rate in changes per day.
    ///
    /// # Errors
    /// [`RateError`] for a negative, infinite or undefined number.
    pub fn per_day(changes: f64) -> Result<Self, RateError> {
        if changes.is_finite() && changes >= 0.0 {
            Ok(Self(changes))
        } else {
            Err(RateError(changes))
        }
    }

    /// A rate in changes per `unit`.
    ///
    /// # Errors
    /// [`RateError`] for a negative, infinite or undefined number.
    pub fn per(changes: f64, unit: TimeUnit) -> Result<Self, RateError> {
        Self::per_day(changes / unit.days())
    }

    /// Changes per day.
    #[must_use]
    pub const fn daily(self) -> f64 {
        self.0
    }

    /// Changes per `unit`.
    #[must_use]
    pub const fn in_unit(self, unit: TimeUnit) -> f64 {
        self.0 * unit.days()
    }

    /// `1 - exp(-λΔ)`, λ = `self` (changes per day), Δ = `span` (days).
    ///
    /// Holds for independent changes at a steady rate.
    #[must_use]
    pub fn change_probability(self, span: Duration) -> f64 {
        -(-self.0 * days(span)).exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_rate_is_refused() {
        for number in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(Rate::per_day(number).is_err());
        }
    }

    #[test]
    fn units_convert() {
        let rate = Rate::per(2.0, TimeUnit::Week).expect("finite");
        assert!((rate.daily() - 2.0 / 7.0).abs() < 1e-15);
        assert!((rate.in_unit(TimeUnit::Year) - 2.0 / 7.0 * 365.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn waiting_longer_never_lowers_the_chance_of_a_change(
            rate in 0.0..1e3f64, shorter in 0u64..1_000_000, more in 0u64..1_000_000,
        ) {
            let rate = Rate::per_day(rate).expect("in range");
            let p = rate.change_probability(Duration::from_secs(shorter));
            let q = rate.change_probability(Duration::from_secs(shorter + more));
            prop_assert!((0.0..=1.0).contains(&p) && q >= p);
        }
    }
}
