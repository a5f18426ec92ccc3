//! The whole law of a page's lifetimes from visits that only see whether it
//! changed, after Li, Cline and Loguinov, "Temporal Update Dynamics under Blind
//! Sampling", and a maximum-likelihood method that needs less data.

mod age_law;
pub mod counting;
pub mod derivative;
mod distribution;
mod error;
mod grid;
pub mod isotonic;
mod method;
mod methods;
pub mod metrics;
pub mod npmle;
mod phase_lock;
mod samples;
mod staleness;
mod warning;

pub use age_law::AgeLaw;
pub use distribution::{Distribution, Point, estimate};
pub use error::DistributionError;
pub use grid::{Grid, MOST_POINTS};
pub use method::{Estimates, Method, MethodError};
pub use phase_lock::phase_lock;
pub use samples::{LEAST_VISITS, Run, Samples};
pub use staleness::Staleness;
pub use warning::Warning;
