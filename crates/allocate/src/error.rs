//! What cannot be allocated.

use crate::pages::is_valid;

/// Why visits cannot be shared out.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum AllocateError {
    /// Columns that do not belong together.
    #[error("{rates} rates, {weights} weights: give one of each per page")]
    Lengths {
        /// Rates given.
        rates: usize,
        /// Weights given.
        weights: usize,
    },
    /// Room for another number of pages.
    #[error("room for {room} results for {pages} pages: give one per page")]
    Room {
        /// Results that fit.
        room: usize,
        /// Pages there are.
        pages: usize,
    },
    /// A rate or weight that is none.
    #[error(
        "page {page} has rate {rate} and weight {weight}: both must be between 0 and {most:e}",
        most = crate::MOST
    )]
    Page {
        /// Index of the page.
        page: usize,
        /// Its rate.
        rate: f64,
        /// Its weight.
        weight: f64,
    },
    /// A budget, or a bound on visits, that is none.
    #[error("{what} {value} must be between 0 and {most:e}", most = crate::MOST)]
    Limit {
        /// What is bounded.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// Sites that do not cover the pages once, in order.
    #[error(
        "{sites} sites with {caps} caps end at page {end} of {pages}: give the first page of each \
         site in rising order, then the number of pages, and one cap per site"
    )]
    Sites {
        /// Sites by their boundaries.
        sites: usize,
        /// Caps given.
        caps: usize,
        /// Where the last site ends.
        end: usize,
        /// Pages there are.
        pages: usize,
    },
}

/// `value` if it is between 0 and [`crate::MOST`].
pub(crate) fn checked(what: &'static str, value: f64) -> Result<f64, AllocateError> {
    if is_valid(value) {
        Ok(value)
    } else {
        Err(AllocateError::Limit { what, value })
    }
}
