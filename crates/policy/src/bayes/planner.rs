//! `bayes` at work: how a cycle goes.

use rand::RngExt;
use recrawl_estimate::GammaFilter;
use recrawl_model::{Explanation, Outcome, PageId, SiteId, Timestamp};

use super::activity::Activity;
use super::burst_law::{LawBook, LawWeights, first_weights, pooled};
use super::calendar::Calendar;
use super::evidence::Evidence;
use super::exploration::Exploration;
use super::forgetting::Forgetting;
use super::hierarchy::Hierarchy;
use super::probe;
use super::site::{LEAST_PAGES, Site};
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

/// Most pages of a site that its rate is learned from.
const LEARNED_FROM: usize = 1_024;

/// Intervals waiting to be learned beyond which they are learned at once.
const MOST_PENDING: usize = 1 << 20;

/// An interval whose site's activity is not known yet.
struct Pending {
    page: PageId,
    from: Timestamp,
    until: Timestamp,
    changed: bool,
}

pub(super) struct BayesPlanner {
    pub(super) objective: Objective,
    pub(super) calendar: Calendar,
    pub(super) hierarchy: Option<Hierarchy>,
    /// Belief about a page of any site.
    pub(super) any: Option<GammaFilter>,
    pub(super) sites: Vec<Site>,
    evidence: Vec<Evidence>,
    pending: Vec<Pending>,
    pub(super) forgetting: Forgetting,
    pub(super) exploration: Exploration,
    law_weights: LawWeights,
    book: LawBook,
    pub(super) cycle_days: f64,
    cycle: u32,
    /// Whether visits came after the last boundary.
    late: bool,
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
            calendar: Calendar::default(),
            hierarchy: None,
            any: None,
            sites: Vec::new(),
            evidence: Vec::new(),
            pending: Vec::new(),
            forgetting: Forgetting::default(),
            exploration: Exploration::default(),
            law_weights: first_weights(),
            book: LawBook::default(),
            cycle_days: 1.0,
            cycle: 0,
            late: false,
            price: None,
            ranking: Ranking::default(),
            stage: 0,
            looked: false,
            queue: Vec::new(),
            place: 0,
        }
    }

    pub(super) fn site_count(&self) -> usize {
        self.sites.len()
    }

    pub(super) fn activity(&self, site: SiteId) -> Option<&Activity> {
        self.sites[site.index()].activity.as_ref()
    }

    /// What the page's own visits say.
    pub(super) fn evidence(&self, page: PageId) -> Evidence {
        self.evidence.get(page.index()).copied().unwrap_or_default()
    }

    /// A page that was seen and may be asked for.
    pub(super) fn view(&self, desk: &Desk<'_>, page: PageId) -> Option<View<'_>> {
        let seen = desk.collection().summary(page).last().is_some();
        (seen && desk.is_open(page))
            .then(|| View::new(self, desk.collection(), page, desk.now))
            .flatten()
    }

    fn grow_pages(&mut self, slots: usize) {
        if self.evidence.len() < slots {
            let more = slots - self.evidence.len();
            let room = more.max(self.evidence.len() / 4);
            self.evidence.reserve_exact(room);
            self.evidence.resize(slots, Evidence::default());
        }
    }

    fn grow_sites(&mut self, collection: &Collection) {
        let Some(hierarchy) = &self.hierarchy else {
            return;
        };
        while self.sites.len() < collection.sites() {
            self.sites.push(Site::new(hierarchy.unknown_site()));
        }
        for (index, site) in self.sites.iter_mut().enumerate() {
            let size = collection.site_size(SiteId(index as u32));
            if site.activity.is_none() && size >= LEAST_PAGES {
                let plain = 0..self.calendar.len();
                let start = self.calendar.at(0);
                let busy = plain.map(|at| self.calendar.at(at).days_since(start) as f32);
                site.activity = Some(Activity::new(self.law_weights, busy.collect()));
            }
        }
    }

    /// Starts the calendar with the first cycle: time is known from the first
    /// visit on.
    fn start(&mut self, collection: &Collection, now: Timestamp) {
        let pages = (0..collection.slots() as u32).map(PageId);
        let seen = pages.filter_map(|page| collection.summary(page).last());
        let first = self
            .pending
            .iter()
            .map(|interval| interval.from)
            .chain(seen)
            .min();
        let first = first.unwrap_or(now).min(now);
        self.calendar.push(first);
        let days = now.days_since(first);
        self.cycle_days = if days > 0.0 { days } else { 1.0 };
        self.hierarchy = Some(Hierarchy::new(self.cycle_days));
    }

    /// Adds a boundary; busy days are filled in when cycles are closed.
    fn mark(&mut self, now: Timestamp) {
        self.calendar.push(now);
        if let Some(thinning) = self.calendar.thinning() {
            self.calendar.thin(thinning);
            for activity in self
                .sites
                .iter_mut()
                .filter_map(|site| site.activity.as_mut())
            {
                thinning.thin(&mut activity.busy);
                activity.since = thinning.moved(activity.since);
            }
        }
        for activity in self
            .sites
            .iter_mut()
            .filter_map(|site| site.activity.as_mut())
        {
            let last = activity.busy.last().copied().unwrap_or(0.0);
            activity.busy.resize(self.calendar.len(), last);
        }
    }

    /// Ends what ran since the last boundary: how busy sites were, what pages
    /// did, how alike they are.
    fn close(&mut self, collection: &Collection) {
        let end = self.calendar.len() - 1;
        for site in &mut self.sites {
            let Some(activity) = &mut site.activity else {
                continue;
            };
            let since = activity.since;
            let laws = self.book.over((end - since) as u32);
            let level = activity.close(laws, site.rate.changes);
            for boundary in since + 1..=end {
                let days = self
                    .calendar
                    .at(boundary)
                    .days_since(self.calendar.at(since));
                activity.busy[boundary] = activity.busy[since] + (level * days) as f32;
            }
            if activity.looked() > 0 {
                activity.since = end;
            }
        }
        self.settle(collection);
        self.forgetting.end_cycle();
        self.learn_rates(collection);
        let activities = self
            .sites
            .iter_mut()
            .filter_map(|site| site.activity.as_mut());
        let mut met: Vec<&mut Activity> = activities.collect();
        for activity in &mut met {
            activity.reweigh(self.law_weights);
        }
        let told = met.iter().filter(|activity| activity.is_met());
        self.law_weights = pooled(told.map(|activity| activity.weights));
    }

    /// Learns the intervals that waited.
    fn settle(&mut self, collection: &Collection) {
        let mut pending = std::mem::take(&mut self.pending);
        for interval in pending.drain(..) {
            let Some(site) = self
                .sites
                .get_mut(collection.summary(interval.page).site().index())
            else {
                continue;
            };
            let days = site.busy_interval(&self.calendar, interval.from, interval.until);
            if days <= 0.0 {
                continue;
            }
            let evidence = &mut self.evidence[interval.page.index()];
            let mut kept = 1.0;
            if let (false, Some(own), Some(any)) = (
                evidence.is_none(),
                evidence.belief(site.rate.prior),
                self.any,
            ) {
                let cycles = interval.until.days_since(interval.from) / self.cycle_days;
                kept = self
                    .forgetting
                    .learn(own, any, cycles, days, interval.changed);
            }
            let faded = if kept < 1.0 {
                evidence.faded(kept)
            } else {
                *evidence
            };
            *evidence = faded.learn(site.rate.prior, days, interval.changed);
            site.intervals = site.intervals.saturating_add(1);
        }
        self.pending = pending;
    }

    /// Learns the rates of sites that saw enough, and of the collection.
    fn learn_rates(&mut self, collection: &Collection) {
        let (Some(mut hierarchy), Some(now)) = (self.hierarchy.take(), self.calendar.last()) else {
            return;
        };
        let mut learned = false;
        let mut sample = Vec::new();
        for (index, site) in self.sites.iter_mut().enumerate() {
            if site.intervals == 0 {
                site.set_rate(hierarchy.unknown_site());
            }
            if !site.is_due() {
                continue;
            }
            let members = collection.members(SiteId(index as u32));
            let stride = members.len().div_ceil(LEARNED_FROM).max(1);
            sample.clear();
            for &page in members.iter().step_by(stride) {
                let evidence = self.evidence[page.index()];
                let Some(last) = collection.summary(page).last() else {
                    continue;
                };
                if !evidence.is_none() {
                    let kept = self.forgetting.kept(now.days_since(last) / self.cycle_days);
                    sample.push(evidence.faded(kept).numbers());
                }
            }
            let rate = hierarchy.site_rate(site.rate, &sample, stride as f64);
            site.set_rate(rate);
            learned = true;
        }
        if learned {
            let rates: Vec<_> = self.sites.iter().map(|site| &site.rate).collect();
            hierarchy.learn(&rates, self.cycle_days);
        }
        self.any = hierarchy.any_page().belief();
        self.hierarchy = Some(hierarchy);
    }

    /// Opens the cycle that is planned at `now`.
    fn open(&mut self, now: Timestamp) {
        let end = self.calendar.len() - 1;
        for site in &mut self.sites {
            let Some(activity) = &mut site.activity else {
                continue;
            };
            let days = now.days_since(self.calendar.at(activity.since));
            let laws = self.book.over((end - activity.since) as u32);
            activity.open(laws, days, site.rate.prior.mean, site.rate.changes);
        }
    }

    /// Ranks all pages by their claims; notes the claim of the last that can
    /// be afforded.
    fn rank(&mut self, desk: &mut Desk<'_>) {
        for activity in self
            .sites
            .iter_mut()
            .filter_map(|site| site.activity.as_mut())
        {
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
        let mut taken = vec![0u32; self.sites.len()];
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
        let now = desk.now;
        if let Some(last) = self.calendar.last() {
            let days = now.days_since(last);
            if days > 0.0 {
                self.cycle_days = days;
            }
            if self.late {
                self.mark(now);
            }
        } else {
            self.start(desk.collection(), now);
            if !self.pending.is_empty() {
                self.mark(now);
            }
        }
        self.late = false;
        self.grow_pages(desk.collection().slots());
        self.grow_sites(desk.collection());
        self.close(desk.collection());
        self.mark(now);
        self.open(now);
        self.cycle += 1;
        if self.objective == Objective::Changes
            && let Some(price) = self.price
        {
            self.exploration.prepare(price, self.cycle, self.cycle_days);
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
        self.grow_pages(collection.slots());
        for (&page, &outcome) in seen.pages.iter().zip(seen.outcomes) {
            let changed = match outcome {
                Outcome::Changed => true,
                Outcome::Unchanged => false,
                Outcome::First | Outcome::Unknown => continue,
            };
            let summary = collection.summary(page);
            let Some(from) = summary.last().filter(|&from| from < seen.at) else {
                continue; // the first visit, whatever it says
            };
            self.late |= self.calendar.last().is_some_and(|last| seen.at > last);
            self.pending.push(Pending {
                page,
                from,
                until: seen.at,
                changed,
            });
            let evidence = self.evidence[page.index()];
            let Some(site) = self.sites.get_mut(summary.site().index()) else {
                continue; // before the first cycle
            };
            let wait = site.wait(&self.calendar, from, seen.at);
            if let (Some(belief), Some(activity)) =
                (evidence.belief(site.rate.prior), &mut site.activity)
            {
                activity.look(belief, wait.past, wait.open, changed);
            }
        }
        if self.pending.len() > MOST_PENDING && self.hierarchy.is_some() {
            self.settle(collection);
        }
    }

    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation {
        View::new(self, collection, page, now).map_or_else(
            || Explanation::new(0.0, "claim to a visit: no cycle has begun"),
            |view| view.explain(collection, page),
        )
    }
}
