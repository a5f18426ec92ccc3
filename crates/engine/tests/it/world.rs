//! A tiny world with known truth.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use recrawl_engine::{Scheduler, Truth};
use recrawl_model::{Budget, Outcome, PageId, Rate, SiteId, Timestamp, VisitKind, Weight};

/// Pages that change with a fixed chance each cycle, or never.
pub(crate) struct World {
    /// Chance of each page to change in a cycle.
    chances: Vec<f64>,
    /// Whether the page differs from the copy held.
    pub(crate) changed: Vec<bool>,
    /// Downloads of each page.
    pub(crate) downloads: Vec<u32>,
    chance: Pcg64Mcg,
}

/// What a cycle brought.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Harvest {
    pub(crate) downloads: usize,
    pub(crate) samples: usize,
    pub(crate) changed: usize,
    /// Copies up to date at the end of the cycle, before its visits.
    pub(crate) fresh: usize,
}

pub(crate) fn day(n: i64) -> Timestamp {
    Timestamp::from_seconds(n * 86_400)
}

impl World {
    pub(crate) fn new(chances: Vec<f64>, seed: u64) -> Self {
        Self {
            changed: vec![false; chances.len()],
            downloads: vec![0; chances.len()],
            chances,
            chance: Pcg64Mcg::seed_from_u64(seed),
        }
    }

    /// A scheduler that holds a fresh copy of every page, `a_site` pages a site.
    pub(crate) fn scheduler(&self, policy: &str, a_site: u32, seed: u64) -> Scheduler {
        let policy = recrawl_engine::parse(policy).expect("a policy");
        let mut scheduler = Scheduler::new(policy.as_ref(), seed);
        for page in 0..self.chances.len() as u32 {
            scheduler.add_held_page(SiteId(page / a_site), Weight::ONE, day(0));
        }
        scheduler
    }

    /// Lets a cycle pass.
    pub(crate) fn pass(&mut self) {
        for (changed, chance) in self.changed.iter_mut().zip(&self.chances) {
            *changed |= self.chance.random::<f64>() < *chance;
        }
    }

    /// Visits a page; a download brings the copy up to date.
    pub(crate) fn visit(&mut self, page: PageId, kind: VisitKind) -> Outcome {
        let changed = self.changed[page.index()];
        if kind == VisitKind::Download {
            self.changed[page.index()] = false;
            self.downloads[page.index()] += 1;
        }
        if changed {
            Outcome::Changed
        } else {
            Outcome::Unchanged
        }
    }

    /// Runs one cycle of `budget` downloads at day `now`.
    pub(crate) fn cycle(&mut self, scheduler: &mut Scheduler, budget: u64, now: i64) -> Harvest {
        self.pass();
        scheduler
            .begin_cycle_knowing(Budget::downloads(budget), day(now), self)
            .expect("a cycle");
        let mut harvest = Harvest {
            fresh: self.changed.iter().filter(|&&changed| !changed).count(),
            ..Harvest::default()
        };
        loop {
            let batch = scheduler.decide(day(now));
            if batch.is_empty() {
                return harvest;
            }
            let mut outcomes = Vec::new();
            for visit in batch.visits() {
                let outcome = self.visit(visit.page, visit.kind);
                if visit.kind == VisitKind::Download {
                    harvest.downloads += 1;
                    harvest.changed += usize::from(outcome == Outcome::Changed);
                } else {
                    harvest.samples += 1;
                }
                outcomes.push(outcome);
            }
            scheduler
                .observe_batch(day(now), &outcomes)
                .expect("in order");
        }
    }

    /// Mean share of downloads that found a change over `cycles` cycles.
    pub(crate) fn change_ratio(
        &mut self,
        scheduler: &mut Scheduler,
        budget: u64,
        cycles: i64,
    ) -> f64 {
        let (mut changed, mut downloads) = (0, 0);
        for now in 1..=cycles {
            let harvest = self.cycle(scheduler, budget, now);
            changed += harvest.changed;
            downloads += harvest.downloads;
        }
        changed as f64 / downloads as f64
    }
}

impl Truth for World {
    fn changed(&self, page: PageId) -> bool {
        self.changed[page.index()]
    }

    fn rate(&self, page: PageId) -> Rate {
        let chance = self.chances[page.index()].min(1.0 - 1e-9);
        Rate::per_day(-(-chance).ln_1p()).expect("a rate")
    }
}

/// What a policy made of a world.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Days {
    /// Changes found.
    pub(crate) found: u64,
    /// Pages out of date after the visits of a day, added up.
    pub(crate) stale: u64,
}

/// What becomes of a world in so many days: every day `pass` says which pages have
/// changed, then some are visited.
pub(crate) fn days_of(
    policy: &str,
    seed: u64,
    (sites, days, visits_a_day): (&[SiteId], i64, u64),
    mut pass: impl FnMut(&mut Pcg64Mcg, &mut [bool]),
) -> Days {
    let policy = recrawl_policy::parse(policy).expect("a policy");
    let mut scheduler = Scheduler::new(policy.as_ref(), seed);
    for &site in sites {
        scheduler.add_held_page(site, Weight::ONE, day(0));
    }
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let mut stale = vec![false; sites.len()];
    let mut result = Days::default();
    for today in 1..=days {
        pass(&mut chance, &mut stale);
        let now = day(today);
        let begun = scheduler.begin_cycle(Budget::downloads(visits_a_day), now);
        begun.expect("a cycle");
        loop {
            let pages = scheduler.decide(now).pages.to_vec();
            if pages.is_empty() {
                break;
            }
            let outcomes: Vec<Outcome> = pages
                .iter()
                .map(|page| {
                    if std::mem::take(&mut stale[page.index()]) {
                        Outcome::Changed
                    } else {
                        Outcome::Unchanged
                    }
                })
                .collect();
            let changed = |&&outcome: &&Outcome| outcome == Outcome::Changed;
            result.found += outcomes.iter().filter(changed).count() as u64;
            scheduler.observe_batch(now, &outcomes).expect("in order");
        }
        result.stale += stale.iter().filter(|&&stale| stale).count() as u64;
    }
    result
}
