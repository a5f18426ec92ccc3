//! What a policy asks for: [`Visit`], and who it concerns: [`SiteId`], [`Weight`].

use std::fmt;

use thiserror::Error;

use crate::PageId;

/// A site's place in its collection: the group its pages are sampled with, be
/// that a host, a directory or a column of the user's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

impl SiteId {
    /// The place as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How much of a page a visit takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VisitKind {
    /// Only whether the page changed, by a header or a hash; the copy held
    /// stays as it was. May cost less than a download.
    Sample,
    /// The page itself; the copy held becomes the page.
    Download,
}

impl VisitKind {
    /// The word used in files and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sample => "sample",
            Self::Download => "download",
        }
    }
}

impl fmt::Display for VisitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One visit a policy asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    /// The page to visit.
    pub page: PageId,
    /// How much of it to take.
    pub kind: VisitKind,
}

/// A page's importance: finite and not negative, 1 where nobody says.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Weight(f32);

/// A number that is no importance.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{0} is not a weight: it must be finite and not negative")]
pub struct WeightError(pub f64);

impl Weight {
    /// The weight of a page nobody weighed.
    pub const ONE: Self = Self(1.0);

    /// A weight, kept to seven digits.
    ///
    /// # Errors
    /// [`WeightError`] for a negative, infinite or undefined number.
    pub fn new(weight: f64) -> Result<Self, WeightError> {
        let kept = weight as f32;
        if kept.is_finite() && kept >= 0.0 {
            Ok(Self(kept))
        } else {
            Err(WeightError(weight))
        }
    }

    /// The weight as a number.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from(self.0)
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self::ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_weight_is_refused() {
        for number in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert!(Weight::new(number).is_err(), "{number}");
        }
        assert_eq!(Weight::new(2.5).map(Weight::get), Ok(2.5));
    }
}
