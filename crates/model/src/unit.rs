//! Units of time in which rates are told.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The unit of `--per`: rates are changes per unit, spans count units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeUnit {
    /// 1 second.
    Second,
    /// 60 seconds.
    Minute,
    /// 60 minutes.
    Hour,
    /// 24 hours, the default.
    #[default]
    Day,
    /// 7 days.
    Week,
    /// 30 days.
    Month,
    /// 365 days.
    Year,
}

/// A word that names no unit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no unit of time; choose second, minute, hour, day, week, month or year")]
pub struct UnitError(pub String);

impl TimeUnit {
    /// Every unit, shortest first.
    pub const ALL: [Self; 7] = [
        Self::Second,
        Self::Minute,
        Self::Hour,
        Self::Day,
        Self::Week,
        Self::Month,
        Self::Year,
    ];

    /// Length in days.
    #[must_use]
    pub const fn days(self) -> f64 {
        match self {
            Self::Second => 1.0 / 86_400.0,
            Self::Minute => 1.0 / 1_440.0,
            Self::Hour => 1.0 / 24.0,
            Self::Day => 1.0,
            Self::Week => 7.0,
            Self::Month => 30.0,
            Self::Year => 365.0,
        }
    }

    /// The word used on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Second => "second",
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TimeUnit {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        Self::ALL
            .into_iter()
            .find(|unit| unit.name() == text)
            .ok_or_else(|| UnitError(text.to_owned()))
    }
}
