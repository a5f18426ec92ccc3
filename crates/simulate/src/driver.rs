//! The simulated driver of the engine: [`run`].

use std::time::Duration;

use recrawl_engine::{Batch, ObserveError, PolicyError, Scheduler, Truth};
use recrawl_model::{
    Budget, Cost, Hint, HintKind, Outcome, PageId, Rate, SiteId, Timestamp, VisitKind, Weight,
    WeightError, days,
};
use recrawl_policy::Policy;
use thiserror::Error;

use crate::{Copies, CycleScores, Divergence, Event, Events, Population, Reading, Watcher, World};

/// What one cycle may spend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CycleBudget {
    /// The same number of downloads each cycle.
    Downloads(u64),
    /// A share of the pages alive at the start of the cycle, rounded down, at
    /// least one download.
    Ratio(f64),
}

impl CycleBudget {
    /// Downloads of a cycle that starts with so many pages.
    #[must_use]
    pub fn of(self, pages: u64) -> u64 {
        match self {
            Self::Downloads(count) => count,
            Self::Ratio(share) => ((pages as f64 * share) as u64).max(1),
        }
    }
}

/// How worlds are simulated; the same for every policy that is compared.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Start of the first cycle.
    pub start: Timestamp,
    /// Length of a cycle.
    pub cycle: Duration,
    /// How many cycles.
    pub cycles: u32,
    /// What each may spend.
    pub budget: CycleBudget,
    /// What counts as changed.
    pub reading: Reading,
    /// How far a stale copy is from its page.
    pub divergence: Divergence,
}

/// What keeps a simulation from going on.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SimulationError {
    /// The policy refuses to start a cycle.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The scheduler refuses an observation.
    #[error(transparent)]
    Observation(#[from] ObserveError),
    /// A page's importance is none.
    #[error(transparent)]
    Weight(#[from] WeightError),
}

/// Runs one policy on one world; a run that is stopped on the way gives the
/// cycles it finished.
///
/// The rules: all pages alive at the start are held and fresh. Changes accrue
/// during the cycle, then its visits happen at its end, batch by batch. A page
/// born in a cycle may be visited from its end on; its first visit is `First`.
/// Deaths are known at once.
///
/// # Errors
/// [`SimulationError`] if the engine refuses the policy or a visit.
pub fn run(
    world: &mut dyn World,
    policy: &dyn Policy,
    settings: &Settings,
    seed: u64,
    watcher: &dyn Watcher,
) -> Result<Vec<CycleScores>, SimulationError> {
    let mut run = Run::new(world, policy, settings, seed)?;
    let mut finished = Vec::new();
    for cycle in 0..settings.cycles {
        if watcher.stopped() {
            break;
        }
        finished.push(run.cycle(world, cycle)?);
        watcher.cycle_done();
    }
    Ok(finished)
}

struct Run<'a> {
    settings: &'a Settings,
    population: std::sync::Arc<Population>,
    scheduler: Scheduler,
    copies: Copies,
    outcomes: Vec<Outcome>,
}

impl<'a> Run<'a> {
    fn new(
        world: &dyn World,
        policy: &dyn Policy,
        settings: &'a Settings,
        seed: u64,
    ) -> Result<Self, SimulationError> {
        let population = std::sync::Arc::clone(world.population());
        let mut scheduler = Scheduler::new(policy, seed);
        scheduler.reserve(population.len());
        for index in 0..population.initial() {
            let (site, weight) = describe(&population, PageId(index as u32))?;
            scheduler.add_held_page(site, weight, settings.start);
        }
        let copies = Copies::new(
            std::sync::Arc::clone(&population),
            settings.reading,
            settings.divergence.clone(),
        );
        Ok(Self {
            settings,
            population,
            scheduler,
            copies,
            outcomes: Vec::new(),
        })
    }

    fn cycle(&mut self, world: &mut dyn World, cycle: u32) -> Result<CycleScores, SimulationError> {
        let budget = self.settings.budget.of(self.copies.pages_alive());
        let events = world.next_cycle();
        self.copies.begin_cycle(cycle, events);
        self.tell(events)?;
        let span = self.settings.cycle;
        let begun = self.settings.start.after(span.saturating_mul(cycle));
        let now = self.settings.start.after(span.saturating_mul(cycle + 1));
        self.pass_on(events.hints, begun, now)?;
        let truth = KnownTruth {
            copies: &self.copies,
            world,
            cycle_days: days(self.settings.cycle),
        };
        self.scheduler
            .begin_cycle_knowing(Budget::downloads(budget), now, &truth)?;
        loop {
            let batch = self.scheduler.decide(now);
            if batch.is_empty() {
                break;
            }
            visit(
                &mut self.copies,
                &self.population,
                batch,
                &mut self.outcomes,
            );
            self.scheduler.observe_batch(now, &self.outcomes)?;
        }
        let mut scores = self.copies.end_cycle();
        scores.budget = budget;
        debug_assert!(self.scheduler.budget().spent() <= Cost::downloads(budget));
        Ok(scores)
    }

    /// Lets the scheduler hear what sources say of pages.
    fn pass_on(
        &mut self,
        hints: &[Event],
        begun: Timestamp,
        now: Timestamp,
    ) -> Result<(), SimulationError> {
        for hint in hints {
            let passed = self.settings.cycle.mul_f64(hint.at.share());
            let said = Hint {
                kind: HintKind::Sitemap,
                said_modified_at: begun.after(passed),
                heard_at: now,
            };
            self.scheduler.hint(hint.page, said)?;
        }
        Ok(())
    }

    /// Lets pages join and leave the collection.
    fn tell(&mut self, events: Events<'_>) -> Result<(), SimulationError> {
        for birth in events.births {
            let (site, weight) = describe(&self.population, birth.page)?;
            let page = self.scheduler.add_page(site, weight);
            debug_assert_eq!(page, birth.page, "pages join in order of birth");
        }
        for death in events.deaths {
            self.scheduler.remove_page(death.page);
        }
        Ok(())
    }
}

fn describe(population: &Population, page: PageId) -> Result<(SiteId, Weight), WeightError> {
    let site = SiteId(population.site_of_page()[page.index()]);
    Ok((site, Weight::new(population.weight(page))?))
}

/// Makes the visits of a batch. A page whose bytes lie is told as changed.
fn visit(
    copies: &mut Copies,
    population: &Population,
    batch: Batch<'_>,
    outcomes: &mut Vec<Outcome>,
) {
    outcomes.clear();
    match batch.kind {
        VisitKind::Download => copies.download(batch.pages, outcomes),
        VisitKind::Sample => copies.sample(batch.pages, outcomes),
    }
    if population.has_liars() {
        for (&page, outcome) in batch.pages.iter().zip(outcomes) {
            if *outcome == Outcome::Unchanged && population.lies(page) {
                *outcome = Outcome::Changed;
            }
        }
    }
}

/// What the bounds are told.
struct KnownTruth<'a> {
    copies: &'a Copies,
    world: &'a dyn World,
    cycle_days: f64,
}

impl Truth for KnownTruth<'_> {
    fn changed(&self, page: PageId) -> bool {
        self.copies.has_changed(page)
    }

    fn rate(&self, page: PageId) -> Rate {
        let daily = self.world.rate(page) / self.cycle_days;
        Rate::per_day(daily).unwrap_or(Rate::ZERO)
    }
}
