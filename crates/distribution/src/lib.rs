//! The whole law of a page's lifetimes from visits that only see whether it
//! changed, after Li, Cline and Loguinov, "Temporal Update Dynamics under Blind
//! Sampling", and a maximum-likelihood method that needs less data.
//!
//! [`Samples`] are what visits saw, a [`Method`] turns them into a
//! [`Distribution`] at the points of a [`Grid`], and a [`Study`] adds
//! intervals, fitted laws and how ages lean. `G_U` is the distribution of the
//! age of the page, `F_U` that of its lifetimes; [`AgeLaw`] is `G_U` in a form
//! a policy can reckon with. Lengths count the unit the samples were made in.
//!
//! ```
//! use recrawl_distribution::{Grid, Method, Samples, estimate};
//! use recrawl_model::{HistoryBuf, Observation, Outcome, TimeUnit, Timestamp};
//!
//! let mut history = HistoryBuf::new();
//! for day in 0..30 {
//!     let outcome = match day {
//!         0 => Outcome::First,
//!         day if day % 7 < 2 => Outcome::Changed,
//!         _ => Outcome::Unchanged,
//!     };
//!     history.push(Observation::new(Timestamp::from_seconds(day * 86_400), outcome))?;
//! }
//! let samples = Samples::from_history(history.view(), TimeUnit::Day)?;
//! let grid = Grid::new(1.0, 6.0, TimeUnit::Day)?;
//! let distribution = estimate(Method::M4, &samples, &grid)?;
//! // Of the 29 visits since the first change, 9 saw one themselves.
//! assert_eq!(distribution.points[0].cdf, Some(9.0 / 29.0));
//!
//! let law = distribution.law.expect("M4 gives the law of ages");
//! let daily = law.staleness(1.0);
//! assert!(daily.stale_share > 0.1 && daily.stale_share < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod age_law;
mod ageing;
mod bootstrap;
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
pub mod parametric;
mod phase_lock;
mod samples;
mod sandwich;
mod staleness;
mod study;
mod warning;

pub use age_law::AgeLaw;
pub use ageing::{Ageing, lean};
pub use bootstrap::{Band, Bootstrap, LEAST_RUNS};
pub use distribution::{Distribution, Point, estimate};
pub use error::DistributionError;
pub use grid::{Grid, MOST_POINTS};
pub use method::{Estimates, Method, MethodError};
pub use phase_lock::phase_lock;
pub use samples::{LEAST_VISITS, Run, Samples};
pub use sandwich::{Filling, Layer, Sandwich, sandwich};
pub use staleness::Staleness;
pub use study::{Bands, PointBands, Study};
pub use warning::Warning;
