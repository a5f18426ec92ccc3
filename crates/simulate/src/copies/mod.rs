//! The truth about every copy, kept up to date event by event: [`Copies`].

mod plain;
mod state;
mod tally;
mod weighted;

use std::sync::Arc;

use recrawl_model::{Outcome, PageId};

use state::{ALIVE, HELD, PageState, ticks};
use tally::{Integrals, Standing};

use crate::{CycleScores, Divergence, Event, Events, Population, Reading};

/// Knows for every page whether its copy is up to date and since when it is
/// not, and integrates freshness, age and divergence over time exactly. An
/// event costs O(1), a cycle O(events + visits), whatever the number of pages.
#[derive(Debug)]
pub struct Copies {
    population: Arc<Population>,
    reading: Reading,
    divergence: Divergence,
    /// Whether all pages weigh 1 and divergence counts updates: the common
    /// case, in which weights and functions need not be asked for.
    plain: bool,
    pages: Vec<PageState>,
    /// The cycle under way, counted from 0.
    cycle: u32,
    standing: Standing,
    integrals: Integrals,
    pages_alive: u64,
    ever_changed: u64,
    ever_changed_and_visited: u64,
    scores: CycleScores,
}

impl Copies {
    /// All pages alive at the start are held and fresh.
    #[must_use]
    pub fn new(population: Arc<Population>, reading: Reading, divergence: Divergence) -> Self {
        let mut pages = vec![PageState::default(); population.len()];
        let mut standing = Standing::default();
        for (index, page) in pages.iter_mut().take(population.initial()).enumerate() {
            page.marks = ALIVE | HELD;
            standing.alive += population.weight(PageId(index as u32));
        }
        let plain = !population.is_weighted() && matches!(divergence, Divergence::UpdatesMissed);
        Self {
            pages_alive: population.initial() as u64,
            population,
            reading,
            divergence,
            plain,
            pages,
            cycle: 0,
            standing,
            integrals: Integrals::default(),
            ever_changed: 0,
            ever_changed_and_visited: 0,
            scores: CycleScores::default(),
        }
    }

    /// How many pages are alive now.
    #[must_use]
    pub fn pages_alive(&self) -> u64 {
        self.pages_alive
    }

    /// Starts cycle `cycle` (from 0) and lives through its events.
    pub fn begin_cycle(&mut self, cycle: u32, events: Events<'_>) {
        self.cycle = cycle;
        self.scores = CycleScores {
            cycle: u64::from(cycle) + 1,
            pages: self.pages_alive,
            ..CycleScores::default()
        };
        self.integrals = self.standing.over_cycle(f64::from(cycle));
        for &birth in events.births {
            self.birth(birth);
        }
        if self.plain {
            self.plain_changes(events.changes);
        } else {
            self.weighted_changes(events.changes);
        }
        for &death in events.deaths {
            self.death(death);
        }
    }

    fn birth(&mut self, event: Event) {
        let (weight, share) = (self.population.weight(event.page), event.at.share());
        let state = &mut self.pages[event.page.index()];
        state.marks |= ALIVE;
        state.since = ticks(self.cycle, event.at);
        self.pages_alive += 1;
        self.standing.join(weight);
        self.standing.turn_stale(weight, state.since());
        self.integrals.join(weight, 1.0 - share);
        self.integrals.turn_stale(weight, 1.0 - share);
    }

    fn death(&mut self, event: Event) {
        let state = self.pages[event.page.index()];
        if !state.has(ALIVE) {
            return;
        }
        let (weight, share) = (self.population.weight(event.page), event.at.share());
        let rest = 1.0 - share;
        self.pages[event.page.index()].marks &= !(ALIVE | HELD);
        self.pages_alive -= 1;
        self.standing.leave(weight);
        self.integrals.leave(weight, rest);
        if state.is_stale() {
            let middle = f64::from(self.cycle) + f64::midpoint(1.0, share);
            self.standing.turn_fresh(weight, state.since());
            self.integrals
                .stop_ageing(weight, rest, middle - state.since());
        }
        let distance = self.divergence.of(state.missed);
        self.standing.divergence -= weight * distance;
        self.integrals.divergence -= weight * distance * rest;
    }

    /// Whether a visit now would find a change; the oracle asks.
    #[must_use]
    pub fn has_changed(&self, page: PageId) -> bool {
        self.outcome(self.pages[page.index()]) == Outcome::Changed
    }

    fn outcome(&self, state: PageState) -> Outcome {
        let changed = match self.reading {
            Reading::SinceLast => state.missed > 0,
            Reading::PerCycle => state.changed_in(self.cycle),
        };
        state.outcome(changed)
    }

    /// Looks at pages at the end of the cycle without taking copies; appends
    /// what it saw.
    pub fn sample(&mut self, pages: &[PageId], outcomes: &mut Vec<Outcome>) {
        self.scores.samples += pages.len() as u64;
        outcomes.extend(
            pages
                .iter()
                .map(|page| self.outcome(self.pages[page.index()])),
        );
    }

    /// Downloads pages at the end of the cycle: takes new copies and appends
    /// what the visits saw. A page that is gone is `Unknown`.
    pub fn download(&mut self, pages: &[PageId], outcomes: &mut Vec<Outcome>) {
        if self.plain && self.reading == Reading::SinceLast {
            self.plain_downloads(pages, outcomes);
        } else {
            self.weighted_downloads(pages, outcomes);
        }
        self.scores.downloads += pages.len() as u64;
        if self.population.has_bytes() {
            let sizes = pages.iter().filter_map(|&page| self.population.bytes(page));
            self.scores.bytes += sizes.map(u64::from).sum::<u64>();
        }
    }

    /// Ends the cycle: its scores.
    #[must_use]
    pub fn end_cycle(&mut self) -> CycleScores {
        let mean = |integral| self.integrals.mean(integral);
        self.scores.freshness = 1.0 - mean(self.integrals.stale);
        self.scores.age = mean(self.integrals.age);
        self.scores.divergence = mean(self.integrals.divergence);
        self.scores.ever_changed = self.ever_changed;
        self.scores.ever_changed_and_visited = self.ever_changed_and_visited;
        self.scores.clone()
    }
}
