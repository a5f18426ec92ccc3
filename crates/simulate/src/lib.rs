//! Worlds with known truth, virtual time and scores: the simulated driver of
//! the engine. What wins here is, line for line, what runs live.
//!
//! A [`World`] tells what happens cycle by cycle: [`RecordedWorld`] what did
//! happen, [`SyntheticWorld`] what a recipe makes, [`RepeatingWorld`] a few
//! cycles of another for ever. [`run`] drives one policy through one world,
//! [`compare`] several through the same ones on all cores. [`Copies`] knows
//! whether each copy is up to date and makes the [`Score`]s.
//!
//! ```
//! use std::time::Duration;
//! use recrawl_model::Timestamp;
//! use recrawl_simulate::*;
//!
//! let spec = WorldSpec::from_toml(r#"
//!     sites = 20
//!     pages_per_site = 50
//!     [rho]
//!     law = "deciles"
//!     weights = [7, 0, 0, 0, 0, 0, 0, 0, 0, 3]
//! "#)?;
//! let cycle = Duration::from_secs(30 * 86_400);
//! let worlds = |run| -> Box<dyn World> {
//!     let seed = run_seed(1, run, Purpose::World);
//!     Box::new(SyntheticWorld::new(&spec, cycle, seed).expect("checked above"))
//! };
//! let policies = vec![
//!     recrawl_policy::parse("round-robin")?,
//!     recrawl_policy::parse("greedy:samples=4")?,
//! ];
//! let settings = Settings {
//!     start: Timestamp::from_seconds(0),
//!     cycle,
//!     cycles: 5,
//!     budget: CycleBudget::Ratio(0.28),
//!     reading: Reading::SinceLast,
//!     divergence: Divergence::UpdatesMissed,
//! };
//! let standings = compare(&worlds, &policies, &settings, 4, 1, &Nobody)?;
//! let ratio = |index: usize| standings[index].summary.mean(Score::ChangeRatio);
//! assert!(ratio(1).unwrap().value > ratio(0).unwrap().value + 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contest;
mod copies;
mod divergence;
mod drawn;
mod driver;
mod histories;
mod population;
mod reading;
mod recorded;
mod repeating;
mod scores;
mod summary;
mod synthetic;
mod watcher;
mod world;

pub use contest::{Purpose, Standing, WorldSource, compare, run_seed};
pub use copies::Copies;
pub use divergence::Divergence;
pub use drawn::{DrawnWorlds, LoggedVisits};
pub use driver::{CycleBudget, Settings, SimulationError, run};
pub use histories::{Histories, HistoriesError, PageLife, Window};
pub use population::Population;
pub use reading::{Reading, ReadingError};
pub use recorded::{Membership, RecordedWorld};
pub use repeating::RepeatingWorld;
pub use scores::{CycleScores, Score};
pub use summary::{CONFIDENCE, Mean, Summary};
pub use synthetic::{
    Bursts, Detector, Drift, GapLaw, Hints, Liars, NAMED_WORLDS, NamedWorld, NumberLaw, PageLaw,
    Rhythm, ShareLaw, SpecError, SpreadLaw, SyntheticWorld, TimeLaw, Trend, WorldSpec,
};
pub use watcher::{Nobody, Watcher};
pub use world::{Event, Events, Tick, World};
