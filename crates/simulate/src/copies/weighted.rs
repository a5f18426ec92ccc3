//! Updates and downloads where pages weigh differently or divergence is a
//! function of its own.

use recrawl_model::{Outcome, PageId};

use super::Copies;
use super::state::{ALIVE, EVER_CHANGED, ticks};
use crate::Event;

impl Copies {
    pub(super) fn weighted_changes(&mut self, changes: &[Event]) {
        for event in changes {
            let weight = self.population.weight(event.page);
            let state = &mut self.pages[event.page.index()];
            if !state.has(ALIVE) {
                continue; // a page that has left changes unseen and uncounted
            }
            let rest = 1.0 - event.at.share();
            if !state.is_stale() {
                state.since = ticks(self.cycle, event.at);
                self.standing.turn_stale(weight, state.since());
                self.integrals.turn_stale(weight, rest);
            }
            let step = self.divergence.of(state.missed + 1) - self.divergence.of(state.missed);
            self.standing.divergence += weight * step;
            self.integrals.divergence += weight * step * rest;
            self.scores.updates += 1;
            self.scores.pages_changed += u64::from(!state.changed_in(self.cycle));
            self.ever_changed += u64::from(!state.has(EVER_CHANGED));
            self.ever_changed_and_visited += u64::from(state.only_visited());
            state.update(self.cycle);
        }
    }

    pub(super) fn weighted_downloads(&mut self, pages: &[PageId], outcomes: &mut Vec<Outcome>) {
        outcomes.extend(pages.iter().map(|&page| self.weighted_download(page)));
    }

    pub(super) fn weighted_download(&mut self, page: PageId) -> Outcome {
        let weight = self.population.weight(page);
        let state = self.pages[page.index()];
        let outcome = self.outcome(state);
        self.scores.weight += weight;
        match outcome {
            Outcome::Unknown => return outcome,
            Outcome::First => self.scores.first += 1,
            Outcome::Changed => {
                self.scores.changed += 1;
                self.scores.changed_weight += weight;
                self.scores.delay += f64::from(self.cycle + 1) - state.since();
            }
            Outcome::Unchanged => {}
        }
        if state.is_stale() {
            self.standing.turn_fresh(weight, state.since());
        }
        self.standing.divergence -= weight * self.divergence.of(state.missed);
        self.ever_changed_and_visited += u64::from(state.only_changed());
        self.pages[page.index()].copy();
        outcome
    }
}
