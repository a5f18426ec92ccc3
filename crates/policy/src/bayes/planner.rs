//! `bayes` at work: how a cycle goes.

use std::collections::BTreeSet;

use rand::RngExt;
use recrawl_model::{Explanation, Hint, PageId, SiteId, Timestamp};

use super::Law;
use super::exploration::Exploration;
use super::knowledge::Knowledge;
use super::pool::Pool;
use super::probe::{Look, SAMPLE, looks_into};
use super::view::View;
use crate::{Collection, Desk, Objective, Planner, Seen};

/// Rounds of looks before the bulk of a cycle, and the part of the budget one
/// may take.
const LOOK_ROUNDS: usize = 2;
const LOOK_PART: usize = 10;

/// Pages of small sites that may be gone through for each affordable visit
/// when looks are priced.
const PRICED_PER_VISIT: u64 = 8;

/// Parts the bulk of a cycle is visited in while sites are in doubt, each
/// twice the one before. No part but the last takes more than a share of a
/// site, which doubles too: what the first pages tell comes before the rest.
const BULK_PARTS: usize = 5;
const FIRST_SITE_SHARE: f64 = 0.03;

/// The stage that spends what is left.
const LAST_STAGE: usize = LOOK_ROUNDS + BULK_PARTS - 1;

pub(super) struct BayesPlanner {
    pub(super) objective: Objective,
    pub(super) knowledge: Knowledge,
    pub(super) exploration: Exploration,
    cycle: u32,
    /// The claim of the last page the cycle before could afford.
    price: Option<f64>,
    pool: Pool,
    /// Looks that would pay, not yet taken.
    looks: Vec<Look>,
    /// Sites the visits since the last stage told something of.
    told: BTreeSet<SiteId>,
    stage: usize,
    /// Whether the stage before asked for anything.
    fruitful: bool,
    looked: bool,
    queue: Vec<PageId>,
    place: usize,
}

impl BayesPlanner {
    pub(super) fn new(objective: Objective, law: Law) -> Self {
        Self {
            objective,
            knowledge: Knowledge::new(law),
            exploration: Exploration::default(),
            cycle: 0,
            price: None,
            pool: Pool::default(),
            looks: Vec::new(),
            told: BTreeSet::new(),
            stage: 0,
            fruitful: false,
            looked: false,
            queue: Vec::new(),
            place: 0,
        }
    }

    /// Brings the pool up to date with what visits have told; notes the claim
    /// of the last page that can be afforded. Of the looks that would pay, keeps
    /// those into sites without news.
    fn conclude(&mut self, desk: &mut Desk<'_>, affordable: usize) {
        let mut pool = std::mem::take(&mut self.pool);
        self.told.clear();
        let told = &mut self.told;
        self.knowledge.conclude(|site, before| {
            told.insert(site);
            pool.note(site, before);
        });
        let stirred = self.knowledge.take_stirred();
        if self.stage == 0 {
            pool.fill(self, desk, affordable);
        } else {
            pool.update(self, desk, affordable, &stirred);
            if pool.is_short(affordable) {
                pool.fill(self, desk, affordable);
            }
        }
        self.price = pool.price(affordable).or(self.price);
        self.pool = pool;
    }

    /// Fills the queue for the next stage of the cycle; `false` if it is over.
    fn plan(&mut self, desk: &mut Desk<'_>) -> bool {
        let left = usize::try_from(desk.downloads_left()).unwrap_or(usize::MAX);
        if self.stage > LAST_STAGE && self.fruitful {
            self.stage = LAST_STAGE; // visits that were not made were paid back
        }
        if left == 0 || self.stage > LAST_STAGE {
            return false;
        }
        self.fruitful = false;
        self.conclude(desk, left);
        self.queue.clear();
        self.place = 0;
        if self.stage < LOOK_ROUNDS {
            self.look(desk, (left / LOOK_PART).max(1));
            self.looked |= !self.queue.is_empty();
            self.stage += 1;
            return true;
        }
        if !self.looked {
            self.stage = LAST_STAGE; // no site is in doubt
        }
        let part = self.stage - LOOK_ROUNDS;
        let rest = BULK_PARTS - 1 - part;
        let share = FIRST_SITE_SHARE * f64::from(1u32 << part);
        self.choose(desk, left, rest, share);
        self.stage += 1;
        true
    }

    /// Queues the looks that pay most, at most so many.
    fn look(&mut self, desk: &mut Desk<'_>, most: usize) {
        let (price, turn) = (
            self.price.unwrap_or(0.0),
            desk.chance.random::<u32>() as usize,
        );
        let mut looks = std::mem::take(&mut self.looks);
        if self.stage == 0 {
            looks.clear();
            for site in self.sites_to_price(desk, turn) {
                looks_into(self, desk, site, price, turn, &mut looks);
            }
        } else {
            looks.retain(|look| !self.told.contains(&look.site));
            for &site in &self.told {
                looks_into(self, desk, site, price, turn, &mut looks);
            }
        }
        looks.sort_unstable_by(Look::order);
        let taken = looks.drain(..most.min(looks.len()));
        self.queue.extend(taken.map(|look| look.page));
        self.looks = looks;
    }

