//! Policies: histories and a budget to visits.
//!
//! A [`Policy`] is settings with a name, made by [`parse`]. At work it is a
//! [`Planner`], which sees the pages as a [`Collection`] of fixed-size
//! [`Summary`] values and asks for visits at a [`Desk`], batch by batch. The
//! [`Ledger`] behind the desk is the one place where budgets are spent, so no
//! policy can overspend or ask for a page twice in a cycle.
//!
//! Drivers use `recrawl_engine::Scheduler`, which ties these together.
//!
//! ```
//! let policy = recrawl_policy::parse("greedy:samples=10,sample-cost=0.1")?;
//! assert_eq!(policy.name(), "greedy");
//! assert!(!policy.needs_truth());
//! # Ok::<(), recrawl_policy::PolicyError>(())
//! ```

mod adaptive;
mod arguments;
mod bayes;
mod belief;
mod bits;
mod changedetection;
mod collection;
mod desk;
mod due;
mod due_queue;
pub mod expected;
mod fixed;
mod frequency;
mod greedy;
mod key;
mod ledger;
mod miniflux;
mod mixed;
mod nutch;
mod objective;
mod optimal;
mod oracle;
mod outlook;
mod planner;
mod proportional;
mod quiet;
mod random;
mod ranking;
mod rate_oracle;
mod registry;
mod round_robin;
pub mod sample_size;
mod samples;
mod share_out;
mod site_caps;
mod site_rank;
mod sites;
mod stormcrawler;
mod subset;
mod summary;
mod threshold;
mod two_stage;
mod wilson;

pub use adaptive::Adaptive;
pub use arguments::{Arguments, Key, PolicyError};
pub use bayes::{Bayes, Law};
pub use changedetection::ChangedetectionFixed;
pub use collection::Collection;
pub use desk::Desk;
pub use due::Spend;
pub use due_queue::DueQueue;
pub use fixed::Fixed;
pub use frequency::{Frequency, changes_per_interval};
pub use greedy::Greedy;
pub use ledger::{Arrival, BATCH, Ledger};
pub use miniflux::MinifluxEntryFrequency;
pub use mixed::Mixed;
pub use nutch::NutchAdaptive;
pub use objective::Objective;
pub use optimal::Optimal;
pub use oracle::Oracle;
pub use outlook::{Expected, Outlook, OutlookError};
pub use planner::{Planner, Policy, Seen, Truth};
pub use proportional::Proportional;
pub use random::Random;
pub use rate_oracle::RateOracle;
pub use registry::{DEFAULT_POLICY, ENTRIES, Entry, parse};
pub use round_robin::RoundRobin;
pub use samples::Samples;
pub use share_out::proportional_parts;
pub use stormcrawler::StormcrawlerAdaptive;
pub use subset::Subset;
pub use summary::{OutOfOrder, Summary};
pub use threshold::Threshold;
pub use two_stage::Allocation;
pub use wilson::wilson_interval;
