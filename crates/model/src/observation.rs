//! What a visit taught: [`Outcome`] and [`Observation`].

use std::fmt;

use crate::Timestamp;

/// What a visit said about change since the visit before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// Nothing to compare with: the first visit of the page.
    First,
    /// The page differs from what the last visit saw.
    Changed,
    /// The page is what the last visit saw.
    Unchanged,
    /// The visit failed or could not tell. It is not "unchanged": the open
    /// interval simply grows.
    Unknown,
}

impl Outcome {
    /// The word used in files and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Changed => "changed",
            Self::Unchanged => "unchanged",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One visit: when, what it taught, and the last-modified time if told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation {
    /// When the page was visited.
    pub at: Timestamp,
    /// What the visit taught.
    pub outcome: Outcome,
    /// When the source says the page was last modified.
    pub last_modified: Option<Timestamp>,
}

impl Observation {
    /// An observation without a last-modified time.
    #[must_use]
    pub const fn new(at: Timestamp, outcome: Outcome) -> Self {
        Self {
            at,
            outcome,
            last_modified: None,
        }
    }

    /// The same observation with the last-modified time the source told.
    #[must_use]
    pub const fn with_last_modified(mut self, last_modified: Timestamp) -> Self {
        self.last_modified = Some(last_modified);
        self
    }
}
