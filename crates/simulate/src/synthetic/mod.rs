//! Worlds made by a recipe: [`SyntheticWorld`].

mod bursts;
mod clock;
mod hints;
mod lanes;
mod laws;
mod named;
mod per_cycle;
mod renewal;
mod spec;

use std::sync::Arc;
use std::time::Duration;

use rand_distr::{Beta, Distribution};
use rand_pcg::Pcg64Mcg;
use recrawl_model::PageId;

use clock::Clock;
pub(crate) use laws::unit;
pub use laws::{GapLaw, NumberLaw, ShareLaw, SpreadLaw};
pub use named::{NAMED_WORLDS, NamedWorld};
use per_cycle::{Coins, Quotas};
use renewal::Renewals;
pub use spec::{
    Bursts, Detector, Drift, Hints, Liars, PageLaw, Rhythm, SpecError, TimeLaw, Trend, WorldSpec,
};

use crate::{Event, Events, Population, World};

/// Chances are held below this before they become rates: a page that changes
/// every cycle for certain would have an infinite one. It is 11.5 a cycle.
const MOST_CERTAIN: f64 = 1.0 - 1e-5;

/// How changes come about.
#[derive(Debug, Clone)]
enum Changes {
    Coins(Box<Coins>),
    Quotas(Quotas),
    Renewals(Renewals),
}

/// A world drawn from a [`WorldSpec`] and a seed; the same on every machine.
#[derive(Debug, Clone)]
pub struct SyntheticWorld {
    population: Arc<Population>,
    /// Where the pages of each site start; one more entry than sites.
    starts: Vec<usize>,
    mechanism: Changes,
    bursts: Option<Bursts>,
    hints: Option<Hints>,
    drift: Option<Drift>,
    rng: Pcg64Mcg,
    /// The next cycle, from 0.
    cycle: u32,
    /// Room for the changes of a cycle, kept from one to the next.
    changes: Vec<Event>,
    /// Room for its hints.
    said: Vec<Event>,
}

impl SyntheticWorld {
    /// Draws a world whose cycles last `cycle`.
    ///
    /// # Errors
    /// [`SpecError`] as [`WorldSpec::check`].
    pub fn new(spec: &WorldSpec, cycle: Duration, seed: u64) -> Result<Self, SpecError> {
        spec.check()?;
        let mut rng = Pcg64Mcg::new(u128::from(seed) << 64 | 0x9e37_79b9_7f4a_7c15);
        let sites = draw_sites(spec, &mut rng);
        let mut starts = vec![0];
        let mut site_of_page = Vec::new();
        for (site, &(size, _)) in sites.iter().enumerate() {
            site_of_page.resize(site_of_page.len() + size, site as u32);
            starts.push(site_of_page.len());
        }
        let mechanism = draw_changes(spec, &sites, cycle, &mut rng);
        let population = dress(spec, Population::new(site_of_page), &mut rng);
        Ok(Self {
            population: Arc::new(population),
            starts,
            mechanism,
            bursts: spec.bursts,
            hints: spec.hints,
            said: Vec::new(),
            drift: spec.drift,
            rng,
            cycle: 0,
            changes: Vec::new(),
        })
    }

    /// Pairs of pages exchange what makes them change; returns whether it was
    /// time for it.
    fn drift(&mut self) -> bool {
        let Some(drift) = self.drift else {
            return false;
        };
        if self.cycle == 0 || !self.cycle.is_multiple_of(drift.every) {
            return false;
        }
        let pages = self.population.len();
        let any = |rng: &mut Pcg64Mcg| ((unit(rng) * pages as f64) as usize).min(pages - 1);
        for _ in 0..(pages as f64 * drift.share / 2.0).round() as usize {
            let (one, other) = (any(&mut self.rng), any(&mut self.rng));
            match &mut self.mechanism {
                Changes::Coins(coins) => coins.swap(one, other),
                Changes::Renewals(renewals) => {
                    renewals.swap(one, other, self.cycle, &mut self.rng);
                }
                Changes::Quotas(_) => {} // pages of a site are alike by design
            }
        }
        true
    }
}

impl World for SyntheticWorld {
    fn population(&self) -> &Arc<Population> {
        &self.population
    }

