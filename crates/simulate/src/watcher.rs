//! Who looks on while worlds are simulated: [`Watcher`].

use std::time::Duration;

/// Told how far a simulation has come, and asked whether to go on. Drivers
/// call it after every cycle, from any thread. Its double is [`Nobody`].
pub trait Watcher: Sync {
    /// A cycle of some run is finished.
    fn cycle_done(&self) {}

    /// Whether to stop before the next cycle.
    fn stopped(&self) -> bool {
        false
    }

    /// Time since some fixed moment, to measure what runs cost.
    fn clock(&self) -> Duration {
        Duration::ZERO
    }
}

/// Does not look on: nothing is shown, stopped or timed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Watcher for Nobody {}
