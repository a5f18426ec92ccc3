//! `bayes` at work: how a cycle goes.

use rand::RngExt;
use recrawl_model::{Explanation, PageId, SiteId, Timestamp};

use super::activity::Activity;
use super::exploration::Exploration;
use super::knowledge::Knowledge;
use super::probe;
use super::view::View;
use crate::ranking::Ranking;
use crate::{Collection, Desk, Objective, Planner, Seen};

/// Rounds of looks before the bulk of a cycle, and the part of the budget one
/// may take.
const LOOK_ROUNDS: usize = 2;
const LOOK_PART: usize = 10;

/// Parts the bulk of a cycle is visited in while sites are in doubt, each
/// twice the one before. No part but the last takes more than a share of a
/// site, which doubles too: what the first pages tell comes before the rest.
const BULK_PARTS: usize = 5;
const FIRST_SITE_SHARE: f64 = 0.03;

pub(super) struct BayesPlanner {
    pub(super) objective: Objective,
    pub(super) knowledge: Knowledge,
    pub(super) exploration: Exploration,
    cycle: u32,
    /// The claim of the last page the cycle before could afford.
    price: Option<f64>,
    ranking: Ranking,
    stage: usize,
    looked: bool,
    queue: Vec<PageId>,
    place: usize,
}

impl BayesPlanner {
    pub(super) fn new(objective: Objective) -> Self {
        Self {
            objective,
            knowledge: Knowledge::new(),
            exploration: Exploration::default(),
            cycle: 0,
            price: None,
            ranking: Ranking::default(),
            stage: 0,
            looked: false,
            queue: Vec::new(),
            place: 0,
        }
    }

    pub(super) fn site_count(&self) -> usize {
        self.knowledge.sites.len()
    }

    pub(super) fn activity(&self, site: SiteId) -> Option<&Activity> {
        self.knowledge.sites[site.index()].activity.as_ref()
    }

    /// A page that was seen and may be asked for.
    pub(super) fn view(&self, desk: &Desk<'_>, page: PageId) -> Option<View<'_>> {
        let seen = desk.collection().summary(page).last().is_some();
        (seen && desk.is_open(page))
            .then(|| View::new(self, desk.collection(), page, desk.now))
            .flatten()
    }

    /// Ranks all pages by their claims; notes the claim of the last that can
    /// be afforded.
    fn rank(&mut self, desk: &mut Desk<'_>) {
        for activity in self.knowledge.activities() {
            activity.refresh();
        }
        let now = desk.now;
        let mut ranking = std::mem::take(&mut self.ranking);
        ranking.rank(desk, |collection, page| {
            let view = View::new(self, collection, page, now);
            Some(view.map_or(0.0, |view| view.claim(view.busy())))
        });
        self.price = ranking.weakest().or(self.price);
        self.ranking = ranking;
    }

    /// Fills the queue for the next stage of the cycle; `false` if it is over.
    fn plan(&mut self, desk: &mut Desk<'_>) -> bool {
        let left = usize::try_from(desk.downloads_left()).unwrap_or(usize::MAX);
        if left == 0 || self.stage >= LOOK_ROUNDS + BULK_PARTS {
            return false;
        }
        self.rank(desk);
        self.queue.clear();
        self.place = 0;
        let price = self.price.unwrap_or(0.0);
        if self.stage < LOOK_ROUNDS {
            let turn = desk.chance.random::<u32>() as usize;
            let most = (left / LOOK_PART).max(1);
            self.queue = probe::looks(self, desk, price, most, turn);
            self.looked |= !self.queue.is_empty();
            self.stage += 1;
            return true;
        }
        if !self.looked {
            self.stage = LOOK_ROUNDS + BULK_PARTS - 1; // no site is in doubt
        }
        let part = self.stage - LOOK_ROUNDS;
        let rest = BULK_PARTS - 1 - part;
        let share = FIRST_SITE_SHARE * f64::from(1u32 << part);
        self.choose(desk, (left >> rest).max(1), (rest > 0).then_some(share));
        self.stage += 1;
        true
    }

    /// Takes the `wanted` strongest claims, of a site at most the share.
    fn choose(&mut self, desk: &Desk<'_>, wanted: usize, share: Option<f64>) {
        let Some(share) = share else {
            self.queue.extend(self.ranking.pages().take(wanted));
            return;
        };
        let collection = desk.collection();
        let mut taken = vec![0u32; self.knowledge.sites.len()];
        for page in self.ranking.pages() {
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
            if !desk.is_empty() || !self.plan(desk) {
                return;
            }
        }
    }

    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        self.knowledge.learn(collection, seen);
    }

    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation {
        View::new(self, collection, page, now).map_or_else(
            || Explanation::new(0.0, "claim to a visit: no cycle has begun"),
            |view| view.explain(collection, page),
        )
    }
}
