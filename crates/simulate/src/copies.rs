//! The truth about every copy, kept up to date event by event: [`Copies`].

use std::sync::Arc;

use recrawl_model::{Outcome, PageId};

use crate::world::Tick;
use crate::{CycleScores, Divergence, Event, Events, Population, Reading};

/// Sixteen bytes a page: one look at memory for an update or a visit.
#[derive(Debug, Clone, Copy, Default)]
struct PageState {
    /// Cycle and tick of the first update the copy lacks, or of the birth of
    /// a page without a copy.
    since_cycle: u32,
    since_tick: u32,
    /// Updates since the copy was taken.
    missed: u32,
    /// Marks in the low bits; above them the cycle of the last update, counted
    /// from 1, 0 before the first.
    marks: u32,
}

const ALIVE: u32 = 1;
const HELD: u32 = 2;
const EVER_CHANGED: u32 = 4;
const EVER_VISITED: u32 = 8;
const MARK_BITS: u32 = 4;

impl PageState {
    fn has(self, mark: u32) -> bool {
        self.marks & mark != 0
    }

    /// Whether what is held, if anything is, differs from the page.
    fn is_stale(self) -> bool {
        self.missed > 0 || !self.has(HELD)
    }

    /// When it became stale, in cycles since the start of the run.
    fn since(self) -> f64 {
        f64::from(self.since_cycle) + Tick(self.since_tick).share()
    }

    fn last_changed(self) -> u32 {
        self.marks >> MARK_BITS
    }
}

/// Sums over the pages alive, each weighted by importance.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    alive: f64,
    stale: f64,
    /// Sum of the moments at which the stale ones became so, in cycles.
    since: f64,
    divergence: f64,
}

/// Knows for every page whether its copy is up to date and since when it is
/// not, and integrates freshness, age and divergence over time exactly. An
/// event costs O(1), a cycle O(events + visits), whatever the number of pages.
///
/// Integrals over a cycle from 0 to 1 start from what stands at its beginning,
/// and every event adds the part from its moment u on: a page that turns stale
/// at u adds 1-u to the stale time and (1-u)^2/2 to the age.
#[derive(Debug)]
pub struct Copies {
    population: Arc<Population>,
    /// Whether weights must be looked up.
    weighted: bool,
    reading: Reading,
    divergence: Divergence,
    pages: Vec<PageState>,
    /// The cycle under way, counted from 0.
    cycle: u32,
    standing: Sums,
    integral: Integrals,
    pages_alive: u64,
    pages_changed: u64,
    pages_changed_and_visited: u64,
    scores: CycleScores,
}

#[derive(Debug, Clone, Copy, Default)]
struct Integrals {
    alive: f64,
    stale: f64,
    age: f64,
    divergence: f64,
}

impl Copies {
    /// All pages alive at the start are held and fresh.
    #[must_use]
    pub fn new(population: Arc<Population>, reading: Reading, divergence: Divergence) -> Self {
        let mut pages = vec![PageState::default(); population.len()];
        let mut standing = Sums::default();
        for (index, page) in pages.iter_mut().take(population.initial()).enumerate() {
            page.marks = ALIVE | HELD;
            standing.alive += population.weight(PageId(index as u32));
        }
        Self {
            weighted: population.is_weighted(),
            reading,
            divergence,
            pages,
            cycle: 0,
            standing,
            integral: Integrals::default(),
            pages_alive: population.initial() as u64,
            population,
            pages_changed: 0,
            pages_changed_and_visited: 0,
            scores: CycleScores::default(),
        }
    }

