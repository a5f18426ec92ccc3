//! What is known of one copy: [`PageState`].

use recrawl_model::Outcome;

use crate::world::{TICKS, Tick};

/// Sixteen bytes a page: one look at memory for an update or a visit.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PageState {
    /// When the first update came that the copy lacks, or the birth of a page
    /// without a copy, in ticks since the start of the run; 0 where the copy is
    /// up to date.
    pub(super) since: u64,
    /// Updates since the copy was taken.
    pub(super) missed: u32,
    /// Marks in the low bits; above them the cycle of the last update, counted
    /// from 1, 0 before the first.
    pub(super) marks: u32,
}

pub(super) const ALIVE: u32 = 1;
pub(super) const HELD: u32 = 2;
pub(super) const EVER_CHANGED: u32 = 4;
pub(super) const EVER_VISITED: u32 = 8;
const MARK_BITS: u32 = 4;

/// Outcomes by alive + 2 held + 4 changed.
const OUTCOMES: [Outcome; 8] = [
    Outcome::Unknown,
    Outcome::First,
    Outcome::Unknown,
    Outcome::Unchanged,
    Outcome::Unknown,
    Outcome::First,
    Outcome::Unknown,
    Outcome::Changed,
];

/// A moment of a cycle (from 0) in ticks since the start of the run.
#[inline]
pub(super) const fn ticks(cycle: u32, at: Tick) -> u64 {
    (cycle as u64) << 32 | at.0 as u64
}

impl PageState {
    pub(super) const fn has(self, mark: u32) -> bool {
        self.marks & mark != 0
    }

    /// `since` in cycles.
    pub(super) fn since(self) -> f64 {
        self.since as f64 / TICKS
    }

    /// Whether what is held, if anything is, differs from the page.
    pub(super) const fn is_stale(self) -> bool {
        (self.missed > 0) | !self.has(HELD)
    }

    /// Whether the page was updated in the cycle (from 0).
    pub(super) const fn changed_in(self, cycle: u32) -> bool {
        self.marks >> MARK_BITS == cycle + 1
    }

    /// What a visit sees, given whether the page counts as changed; looked up
    /// rather than decided, as half of the guesses would be wrong.
    #[inline]
    pub(super) const fn outcome(self, changed: bool) -> Outcome {
        OUTCOMES[(self.marks & (ALIVE | HELD)) as usize | (changed as usize) << 2]
    }

    /// Takes in an update in the cycle.
    #[inline]
    pub(super) const fn update(&mut self, cycle: u32) {
        let marks = self.marks & ((1 << MARK_BITS) - 1);
        self.missed += 1;
        self.marks = ((cycle + 1) << MARK_BITS) | marks | EVER_CHANGED;
    }

    /// Takes a new copy.
    #[inline]
    pub(super) const fn copy(&mut self) {
        self.since = 0;
        self.missed = 0;
        self.marks |= HELD | EVER_VISITED;
    }

    /// Whether it was visited before its first update.
    #[inline]
    pub(super) const fn only_visited(self) -> bool {
        self.marks & (EVER_CHANGED | EVER_VISITED) == EVER_VISITED
    }

    /// Whether it was updated and not visited yet.
    #[inline]
    pub(super) const fn only_changed(self) -> bool {
        self.marks & (EVER_CHANGED | EVER_VISITED) == EVER_CHANGED
    }
}
