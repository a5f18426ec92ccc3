//! Policies side by side on the worlds of Cho & Ntoulas and on real pages.

use std::time::Duration;

use recrawl_model::Timestamp;
use recrawl_policy::Policy;
use recrawl_simulate::{
    CycleBudget, Divergence, Membership, NamedWorld, Nobody, NumberLaw, Purpose, Reading,
    RecordedWorld, RepeatingWorld, Settings, Summary, SyntheticWorld, World, compare, run_seed,
};

use crate::{ReproduceError, Scale, Setup};

/// Pages of the paper's data: budgets of other collections are in proportion.
pub(crate) const PAPER_PAGES: f64 = 353_000.0;

/// A cycle of the paper, one month.
const MONTH: Duration = Duration::from_secs(30 * 86_400);

/// How long before the end of the histories the last cycle ends: sites stop at
/// different days, and a page counts only if its site is watched throughout.
const BEFORE_THE_END: Duration = Duration::from_secs(60 * 86_400);

/// A world, drawn anew for every run or the same each time.
pub(crate) struct Arena {
    /// What it is called in figures and rows.
    pub(crate) name: &'static str,
    pub(crate) pages: usize,
    pub(crate) sites: usize,
    worlds: Box<dyn Fn(u32) -> Box<dyn World> + Sync>,
    start: Timestamp,
    pub(crate) runs: u32,
    seed: u64,
}

/// What every policy is given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    /// Downloads a cycle of a collection of the paper's size.
    pub(crate) downloads: f64,
    pub(crate) cycles: u32,
    pub(crate) reading: Reading,
}

impl Arena {
    /// A synthetic world of the paper. In the small version a sixth of the
    /// sites with a hundred pages each.
    pub(crate) fn named(
        setup: &Setup<'_>,
        name: &'static str,
        world: &str,
        runs: u32,
    ) -> Result<Self, ReproduceError> {
        let named = NamedWorld::find(world).ok_or(ReproduceError::NoWorld)?;
        let mut spec = named.spec();
        if setup.scale == Scale::Small && spec.sites > 2 {
            spec.sites /= 6;
            spec.pages_per_site = NumberLaw::Fixed(100.0);
        }
        let seed = setup.seed;
        let first = SyntheticWorld::new(&spec, MONTH, run_seed(seed, 0, Purpose::World))?;
        Ok(Self {
            name,
            pages: first.population().len(),
            sites: first.population().sites(),
            worlds: Box::new(move |run| {
                let seed = run_seed(seed, run, Purpose::World);
                match SyntheticWorld::new(&spec, MONTH, seed) {
                    Ok(world) => Box::new(world),
                    Err(_) => Box::new(first.clone()), // the recipe was checked above
                }
            }),
            start: Timestamp::from_seconds(0),
            runs,
            seed,
        })
    }

    /// The last monthly cycles of real pages that live throughout, with a new
    /// seed for the policy in each run.
    pub(crate) fn recorded(
        setup: &Setup<'_>,
        name: &'static str,
        cycles: u32,
        runs: u32,
    ) -> Result<Self, ReproduceError> {
        let histories = setup.data.get(name)?;
        let (_, last) = histories.span().ok_or(ReproduceError::NoCollection(name))?;
        let back = MONTH * cycles + BEFORE_THE_END;
        let micros = i64::try_from(back.as_micros()).unwrap_or(i64::MAX);
        let start = Timestamp::from_micros(last.micros().saturating_sub(micros));
        let window = histories.window(Some(start), MONTH, cycles)?;
        let world = RecordedWorld::new(histories, window, Membership::AliveThroughout)?;
        Ok(Self {
            name,
            pages: world.population().len(),
            sites: world.population().sites(),
            worlds: Box::new(move |_| Box::new(world.clone())),
            start,
            runs,
            seed: setup.seed,
        })
    }

    /// The same with its first cycles again and again, as the paper does for
    /// long runs.
    pub(crate) fn repeating(mut self, cycles: u32) -> Self {
        let worlds = self.worlds;
        self.worlds =
            Box::new(move |run| Box::new(RepeatingWorld::record(&mut *worlds(run), cycles)));
        self
    }

    /// Runs policies, given as their texts, on the same worlds.
    pub(crate) fn run<T: AsRef<str>>(
        &self,
        policies: &[T],
        terms: Terms,
    ) -> Result<Vec<Summary>, ReproduceError> {
        let policies: Vec<Box<dyn Policy>> = policies
            .iter()
            .map(|text| {
                recrawl_policy::parse(text.as_ref()).map_err(|error| ReproduceError::Policy {
                    text: text.as_ref().to_owned(),
                    reason: error.to_string(),
                })
            })
            .collect::<Result<_, _>>()?;
        self.run_policies(&policies, terms)
    }

    /// Runs policies on the same worlds.
    pub(crate) fn run_policies(
        &self,
        policies: &[Box<dyn Policy>],
        terms: Terms,
    ) -> Result<Vec<Summary>, ReproduceError> {
        let settings = Settings {
            start: self.start,
            cycle: MONTH,
            cycles: terms.cycles,
            budget: CycleBudget::Ratio((terms.downloads / PAPER_PAGES).min(1.0)),
            reading: terms.reading,
            divergence: Divergence::UpdatesMissed,
        };
        let standings = compare(
            &*self.worlds,
            policies,
            &settings,
            self.runs,
            self.seed,
            &Nobody,
        )?;
        Ok(standings
            .into_iter()
            .map(|standing| standing.summary)
            .collect())
    }

    /// A world as a run would see it.
    pub(crate) fn world(&self, run: u32) -> Box<dyn World> {
        (self.worlds)(run)
    }

    /// The changed share of each site, mean of the first cycles of run 0.
    pub(crate) fn changed_shares(&self, cycles: u32) -> Vec<f64> {
        let mut world = (self.worlds)(0);
        let site_of_page = world.population().site_of_page().to_vec();
        // Sites keep their numbers where some have no page left.
        let places = site_of_page
            .iter()
            .max()
            .map_or(0, |&site| site as usize + 1);
        let mut sizes = vec![0.0; places];
        for &site in &site_of_page {
            sizes[site as usize] += 1.0;
        }
        let mut changed = vec![0.0; places];
        let mut last = vec![0; site_of_page.len()];
        for cycle in 1..=cycles {
            for change in world.next_cycle().changes {
                let page = change.page.index();
                if last[page] != cycle {
                    last[page] = cycle;
                    changed[site_of_page[page] as usize] += 1.0;
                }
            }
        }
        sizes
            .iter()
            .zip(changed)
            .filter(|(size, _)| **size > 0.0)
            .map(|(size, changed)| changed / size / f64::from(cycles))
            .collect()
    }
}