    fn weight(&self, page: PageId) -> f64 {
        if self.weighted {
            self.population.weight(page)
        } else {
            1.0
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
        self.integral = Integrals {
            alive: self.standing.alive,
            stale: self.standing.stale,
            age: self.standing.stale * (f64::from(cycle) + 0.5) - self.standing.since,
            divergence: self.standing.divergence,
        };
        for &birth in events.births {
            self.birth(birth);
        }
        for &change in events.changes {
            self.change(change);
        }
        for &death in events.deaths {
            self.death(death);
        }
    }

    fn turn_stale(&mut self, event: Event, weight: f64, rest: f64) {
        let state = &mut self.pages[event.page.index()];
        (state.since_cycle, state.since_tick) = (self.cycle, event.at.0);
        self.standing.stale += weight;
        self.standing.since += weight * state.since();
        self.integral.stale += weight * rest;
        self.integral.age += weight * rest * rest / 2.0;
    }

    fn birth(&mut self, event: Event) {
        let (weight, rest) = (self.weight(event.page), 1.0 - event.at.share());
        self.pages[event.page.index()].marks |= ALIVE;
        self.pages_alive += 1;
        self.standing.alive += weight;
        self.integral.alive += weight * rest;
        self.turn_stale(event, weight, rest);
    }

    fn change(&mut self, event: Event) {
        let index = event.page.index();
        let state = self.pages[index];
        if !state.has(ALIVE) {
            return; // a page that has left changes unseen and uncounted
        }
        let (weight, rest) = (self.weight(event.page), 1.0 - event.at.share());
        if !state.is_stale() {
            self.turn_stale(event, weight, rest);
        }
        let step = match &self.divergence {
            Divergence::UpdatesMissed => 1.0,
            other => other.of(state.missed + 1) - other.of(state.missed),
        };
        self.standing.divergence += weight * step;
        self.integral.divergence += weight * step * rest;
        self.scores.updates += 1;
        if state.last_changed() != self.cycle + 1 {
            self.scores.pages_changed += 1;
        }
        if !state.has(EVER_CHANGED) {
            self.pages_changed += 1;
            self.pages_changed_and_visited += u64::from(state.has(EVER_VISITED));
        }
        let low = state.marks & ((1 << MARK_BITS) - 1);
        let state = &mut self.pages[index];
        state.missed += 1;
        state.marks = ((self.cycle + 1) << MARK_BITS) | low | EVER_CHANGED;
    }

    fn death(&mut self, event: Event) {
        let state = self.pages[event.page.index()];
        if !state.has(ALIVE) {
            return;
        }
        let (weight, share) = (self.weight(event.page), event.at.share());
        let rest = 1.0 - share;
        self.pages[event.page.index()].marks &= !(ALIVE | HELD);
        self.pages_alive -= 1;
        self.standing.alive -= weight;
        self.integral.alive -= weight * rest;
        if state.is_stale() {
            let middle = f64::from(self.cycle) + f64::midpoint(1.0, share);
            self.standing.stale -= weight;
            self.standing.since -= weight * state.since();
            self.integral.stale -= weight * rest;
            self.integral.age -= weight * rest * (middle - state.since());
        }
        let distance = self.divergence.of(state.missed);
        self.standing.divergence -= weight * distance;
        self.integral.divergence -= weight * distance * rest;
    }

    /// Whether a visit now would find a change; the oracle asks.
    #[must_use]
    pub fn has_changed(&self, page: PageId) -> bool {
        self.outcome(self.pages[page.index()]) == Outcome::Changed
    }

    /// Looks at a page at the end of the cycle without taking a copy.
    pub fn sample(&mut self, page: PageId) -> Outcome {
        self.scores.samples += 1;
        self.outcome(self.pages[page.index()])
    }

    /// Downloads a page at the end of the cycle: counts it, takes a new
    /// copy and tells what the visit saw. A page that is gone is `Unknown`.
    pub fn download(&mut self, page: PageId) -> Outcome {
        let state = self.pages[page.index()];
        let weight = self.weight(page);
        self.scores.downloads += 1;
        self.scores.weight += weight;
        if let Some(bytes) = self.population.bytes(page) {
            self.scores.bytes += u64::from(bytes);
        }
        if !state.has(ALIVE) {
            return Outcome::Unknown;
        }
        let outcome = self.judge(state, weight);
        if state.is_stale() {
            self.standing.stale -= weight;
            self.standing.since -= weight * state.since();
            self.standing.divergence -= weight * self.divergence.of(state.missed);
        }
        if state.marks & (EVER_CHANGED | EVER_VISITED) == EVER_CHANGED {
            self.pages_changed_and_visited += 1;
        }
        let state = &mut self.pages[page.index()];
        state.missed = 0;
        state.marks |= HELD | EVER_VISITED;
        outcome
    }

    fn judge(&mut self, state: PageState, weight: f64) -> Outcome {
        let outcome = self.outcome(state);
        match outcome {
            Outcome::First => self.scores.first += 1,
            Outcome::Changed => {
                self.scores.changed += 1;
                self.scores.changed_weight += weight;
                self.scores.delay += f64::from(self.cycle + 1) - state.since();
            }
            Outcome::Unchanged | Outcome::Unknown => {}
        }
        outcome
    }

    fn outcome(&self, state: PageState) -> Outcome {
        let changed = match self.reading {
            Reading::SinceLast => state.missed > 0,
            Reading::PerCycle => state.last_changed() == self.cycle + 1,
        };
        if !state.has(ALIVE) {
            Outcome::Unknown
        } else if !state.has(HELD) {
            Outcome::First
        } else if changed {
            Outcome::Changed
        } else {
            Outcome::Unchanged
        }
    }

    /// Ends the cycle: its scores.
    #[must_use]
    pub fn end_cycle(&mut self) -> CycleScores {
        let part = |integral: f64| {
            if self.integral.alive > 0.0 {
                (integral / self.integral.alive).max(0.0)
            } else {
                0.0
            }
        };
        self.scores.freshness = 1.0 - part(self.integral.stale);
        self.scores.age = part(self.integral.age);
        self.scores.divergence = part(self.integral.divergence);
        self.scores.ever_changed = self.pages_changed;
        self.scores.ever_changed_and_visited = self.pages_changed_and_visited;
        self.scores.clone()
    }
}
