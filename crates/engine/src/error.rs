//! What the scheduler refuses.

use recrawl_model::{PageId, Timestamp};
use thiserror::Error;

/// An observation that was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ObserveError {
    /// The page was never added or was removed.
    #[error("page {} is not in the collection", page.0)]
    NoSuchPage {
        /// The page.
        page: PageId,
    },
    /// No visit of the page is in flight: it was not asked for, or its
    /// observation has come already. Nothing was counted.
    #[error("page {} was not asked for, or was observed already", page.0)]
    NotAskedFor {
        /// The page.
        page: PageId,
    },
    /// The observation is not later than the one before it. The visit is over
    /// and stays paid for; it taught nothing.
    #[error("page {}: an observation at {at} does not come after the one before it, at {previous}", page.0)]
    OutOfOrder {
        /// The page.
        page: PageId,
        /// Time of the observation.
        at: Timestamp,
        /// Time of the one before it.
        previous: Timestamp,
    },
    /// The outcomes do not match the batch one by one. Nothing was counted.
    #[error("{outcomes} outcomes for a batch of which {open} visits are still open")]
    BatchMismatch {
        /// Outcomes given.
        outcomes: usize,
        /// Visits of the last batch not observed yet.
        open: usize,
    },
}
