//! The columns of an observation log: [`Column`].

use std::fmt;

/// A column the reader knows; all others are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The page visited.
    Page,
    /// When it was visited.
    Time,
    /// Whether it had changed since the visit before.
    Changed,
    /// When the source says it was last modified.
    LastModified,
    /// The site it belongs to.
    Site,
    /// Its importance.
    Weight,
}

impl Column {
    /// All columns, needed ones first; a column's place is its `usize` value.
    pub(crate) const ALL: [Self; 6] = [
        Self::Page,
        Self::Time,
        Self::Changed,
        Self::LastModified,
        Self::Site,
        Self::Weight,
    ];

    /// The columns every log must have.
    pub(crate) const NEEDED: [Self; 3] = [Self::Page, Self::Time, Self::Changed];

    /// The name in a header, a JSON object or a schema.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Time => "time",
            Self::Changed => "changed",
            Self::LastModified => "last_modified",
            Self::Site => "site",
            Self::Weight => "weight",
        }
    }

    /// The column of that name, if the reader knows it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| column.name() == name)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