    /// The sites in which looks are priced: all large ones and, so that pricing
    /// costs no more than visits do, some of the small ones from the one whose
    /// turn it is.
    fn sites_to_price(&self, desk: &Desk<'_>, turn: usize) -> impl Iterator<Item = SiteId> {
        let collection = desk.collection();
        let count = self.knowledge.sites.len();
        let mut pages_left = desk.downloads_left().saturating_mul(PRICED_PER_VISIT);
        (0..count).filter_map(move |step| {
            let site = SiteId(((turn % count + step) % count) as u32);
            let pages = u64::from(collection.site_size(site));
            if pages >= SAMPLE as u64 {
                return Some(site);
            }
            let priced = pages_left >= pages;
            pages_left -= if priced { pages } else { 0 };
            priced.then_some(site)
        })
    }

    /// Queues the strongest of the `left` affordable claims: of the last part
    /// (`rest` 0) all, else half as many for each part to come, of a site at
    /// most the share.
    fn choose(&mut self, desk: &Desk<'_>, left: usize, rest: usize, share: f64) {
        let strongest = self.pool.strongest(left);
        if rest == 0 {
            self.queue.extend(strongest);
            return;
        }
        let wanted = (left >> rest).max(1);
        let collection = desk.collection();
        let mut taken = vec![0u32; self.knowledge.sites.len()];
        for page in strongest {
            let site = collection.summary(page).site();
            let most = (f64::from(collection.site_size(site)) * share) as u32;
            if taken[site.index()] < most.max(2) {
                taken[site.index()] += 1;
                self.queue.push(page);
                if self.queue.len() == wanted {
                    break;
                }
            }
        }
    }
}

impl Planner for BayesPlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        self.knowledge.begin_cycle(desk.collection(), desk.now);
        self.cycle += 1;
        if self.objective == Objective::Changes
            && let Some(price) = self.price
        {
            self.exploration
                .prepare(price, self.cycle, self.knowledge.cycle_days);
        }
        self.stage = 0;
        self.looked = false;
        self.queue.clear();
        self.place = 0;
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        loop {
            let asked = desk.ask_each(self.queue[self.place..].iter().copied());
            self.place += asked;
            self.fruitful |= !desk.is_empty();
            if !desk.is_empty() || !self.plan(desk) {
                return;
            }
        }
    }

    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        self.knowledge.learn(collection, seen);
    }

    fn hear(&mut self, collection: &Collection, page: PageId, hint: Hint) {
        let summary = collection.summary(page);
        let hints = &mut self.knowledge.hints;
        hints.hear(page, summary.site(), summary.last(), hint);
    }

    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation {
        View::new(self, collection, page, now).map_or_else(
            || Explanation::new(0.0, "claim to a visit: no cycle has begun"),
            |view| view.explain(collection, page),
        )
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Ledger;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use recrawl_model::{Budget, Outcome, Weight};

    fn day(n: i64) -> Timestamp {
        Timestamp::from_seconds(n * 86_400)
    }

    /// A planner after so many cycles on 20 sites of 30 pages that change the
    /// more often the higher their site's number, when the next has begun.
    pub(in crate::bayes) fn after_cycles(cycles: i64) -> (BayesPlanner, Collection, Timestamp) {
        let mut collection = Collection::new();
        for page in 0..600 {
            collection.add(SiteId(page / 30), Weight::ONE);
            let first = collection.observe(PageId(page), day(0), Outcome::First);
            first.expect("the first visit");
        }
        collection.settle();
        let mut planner = BayesPlanner::new(Objective::Changes, Law::Learned);
        let (mut ledger, mut chance) = (Ledger::default(), Pcg64Mcg::seed_from_u64(3));
        for cycle in 1..=cycles + 1 {
            let now = day(cycle);
            ledger.begin(Budget::downloads(120), &collection);
            let mut desk = Desk::new(now, &mut collection, &mut ledger, &mut chance, None);
            planner.begin(&mut desk);
            if cycle > cycles {
                break; // begun, not visited
            }
            loop {
                ledger.open_downloads();
                let mut desk = Desk::new(now, &mut collection, &mut ledger, &mut chance, None);
                planner.next(&mut desk);
                ledger.settle_batch();
                let pages = ledger.batch().to_vec();
                if pages.is_empty() {
                    break;
                }
                let changed = |page: &PageId| chance.random_range(0..20) < page.0 / 30;
                let outcomes: Vec<Outcome> = pages
                    .iter()
                    .map(changed)
                    .map(|changed| {
                        if changed {
                            Outcome::Changed
                        } else {
                            Outcome::Unchanged
                        }
                    })
                    .collect();
                let seen = Seen {
                    at: now,
                    pages: &pages,
                    outcomes: &outcomes,
                    last_modified: None,
                    of_this_cycle: true,
                };
                planner.learn(&collection, &seen);
                ledger.arrive_batch(&outcomes);
                let visits = pages.iter().copied().zip(outcomes.iter().copied());
                assert_eq!(collection.observe_each(now, visits), None);
            }
        }
        (planner, collection, day(cycles + 1))
    }

    #[test]
    fn fast_sites_are_visited_most_once_known() {
        let (_, collection, now) = after_cycles(12);
        let intervals = |sites: std::ops::Range<u32>| -> u32 {
            let pages = (sites.start * 30..sites.end * 30).map(PageId);
            pages.map(|page| collection.summary(page).intervals()).sum()
        };
        assert!(intervals(15..20) > 2 * intervals(0..5), "at {now}");
    }
}
