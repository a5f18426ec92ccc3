//! Moments: [`Timestamp`].

use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroI64;
use std::time::Duration;

use thiserror::Error;

const MICROS_PER_SECOND: i64 = 1_000_000;
const MICROS_PER_DAY: f64 = 86_400.0 * 1e6;

/// A moment, to the microsecond, in the years -290,307 to 294,246.
///
/// `Option<Timestamp>` is no larger than `Timestamp`: one bit pattern, the most
/// negative count of microseconds, is kept free for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Timestamp(NonZeroI64);

/// Why a text or number is not a moment.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimeError {
    /// Neither RFC 3339 nor a number.
    #[error(
        "`{0}` is neither an RFC 3339 time (2026-01-31T12:00:00Z) nor a number of seconds since 1970"
    )]
    Malformed(String),
    /// NaN, infinite, or too many seconds from 1970.
    #[error("`{0}` is outside the times that can be held (finite, below 9e12 seconds from 1970)")]
    OutOfRange(String),
}

impl Timestamp {
    /// The moment `seconds` after 1970-01-01T00:00:00Z, held within the range.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self::from_micros(seconds.saturating_mul(MICROS_PER_SECOND))
    }

    /// The moment `micros` microseconds after 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        let micros = if micros == i64::MIN {
            -i64::MAX
        } else {
            micros
        };
        match NonZeroI64::new(micros ^ i64::MIN) {
            Some(bits) => Self(bits),
            None => Self(NonZeroI64::MIN), // not reached: i64::MIN is replaced above
        }
    }

    /// The moment a fractional number of seconds after 1970, rounded to the
    /// nearest microsecond.
    ///
    /// # Errors
    /// [`TimeError::OutOfRange`] for NaN, infinities and |seconds| >= 9e12.
    pub fn from_fractional_seconds(seconds: f64) -> Result<Self, TimeError> {
        if !seconds.is_finite() || seconds.abs() >= 9e12 {
            return Err(TimeError::OutOfRange(seconds.to_string()));
        }
        // Whole and fractional part apart: one product would lose digits.
        let whole = seconds.floor();
        let micros = whole as i64 * MICROS_PER_SECOND + ((seconds - whole) * 1e6).round() as i64;
        Ok(Self::from_micros(micros))
    }

    /// Reads RFC 3339 (`2026-01-31T12:00:00Z`, offsets and fractions allowed)
    /// or a number of seconds since 1970.
    ///
    /// # Errors
    /// [`TimeError`] says what was read and what is expected.
    pub fn parse(text: &str) -> Result<Self, TimeError> {
        let text = text.trim();
        if let Ok(seconds) = text.parse::<i64>()
            && let Some(micros) = seconds.checked_mul(MICROS_PER_SECOND)
        {
            return Ok(Self::from_micros(micros));
        }
        if let Ok(seconds) = text.parse::<f64>() {
            return Self::from_fractional_seconds(seconds)
                .map_err(|_| TimeError::OutOfRange(text.to_owned()));
        }
        let instant: jiff::Timestamp = text
            .parse()
            .map_err(|_| TimeError::Malformed(text.to_owned()))?;
        Ok(Self::from_micros(instant.as_microsecond()))
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0.get() ^ i64::MIN
    }

    /// Seconds since 1970-01-01T00:00:00Z, with fractions.
    #[must_use]
    pub fn seconds(self) -> f64 {
        self.micros() as f64 / 1e6
    }

    /// Days from `earlier` to `self`, negative if `self` comes first.
    #[must_use]
    pub fn days_since(self, earlier: Self) -> f64 {
        match self.micros().checked_sub(earlier.micros()) {
            Some(micros) => micros as f64 / MICROS_PER_DAY,
            None => (self.micros() as f64 - earlier.micros() as f64) / MICROS_PER_DAY,
        }
    }

    /// The span from `earlier` to `self`, or zero if `self` comes first.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        let micros = self.micros().saturating_sub(earlier.micros());
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }

    /// The moment `span` after this one, held within the range.
    #[must_use]
    pub fn after(self, span: Duration) -> Self {
        let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        Self::from_micros(self.micros().saturating_add(micros))
    }

    /// The moment halfway between two.
    #[must_use]
    pub fn midpoint(self, other: Self) -> Self {
        Self::from_micros(self.micros().midpoint(other.micros()))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        self.micros().cmp(&other.micros())
    }
}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// RFC 3339 in UTC, or plain seconds where the year has no four digits.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.micros()) {
            Ok(instant) => write!(f, "{instant}"),
            Err(_) => write!(f, "{}", self.seconds()),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timestamp({self})")
    }
}

impl serde::Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_optional_moment_costs_nothing_more() {
        assert_eq!(size_of::<Option<Timestamp>>(), 8);
    }

    #[test]
    fn rfc_3339_and_seconds_name_the_same_moment() {
        let expected = Timestamp::from_seconds(1_769_860_800);
        for text in [
            "2026-01-31T12:00:00Z",
            "2026-01-31T13:00:00+01:00",
            "1769860800",
            "1769860800.0",
            " 1.7698608e9 ",
        ] {
            assert_eq!(Timestamp::parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn fractions_of_a_second_are_kept_to_the_microsecond() {
        let at = Timestamp::parse("0.1").expect("a number");
        assert_eq!(at.micros(), 100_000);
        let at = Timestamp::parse("-0.25").expect("a number");
        assert_eq!(at.micros(), -250_000);
        let at = Timestamp::parse("2026-01-31T12:00:00.5Z").expect("a time");
        assert_eq!(at.micros() % 1_000_000, 500_000);
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        assert!(matches!(
            Timestamp::parse("soon"),
            Err(TimeError::Malformed(_))
        ));
        assert!(matches!(
            Timestamp::parse("NaN"),
            Err(TimeError::OutOfRange(_))
        ));
        assert!(matches!(
            Timestamp::parse("inf"),
            Err(TimeError::OutOfRange(_))
        ));
        assert!(matches!(
            Timestamp::parse("1e300"),
            Err(TimeError::OutOfRange(_))
        ));
        assert!(matches!(
            Timestamp::parse("2026-02-30T00:00:00Z"),
            Err(TimeError::Malformed(_))
        ));
    }

    proptest! {
        #[test]
        fn order_is_that_of_microseconds(a: i64, b: i64) {
            let (a, b) = (a.max(-i64::MAX), b.max(-i64::MAX));
            let (x, y) = (Timestamp::from_micros(a), Timestamp::from_micros(b));
            prop_assert_eq!(x.micros(), a);
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        }

        #[test]
        fn what_is_printed_reads_back(micros in -60_000_000_000_000_000i64..250_000_000_000_000_000) {
            let at = Timestamp::from_micros(micros);
            prop_assert_eq!(Timestamp::parse(&at.to_string()), Ok(at));
        }
    }
}
