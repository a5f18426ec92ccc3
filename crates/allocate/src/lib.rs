//! The known-rate optimum: rates, weights and a budget to visits of each page.
//!
//! Give [`Pages`] (a column of rates, a column of weights, and the [`Measure`]
//! that is to be made best) and a budget of visits per unit of time to
//! [`allocate`]; it writes the visits each page should get. [`solve`] returns
//! only the [`Price`] of a visit, the one number from which every page's visits
//! follow ([`Price::visits`]). [`allocate_within_sites`] also keeps sites below
//! their caps, and [`Replanner`] follows pages whose rates are still being
//! learned without ever going through all of them again.
//!
//! ```
//! use recrawl_allocate::{Measure, Pages, solve};
//!
//! // Two pages without and one with a feed of its changes, ten visits a day.
//! let silent = Pages::new(Measure::Harmonic, &[3.0, 8.0], &[1.0, 1.0])?;
//! let telling = Pages::new(Measure::HarmonicWithFeed, &[4.0], &[1.0])?;
//! let price = solve(&[silent, telling], 10.0)?;
//! let told = price.visits(Measure::HarmonicWithFeed, 4.0, 1.0);
//! let slow = price.visits(Measure::Harmonic, 3.0, 1.0);
//! let fast = price.visits(Measure::Harmonic, 8.0, 1.0);
//! assert!((told + slow + fast - 10.0).abs() < 1e-8);
//! # Ok::<(), recrawl_allocate::AllocateError>(())
//! ```

#![expect(
    clippy::inline_always,
    reason = "what runs for every page must be part of the loop to be vectorised with it"
)]

mod bins;
mod demand;
mod error;
mod gain;
mod measure;
mod pages;
mod price;
mod replan;
mod response;
mod sites;
mod solve;
mod steep;
mod table;

pub use error::AllocateError;
pub use gain::{age_gain, freshness_gain, inverse_age_gain, inverse_freshness_gain};
pub use measure::Measure;
pub use pages::{LEAST, MOST, Pages};
pub use price::{Price, price_that_spends};
pub use replan::Replanner;
pub use sites::{SiteAllocation, allocate_within_sites};
pub use solve::{Allocation, allocate, fill, solve};
