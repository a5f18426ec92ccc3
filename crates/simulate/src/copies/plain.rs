//! Updates and downloads where all pages weigh 1 and divergence counts
//! updates. Everything is then a count of pages, updates or ticks, and exact.
//! The usual page, held, changed and visited before, takes a short way that
//! does not branch on whether its copy is stale, which would be guessed wrong
//! every other time; all others take the general way.

use std::hint::select_unpredictable;

use recrawl_model::{Outcome, PageId};

use super::Copies;
use super::state::{ALIVE, EVER_CHANGED, EVER_VISITED, HELD, PageState, ticks};
use crate::Event;
use crate::world::TICKS;

impl Copies {
    pub(super) fn plain_changes(&mut self, changes: &[Event]) {
        let (mut sums, mut done) = (Changes::default(), 0);
        while done < changes.len() {
            done += sums.run(&mut self.pages, self.cycle, &changes[done..]);
            if let Some(&unusual) = changes.get(done) {
                self.weighted_changes(&[unusual]);
                done += 1;
            }
        }
        let (start, updates) = (f64::from(self.cycle), sums.updates as f64);
        let (count, stale) = (sums.turned as f64, sums.stale as f64 / TICKS);
        self.standing.stale += count;
        self.standing.since += count * (start + 1.0) - stale;
        self.standing.divergence += updates;
        self.integrals.stale += stale;
        self.integrals.age += sums.stale_squares as f64 / (TICKS * TICKS) / 2.0;
        self.integrals.divergence += updates - sums.ticks as f64 / TICKS;
        self.scores.updates += sums.updates;
        self.scores.pages_changed += sums.pages_changed;
    }

    /// As [`Self::plain_changes`], for visits that read "changed" as "since
    /// the last visit": then a page has changed if and only if it is stale.
    pub(super) fn plain_downloads(&mut self, pages: &[PageId], outcomes: &mut Vec<Outcome>) {
        let before = outcomes.len();
        outcomes.resize(before + pages.len(), Outcome::Unchanged);
        let (mut sums, mut done) = (Downloads::default(), 0);
        let seen = &mut outcomes[before..];
        while done < pages.len() {
            done += sums.run(&mut self.pages, &pages[done..], &mut seen[done..]);
            if let Some(&unusual) = pages.get(done) {
                seen[done] = self.weighted_download(unusual);
                done += 1;
            }
        }
        let (changed, since) = (sums.changed as f64, sums.since as f64 / TICKS);
        self.standing.stale -= changed;
        self.standing.since -= since;
        self.standing.divergence -= sums.missed as f64;
        self.scores.changed += sums.changed;
        self.scores.delay += changed * f64::from(self.cycle + 1) - since;
        self.scores.weight += sums.usual as f64;
        self.scores.changed_weight += changed;
    }
}

/// What the usual updates of a cycle add up to.
#[derive(Clone, Copy, Default)]
struct Changes {
    updates: u64,
    /// Their moments in the cycle.
    ticks: u64,
    pages_changed: u64,
    /// Copies that turned stale.
    turned: u64,
    /// Ticks from then to the end of the cycle.
    stale: u64,
    /// The squares of these.
    stale_squares: u128,
}

impl Changes {
    /// Takes in updates up to the first of a page that is not usual; returns
    /// how many.
    fn run(&mut self, pages: &mut [PageState], cycle: u32, changes: &[Event]) -> usize {
        const USUAL: u32 = ALIVE | HELD | EVER_CHANGED;
        let mut sums = *self; // in registers
        let mut done = 0;
        for event in changes {
            let state = &mut pages[event.page.index()];
            if state.marks & USUAL != USUAL {
                break;
            }
            done += 1;
            let (turns, tick) = (state.missed == 0, u64::from(event.at.0));
            let stale = select_unpredictable(turns, (1 << 32) - tick, 0);
            sums.ticks += tick;
            sums.pages_changed += u64::from(!state.changed_in(cycle));
            sums.turned += u64::from(turns);
            sums.stale += stale;
            sums.stale_squares += u128::from(stale) * u128::from(stale);
            state.since = select_unpredictable(turns, ticks(cycle, event.at), state.since);
            state.update(cycle);
        }
        sums.updates += done as u64;
        *self = sums;
        done
    }
}

/// What the usual downloads of a batch add up to.
#[derive(Clone, Copy, Default)]
struct Downloads {
    usual: u64,
    changed: u64,
    /// Since when those that changed were stale, in ticks.
    since: u128,
    missed: u64,
}

impl Downloads {
    /// Takes in visits up to the first of a page that is not usual; returns
    /// how many.
    fn run(
        &mut self,
        pages: &mut [PageState],
        visits: &[PageId],
        outcomes: &mut [Outcome],
    ) -> usize {
        const USUAL: u32 = ALIVE | HELD | EVER_VISITED;
        let mut sums = *self; // in registers
        let mut done = 0;
        for (page, slot) in visits.iter().zip(outcomes) {
            let state = &mut pages[page.index()];
            if state.marks & USUAL != USUAL {
                break;
            }
            done += 1;
            let found = state.missed > 0;
            *slot = [Outcome::Unchanged, Outcome::Changed][usize::from(found)];
            sums.changed += u64::from(found);
            sums.since += u128::from(state.since);
            sums.missed += u64::from(state.missed);
            state.copy();
        }
        sums.usual += done as u64;
        *self = sums;
        done
    }
}
