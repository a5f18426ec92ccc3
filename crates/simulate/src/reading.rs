//! The two readings of "changed": [`Reading`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// When a downloaded page counts as changed. Cho & Ntoulas leave it open: the
/// proof of their Theorem 3 needs the first, their Fig. 8 reads like the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// It differs from the copy held, the default.
    #[default]
    SinceLast,
    /// It changed in the cycle under way.
    PerCycle,
}

/// A word that names no reading.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no reading of changed; choose since-last or per-cycle")]
pub struct ReadingError(pub String);

impl Reading {
    /// The word used on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SinceLast => "since-last",
            Self::PerCycle => "per-cycle",
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reading {
    type Err = ReadingError;

    fn from_str(text: &str) -> Result<Self, ReadingError> {
        [Self::SinceLast, Self::PerCycle]
            .into_iter()
            .find(|reading| reading.name() == text)
            .ok_or_else(|| ReadingError(text.to_owned()))
    }
}