    fn next_cycle(&mut self) -> Events<'_> {
        let drifted = self.drift();
        let (mut happened, moves) = match &mut self.mechanism {
            Changes::Coins(coins) => (coins.toss(&mut self.changes), false),
            Changes::Quotas(quotas) => (quotas.draw(&mut self.changes, &mut self.rng), false),
            Changes::Renewals(renewals) => {
                let happened = renewals.run(self.cycle, &mut self.changes, &mut self.rng);
                (happened, renewals.moves())
            }
        };
        if let Some(bursts) = self.bursts {
            self.changes.truncate(happened);
            bursts::strike(bursts, &self.starts, &mut self.changes, &mut self.rng);
            happened = self.changes.len();
        }
        if let Some(hints) = self.hints {
            let (pages, changes) = (self.population.len(), &self.changes[..happened]);
            hints::say(hints, pages, changes, &mut self.said, &mut self.rng);
        }
        self.cycle += 1;
        Events {
            hints: &self.said,
            changes: &self.changes[..happened],
            rates_moved: drifted || moves,
            ..Events::default()
        }
    }

    fn rate(&self, page: PageId) -> f64 {
        let index = page.index();
        let own = match &self.mechanism {
            Changes::Coins(coins) => rate_of_chance(coins.chance(index)),
            Changes::Quotas(quotas) => {
                let site = self.population.site_of_page()[index];
                rate_of_chance(quotas.share(site as usize))
            }
            Changes::Renewals(renewals) => renewals.rate(index, self.cycle.saturating_sub(1)),
        };
        own + self
            .bursts
            .map_or(0.0, |bursts| bursts.per_cycle * bursts.strength)
    }
}

/// `-ln(1 - p)`: changes per cycle of a page that changes in a cycle with
/// chance p, if changes are independent at a steady rate.
fn rate_of_chance(chance: f64) -> f64 {
    -(-chance.min(MOST_CERTAIN)).ln_1p()
}

/// Pages and chance of change of each site.
fn draw_sites(spec: &WorldSpec, rng: &mut Pcg64Mcg) -> Vec<(usize, f64)> {
    (0..spec.sites as usize)
        .map(|site| {
            let size = spec.pages_per_site.draw(rng).round().max(1.0);
            (size as usize, spec.rho.draw(site, rng))
        })
        .collect()
}

fn draw_changes(
    spec: &WorldSpec,
    sites: &[(usize, f64)],
    cycle: Duration,
    rng: &mut Pcg64Mcg,
) -> Changes {
    if spec.pages == PageLaw::Exact {
        return Changes::Quotas(Quotas::new(sites));
    }
    let mut chances = Vec::new();
    for &(size, rho) in sites {
        let law = match spec.pages {
            // Beta needs two positive shapes: the ends of [0, 1] are alike.
            PageLaw::Beta { concentration } => {
                Beta::new(concentration * rho, concentration * (1.0 - rho)).ok()
            }
            PageLaw::Alike | PageLaw::Exact => None,
        };
        chances.extend((0..size).map(|_| law.map_or(rho, |law| law.sample(rng))));
    }
    match spec.time {
        TimeLaw::PerCycle => Changes::Coins(Box::new(Coins::new(chances.into_iter(), rng))),
        TimeLaw::Continuous { gaps } => {
            let clock = Clock::new(spec.trend, spec.rhythm, cycle);
            let rates = chances.into_iter().map(|p| rate_of_chance(p) as f32);
            Changes::Renewals(Renewals::new(gaps, clock, rates.collect(), rng))
        }
    }
}

/// Gives pages their weights, sizes and lies.
fn dress(spec: &WorldSpec, mut population: Population, rng: &mut Pcg64Mcg) -> Population {
    let pages = population.len();
    if let Some(law) = &spec.weight {
        population = population.with_weights((0..pages).map(|_| law.draw(rng)).collect());
    }
    if let Some(law) = &spec.bytes {
        let size = |_| law.draw(rng).round() as u32;
        population = population.with_bytes((0..pages).map(size).collect());
    }
    match spec.liars {
        Some(liars) if liars.detector == Detector::Bytes => {
            population.with_liars((0..pages).map(|_| unit(rng) < liars.share).collect())
        }
        _ => population,
    }
}
