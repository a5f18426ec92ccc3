//! Why a page's history gives no distribution: [`DistributionError`].

use thiserror::Error;

use crate::Method;

/// What keeps a history or a setting from giving a distribution.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DistributionError {
    /// Fewer comparable visits than any method can use.
    #[error(
        "{visits} comparable visits are too few for a distribution: at least {needed} are needed, so wait for more visits"
    )]
    TooFewVisits {
        /// Comparable visits there are.
        visits: usize,
        /// Comparable visits there must be.
        needed: usize,
    },
    /// No visit saw a change.
    #[error(
        "none of the {visits} visits saw a change, so nothing tells how long a version lives: watch longer, or, if the page does change, suspect phase lock (updates that come and go between visits) and visit at random times"
    )]
    NoChange {
        /// Comparable visits.
        visits: usize,
    },
    /// Every visit saw a change.
    #[error(
        "every one of the {intervals} intervals between visits saw a change, so only an upper limit of the lifetimes is known: visit more often, and at random times in case this is phase lock (visits in step with the updates)"
    )]
    AlwaysChanged {
        /// Intervals between comparable visits.
        intervals: usize,
    },
    /// An age method on a history without last-modified times.
    #[error(
        "method {method} needs last-modified times and no visit told a usable one: use a comparison method such as m6 or npmle"
    )]
    NoAges {
        /// The method asked for.
        method: Method,
    },
    /// A method that keeps one value per pair of changes, on too few changes.
    #[error(
        "method {method} needs two visits that saw a change and there is {changes}: use npmle, or wait for more changes"
    )]
    TooFewChanges {
        /// The method asked for.
        method: Method,
        /// Visits that saw a change.
        changes: usize,
    },
    /// A bin that is no length.
    #[error(
        "a bin of {bin} is no length: it must be finite, above zero and at least a microsecond"
    )]
    BadBin {
        /// The bin asked for.
        bin: f64,
    },
    /// A largest time that is no multiple of one bin.
    #[error("a max of {max} is below the bin of {bin}: raise the max or lower the bin")]
    MaxBelowBin {
        /// The largest time asked for.
        max: f64,
        /// The bin.
        bin: f64,
    },
    /// More points than anyone can use.
    #[error(
        "a max of {max} in bins of {bin} makes {bins:.0} points, above the limit of {limit}: raise the bin or lower the max"
    )]
    TooManyBins {
        /// The largest time asked for.
        max: f64,
        /// The bin.
        bin: f64,
        /// Points that would make.
        bins: f64,
        /// Points allowed.
        limit: usize,
    },
}
