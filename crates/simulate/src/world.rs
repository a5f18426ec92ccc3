//! What the truth is: the [`World`] trait and the events of a cycle.

use std::sync::Arc;

use recrawl_model::PageId;

use crate::Population;

/// Ticks of a cycle: a moment inside a cycle is told to 2^-32 of its length,
/// which is 0.6 ms of a month.
pub(crate) const TICKS: f64 = 4_294_967_296.0;

/// A moment inside a cycle, as a share of it in ticks of 2^-32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tick(pub u32);

impl Tick {
    /// The moment at `share` of the cycle, held within [0, 1).
    #[must_use]
    pub fn at(share: f64) -> Self {
        Self((share * TICKS) as u32) // `as` holds the value within the range
    }

    /// The share of the cycle that has passed, in [0, 1).
    #[must_use]
    pub fn share(self) -> f64 {
        f64::from(self.0) / TICKS
    }
}

/// Something that befell a page: an update, its birth or its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The page.
    pub page: PageId,
    /// When, inside the cycle.
    pub at: Tick,
}

/// All that happens in one cycle. Events of one page are in order of time;
/// pages come in any order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Events<'a> {
    /// Pages that join.
    pub births: &'a [Event],
    /// Updates, after the page's birth and before its death.
    pub changes: &'a [Event],
    /// Pages that a source says were modified, truly or not.
    pub hints: &'a [Event],
    /// Pages that leave.
    pub deaths: &'a [Event],
    /// Whether the rates that [`World::rate`] tells are others than before.
    pub rates_moved: bool,
}

/// A world with known truth. The simulator asks for one cycle after the other;
/// what a world does never depends on who visits it, so that policies can be
/// compared on the same one. Twins: [`crate::RecordedWorld`],
/// [`crate::RepeatingWorld`], [`crate::SyntheticWorld`].
pub trait World: Send {
    /// The pages; the same for a whole run.
    fn population(&self) -> &Arc<Population>;

    /// Lives through the next cycle and tells what happened in it.
    fn next_cycle(&mut self) -> Events<'_>;

    /// The page's true rate at this moment, in changes per cycle. Only
    /// policies that are bounds are told.
    fn rate(&self, page: PageId) -> f64;
}
