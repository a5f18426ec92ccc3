//! The engine: [`Scheduler`], `observe` and `decide`, pure.
//!
//! A driver, live or simulated, turns the loop:
//!
//! 1. pages are added with [`Scheduler::add_page`] (never visited) or
//!    [`Scheduler::add_held_page`] (a fresh copy is held), and taken out with
//!    [`Scheduler::remove_page`];
//! 2. a cycle starts with [`Scheduler::begin_cycle`] and its budget (or
//!    [`Scheduler::begin_cycle_knowing`], where a simulator tells the bounds
//!    the truth, or [`Scheduler::resume_cycle`] after a restart);
//! 3. [`Scheduler::decide`] gives a [`Batch`] of at most
//!    [`recrawl_policy::BATCH`] visits, which are paid for at that moment;
//! 4. the driver makes the visits and tells what they taught, page by page with
//!    [`Scheduler::observe`] or all at once with [`Scheduler::observe_batch`];
//!    a failed visit is [`Outcome::Unknown`]: it costs, and teaches nothing;
//! 5. back to 3 until the batch is empty: the cycle is over.
//!
//! [`Scheduler::replay`] and [`Scheduler::replay_in_cycles`] build a scheduler
//! from a log; [`Scheduler::record`] takes in an observation nobody asked for;
//! [`Scheduler::plan`] gives the visits of a whole cycle before any is made. A changed *sample* is not written
//! to a log: the download that follows it is.
//!
//! The budget is never overspent and a page is downloaded at most once a
//! cycle, whatever the driver or the policy does. A page takes at most 64
//! bytes, its number and its place in its site included.
//!
//! ```
//! use recrawl_engine::Scheduler;
//! use recrawl_model::{Budget, Outcome, SiteId, Timestamp, Weight};
//!
//! let policy = recrawl_policy::parse("greedy:samples=2")?;
//! let mut scheduler = Scheduler::new(policy.as_ref(), 1);
//! let day = |n: i64| Timestamp::from_seconds(n * 86_400);
//! for page in 0..20 {
//!     scheduler.add_held_page(SiteId(page / 10), Weight::ONE, day(0));
//! }
//!
//! // In this world all pages of site 1 change every day and no other does.
//! let mut changed = 0;
//! scheduler.begin_cycle(Budget::downloads(12), day(1))?;
//! loop {
//!     let batch = scheduler.decide(day(1));
//!     if batch.is_empty() {
//!         break;
//!     }
//!     let visit = |page: &recrawl_model::PageId| match page.0 {
//!         10.. => Outcome::Changed,
//!         _ => Outcome::Unchanged,
//!     };
//!     let outcomes: Vec<Outcome> = batch.pages.iter().map(visit).collect();
//!     changed += outcomes.iter().filter(|&&seen| seen == Outcome::Changed).count();
//!     scheduler.observe_batch(day(1), &outcomes)?;
//! }
//! // Two samples of each site, then the eight others of site 1.
//! assert_eq!(changed, 10);
//! assert_eq!(scheduler.budget().left().in_downloads(), 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Outcome::Unknown`]: recrawl_model::Outcome::Unknown

mod allowance;
mod driving;
mod error;
mod hosts;
mod live_clock;
mod newcomers;
mod plan;
mod replay;
mod scheduler;

pub use allowance::{Allowance, AllowanceError, CYCLES_A_PERIOD, Manner};
pub use error::ObserveError;
pub use hosts::{Answered, HostId, Hosts, Manners};
pub use live_clock::{CycleClock, LiveClock};
pub use recrawl_policy::{PolicyError, Truth, parse};
pub use replay::{MOST_REPLAYED_CYCLES, ReplayError};
pub use scheduler::{Batch, Scheduler};
