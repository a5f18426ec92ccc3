//! Updates and downloads where all pages weigh 1 and divergence counts
//! updates. Nearly everything is then a count. The usual page, held, changed
//! and visited before, takes a short way that does not branch on whether its
//! copy is stale, which would be guessed wrong every other time; all others
//! take the general way.

use recrawl_model::{Outcome, PageId};

use super::Copies;
use super::state::{ALIVE, EVER_CHANGED, EVER_VISITED, HELD};
use crate::Event;
use crate::world::TICKS;

impl Copies {
    pub(super) fn plain_changes(&mut self, changes: &[Event]) {
        const USUAL: u32 = ALIVE | HELD | EVER_CHANGED;
        let (start, cycle) = (f64::from(self.cycle), self.cycle);
        let (mut updates, mut ticks, mut pages_changed) = (0u64, 0u64, 0u64);
        let (mut turned, mut turned_ticks, mut turned_squares) = (0u64, 0u64, 0.0);
        for event in changes {
            let state = &mut self.pages[event.page.index()];
            if state.marks & USUAL != USUAL {
                self.weighted_changes(std::slice::from_ref(event));
                continue;
            }
            let (share, tick) = (event.at.share(), u64::from(event.at.0));
            let turns = state.missed == 0;
            updates += 1;
            ticks += tick;
            pages_changed += u64::from(!state.changed_in(cycle));
            turned += u64::from(turns);
            turned_ticks += if turns { tick } else { 0 };
            let rest = if turns { 1.0 - share } else { 0.0 };
            turned_squares += rest * rest;
            state.since = if turns { start + share } else { state.since };
            state.update(cycle);
        }
        let (count, shares) = (turned as f64, turned_ticks as f64 / TICKS);
        self.standing.stale += count;
        self.standing.since += count * start + shares;
        self.standing.divergence += updates as f64;
        self.integrals.stale += count - shares;
        self.integrals.age += turned_squares / 2.0;
        self.integrals.divergence += updates as f64 - ticks as f64 / TICKS;
        self.scores.updates += updates;
        self.scores.pages_changed += pages_changed;
    }

    /// As [`Self::plain_changes`], for visits that read "changed" as "since
    /// the last visit": then a page has changed if and only if it is stale.
    pub(super) fn plain_downloads(&mut self, pages: &[PageId], outcomes: &mut Vec<Outcome>) {
        const USUAL: u32 = ALIVE | HELD | EVER_VISITED;
        let (mut changed, mut since, mut missed, mut unusual) = (0u64, 0.0, 0u64, 0u64);
        let before = outcomes.len();
        outcomes.resize(before + pages.len(), Outcome::Unchanged);
        for (page, slot) in pages.iter().zip(&mut outcomes[before..]) {
            let state = &mut self.pages[page.index()];
            if state.marks & USUAL != USUAL {
                *slot = self.weighted_download(*page);
                unusual += 1;
                continue;
            }
            let found = state.missed > 0;
            *slot = [Outcome::Unchanged, Outcome::Changed][usize::from(found)];
            changed += u64::from(found);
            since += if found { state.since } else { 0.0 };
            missed += u64::from(state.missed);
            state.missed = 0;
        }
        self.standing.stale -= changed as f64;
        self.standing.since -= since;
        self.standing.divergence -= missed as f64;
        self.scores.changed += changed;
        self.scores.delay += changed as f64 * f64::from(self.cycle + 1) - since;
        self.scores.weight += (pages.len() as u64 - unusual) as f64;
        self.scores.changed_weight += changed as f64;
    }
}
