//! From what visits taught to how often a page changes, with its uncertainty.
//!
//! A method is an [`Estimator`]: settings in, an [`Estimate`] out. One file
//! each; `docs/math.md` has their formulas side by side.
//!
//! ```
//! use recrawl_estimate::{Cho, Confidence, Estimator};
//! use recrawl_model::{HistoryBuf, Observation, Outcome, Timestamp};
//!
//! // Ten daily visits after the first, six of which saw a change.
//! let mut history = HistoryBuf::new();
//! for day in 0..=10 {
//!     let outcome = if day % 5 < 3 { Outcome::Changed } else { Outcome::Unchanged };
//!     let outcome = if day == 0 { Outcome::First } else { outcome };
//!     history.push(Observation::new(Timestamp::from_seconds(day * 86_400), outcome))?;
//! }
//! let estimate = Cho::new(Confidence::default()).estimate(history.view());
//! let rate = estimate.rate.map(|rate| rate.daily()).unwrap_or_default();
//! assert!((rate - 0.847).abs() < 1e-3); // changes a day, where counting says 0.6
//! # Ok::<(), recrawl_model::HistoryError>(())
//! ```

mod advise;
mod auto;
mod category;
mod cho;
mod confidence;
mod drift;
mod duane;
mod estimator;
mod evidence;
mod exponentials;
mod gamma;
mod last_modified;
mod likelihood;
mod local;
mod matloff;
mod method;
mod mle;
mod naive;
mod pooled;
mod predict;
mod root;
mod update_points;
mod vector;
mod weibull;
mod windows;

pub use advise::{
    Advice, Advisor, ErrorTarget, MOST_VISITS, best_changes_per_visit, relative_error,
    relative_spread, saturation,
};
pub use auto::Auto;
pub use category::{Category, CategoryError};
pub use cho::{Cho, cho_rate};
pub use confidence::{Confidence, ConfidenceError, ShareBounds};
pub use drift::Drift;
pub use duane::{Duane, DuaneLine, DuaneVariant};
pub use estimator::{Detail, Estimate, Estimator};
pub use evidence::{Evidence, REGULAR_WITHIN, Tally};
pub use gamma::{Gamma, GammaFilter, PRIOR_SHAPE, PRIOR_WEIGHT, PriorError};
pub use last_modified::{DateVariant, LastModified};
pub use local::{LocalRate, LocalRates, LocalReport, LocalWindow, WINDOW_METHODS};
pub use matloff::Matloff;
pub use method::{Method, Settings, UnknownMethod, UnknownVariant, Variant};
pub use mle::MaximumLikelihood;
pub use naive::Naive;
pub use pooled::{Belief, CopyOutlook, Learned, pooled_rates};
pub use predict::Prediction;
pub use update_points::{Placement, update_points};
pub use vector::{ColumnsDiffer, cho_rates};
pub use weibull::{PowerLaw, Weibull, WeibullVariant};
pub use windows::{Direction, Reading, State, Window, Windowing};
