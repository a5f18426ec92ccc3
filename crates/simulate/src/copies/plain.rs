//! Updates and downloads where all pages weigh 1 and divergence counts
//! updates. Nearly everything is then a count, and no step branches on a
//! page's state, which would be guessed wrong every other time.

use recrawl_model::{Outcome, PageId};

use super::Copies;
use super::state::{ALIVE, EVER_CHANGED};
use crate::Event;
use crate::world::TICKS;

impl Copies {
    pub(super) fn plain_changes(&mut self, changes: &[Event]) {
        let start = f64::from(self.cycle);
        let (mut updates, mut all_ticks) = (0u64, 0u64);
        let (mut turned, mut turned_ticks, mut turned_squares) = (0u64, 0u64, 0.0);
        let (mut pages_changed, mut newly_changed, mut newly_both) = (0u64, 0u64, 0u64);
        for event in changes {
            let state = &mut self.pages[event.page.index()];
            if !state.has(ALIVE) {
                continue; // a page that has left changes unseen and uncounted
            }
            let (share, tick) = (event.at.share(), u64::from(event.at.0));
            let turns = !state.is_stale();
            updates += 1;
            all_ticks += tick;
            turned += u64::from(turns);
            turned_ticks += if turns { tick } else { 0 };
            let rest = if turns { 1.0 - share } else { 0.0 };
            turned_squares += rest * rest;
            state.since = if turns { start + share } else { state.since };
            pages_changed += u64::from(!state.changed_in(self.cycle));
            newly_changed += u64::from(!state.has(EVER_CHANGED));
            newly_both += u64::from(state.only_visited());
            state.update(self.cycle);
        }
        let (count, shares) = (turned as f64, turned_ticks as f64 / TICKS);
        self.standing.stale += count;
        self.standing.since += count * start + shares;
        self.standing.divergence += updates as f64;
        self.integrals.stale += count - shares;
        self.integrals.age += turned_squares / 2.0;
        self.integrals.divergence += updates as f64 - all_ticks as f64 / TICKS;
        self.scores.updates += updates;
        self.scores.pages_changed += pages_changed;
        self.ever_changed += newly_changed;
        self.ever_changed_and_visited += newly_both;
    }

    pub(super) fn plain_downloads<const PER_CYCLE: bool>(
        &mut self,
        pages: &[PageId],
        outcomes: &mut Vec<Outcome>,
    ) {
        let (mut turned, mut turned_since, mut missed) = (0u64, 0.0, 0u64);
        let (mut changed, mut changed_since) = (0u64, 0.0);
        let (mut first, mut newly_both) = (0u64, 0u64);
        let before = outcomes.len();
        outcomes.resize(before + pages.len(), Outcome::Unknown);
        let (states, cycle) = (&mut self.pages[..], self.cycle);
        for (page, slot) in pages.iter().zip(&mut outcomes[before..]) {
            let state = &mut states[page.index()];
            let outcome = state.outcome::<PER_CYCLE>(cycle);
            *slot = outcome;
            if outcome == Outcome::Unknown {
                continue;
            }
            let (stale, found) = (state.is_stale(), outcome == Outcome::Changed);
            turned += u64::from(stale);
            turned_since += if stale { state.since } else { 0.0 };
            missed += u64::from(state.missed);
            changed += u64::from(found);
            changed_since += if found { state.since } else { 0.0 };
            first += u64::from(outcome == Outcome::First);
            newly_both += u64::from(state.only_changed());
            state.copy();
        }
        self.standing.stale -= turned as f64;
        self.standing.since -= turned_since;
        self.standing.divergence -= missed as f64;
        self.scores.changed += changed;
        self.scores.first += first;
        self.scores.delay += changed as f64 * f64::from(self.cycle + 1) - changed_since;
        self.scores.weight += pages.len() as f64;
        self.scores.changed_weight += changed as f64;
        self.ever_changed_and_visited += newly_both;
    }
}
