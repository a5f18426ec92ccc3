//! What keeps an experiment from being made: [`ReproduceError`].

use recrawl_distribution::DistributionError;
use recrawl_estimate::CategoryError;
use recrawl_model::HistoryError;
use recrawl_simulate::{HistoriesError, SimulationError, SpecError};
use thiserror::Error;

/// What keeps an experiment from being made.
#[derive(Debug, Error)]
pub enum ReproduceError {
    /// Real histories are needed and were not given.
    #[error("the histories `{0}` are needed and were not given")]
    NoCollection(&'static str),
    /// A page's visits do not make a history.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A window of the histories makes no world.
    #[error(transparent)]
    Histories(#[from] HistoriesError),
    /// A simulation cannot go on.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A recipe makes no world.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A policy's text is none.
    #[error("policy `{text}`: {reason}")]
    Policy {
        /// What was asked for.
        text: String,
        /// Why it is none.
        reason: String,
    },
    /// Samples give no distribution.
    #[error(transparent)]
    Distribution(#[from] DistributionError),
    /// Classes that are none.
    #[error(transparent)]
    Category(#[from] CategoryError),
    /// A world of the papers is not among those with a name.
    #[error("the simulator does not know a world of the papers")]
    NoWorld,
}
