//! The words every other crate speaks: times, rates, observations, histories.
//!
//! Nothing here reads a clock, a file or a random number. Start at [`History`],
//! what a page's visits taught, and [`HistorySet`], the histories of a whole
//! collection in a few bytes an observation.
//!
//! ```
//! use recrawl_model::{HistoryBuf, Observation, Outcome, Timestamp};
//!
//! let day = |n: i64| Timestamp::from_seconds(n * 86_400);
//! let mut history = HistoryBuf::new();
//! history.push(Observation::new(day(0), Outcome::First))?;
//! history.push(Observation::new(day(1), Outcome::Changed))?;
//! history.push(Observation::new(day(2), Outcome::Unknown))?;
//! history.push(Observation::new(day(4), Outcome::Unchanged))?;
//!
//! // The failed visit says nothing: the open interval simply grows.
//! let intervals: Vec<_> = history.view().intervals().collect();
//! assert_eq!(intervals.len(), 2);
//! assert_eq!(intervals[1].days(), 3.0);
//! # Ok::<(), recrawl_model::HistoryError>(())
//! ```

mod arrange;
mod budget;
mod explanation;
mod hint;
mod history;
mod history_set;
mod history_set_builder;
mod names;
mod observation;
mod rate;
mod rows;
mod site;
mod span;
mod time;
mod unit;
mod visit;

pub use budget::{Budget, Cost, CostError, Overspent};
pub use explanation::Explanation;
pub use hint::{Hint, HintKind};
pub use history::{History, HistoryBuf, HistoryError, Interval};
pub use history_set::{HistorySet, PageId};
pub use history_set_builder::{HistorySetBuilder, SetError};
pub use names::Names;
pub use observation::{Observation, Outcome};
pub use rate::{Rate, RateError};
pub use site::site_of;
pub use span::{SpanError, days, format_span, from_days, parse_span};
pub use time::{TimeError, Timestamp};
pub use unit::{TimeUnit, UnitError};
pub use visit::{SiteId, Visit, VisitKind, Weight, WeightError};
