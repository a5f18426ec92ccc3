//! Worlds with known truth, virtual time and scores.

mod copies;
mod divergence;
mod histories;
mod population;
mod reading;
mod recorded;
mod repeating;
mod scores;
mod summary;
mod synthetic;
mod world;

pub use copies::Copies;
pub use divergence::Divergence;
pub use histories::{Histories, HistoriesError, PageLife, Window};
pub use population::Population;
pub use reading::{Reading, ReadingError};
pub use recorded::{Membership, RecordedWorld};
pub use repeating::RepeatingWorld;
pub use scores::{CycleScores, Score};
pub use summary::{CONFIDENCE, Mean, Summary};
pub use synthetic::{
    Bursts, Detector, Drift, GapLaw, Liars, NAMED_WORLDS, NamedWorld, NumberLaw, PageLaw, Rhythm,
    ShareLaw, SpecError, SpreadLaw, SyntheticWorld, TimeLaw, Trend, WorldSpec,
};
pub use world::{Event, Events, Tick, World};
