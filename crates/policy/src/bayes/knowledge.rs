//! What `bayes` knows of pages, sites and the collection, and how it learns.

mod cycles;
mod intervals;
mod looks;
mod rates;
#[cfg(test)]
mod tests;
mod watched;

use std::hint::black_box;

use recrawl_estimate::GammaFilter;
use recrawl_model::{PageId, SiteId, Timestamp};

use super::Law;
use super::activity::{Activity, Doubt, SiteRate};
use super::burst_law::{LawWeights, first_weights};
use super::calendar::{BusyDays, Calendar, days_between};
use super::dates::Dates;
use super::evidence::Evidence;
use super::followed::Followed;
use super::forgetting::Forgetting;
use super::hierarchy::Hierarchy;
use super::hints::Hints;
use super::horizon::horizon;
use super::neighbours::{Around, Neighbours};
use super::rate_doubt::RateDoubt;
use super::recency::Recency;
use super::shown_columns::Beliefs;
use super::silence::{self, LIVELY};
use super::site::{LEAST_PAGES, Site};
use super::storm::{self, Storms};
use super::ways::Ways;
use crate::Collection;
use crate::quiet::Quiet;

/// Pages that memory is asked for together.
pub(super) const AHEAD: usize = 32;

/// An interval whose site's activity is not known yet.
struct Pending {
    page: PageId,
    /// That of the page, which need not be looked up when it is learned.
    site: SiteId,
    from: Timestamp,
    until: Timestamp,
    changed: bool,
    /// From the last change seen before it to the visit before it, where that says
    /// something of the page.
    quiet: Quiet,
    /// What pages around it showed when it was visited, and how many times as likely
    /// that made a change.
    around: Around,
    told: f32,
}

/// Everything learned so far.
pub(super) struct Knowledge {
    pub(super) calendar: Calendar,
    hierarchy: Option<Hierarchy>,
    /// Belief about a page of any site.
    pub(super) any: Option<GammaFilter>,
    pub(super) sites: Vec<Site>,
    /// The activities that are followed; sites know which is theirs.
    activities: Vec<Activity>,
    evidence: Vec<Evidence>,
    /// Room to reckon with pages that are looked at.
    beliefs: Box<Beliefs>,
    /// Waits for the next cycle, which closes the one it was seen in.
    pending: Vec<Pending>,
    /// When pages last changed before the visit, where that is known, by the number
    /// of the interval among those that wait.
    pending_dates: Vec<(usize, Timestamp)>,
    pub(super) forgetting: Forgetting,
    ways: Ways,
    pub(super) hints: Hints,
    law: Law,
    recency: Recency,
    pub(super) neighbours: Neighbours,
    dates: Dates,
    law_weights: LawWeights,
    /// Chance of a storm in a cycle of a site, and that it falls silent in one.
    storm_chance: f32,
    falls: f32,
    /// Sites looked at since conclusions were drawn.
    news: Vec<SiteId>,
    /// Pages visited since, and whether they had changed, where that may tell of
    /// those next to them.
    stirred: Vec<(PageId, bool)>,
    /// The collection's mean when all sites that lean on it were learned.
    leant_on: f64,
    pub(super) cycle_days: f64,
    /// When the running cycle began.
    began: Option<Timestamp>,
    /// The last visit taken in, where it came after the last boundary.
    latest: Option<Timestamp>,
}

impl Knowledge {
    /// Nothing is known.
    pub(super) fn new(law: Law) -> Self {
        Self {
            law,
            calendar: Calendar::default(),
            hierarchy: None,
            any: None,
            sites: Vec::new(),
            activities: Vec::new(),
            evidence: Vec::new(),
            beliefs: Box::default(),
            pending: Vec::new(),
            pending_dates: Vec::new(),
            forgetting: Forgetting::default(),
            ways: Ways::default(),
            hints: Hints::default(),
            recency: Recency::default(),
            neighbours: Neighbours::default(),
            dates: Dates::default(),
            law_weights: first_weights(),
            storm_chance: storm::FIRST_CHANCE,
            falls: silence::FIRST_CHANCE,
            news: Vec::new(),
            stirred: Vec::new(),
            leant_on: 0.0,
            cycle_days: 1.0,
            began: None,
            latest: None,
        }
    }

    /// A site and its activity; `None` before it is known.
    #[inline]
    pub(super) fn site(&self, site: SiteId) -> Option<Followed<'_>> {
        let site = self.sites.get(site.index())?;
        Some(Followed::new(site, &self.activities))
    }

    /// What the page's own visits say.
    pub(super) fn evidence(&self, page: PageId) -> Evidence {
        self.evidence.get(page.index()).copied().unwrap_or_default()
    }

    /// Changes the collection's rate counts for where a site's is learned.
    pub(super) fn collection_changes(&self) -> f64 {
        let hierarchy = self.hierarchy.as_ref();
        hierarchy.map_or(1.0, |hierarchy| hierarchy.sites.shape)
    }

    /// What is believed of a site's activity, where it is in doubt.
    pub(super) fn doubt(&self, site: SiteId) -> Option<Doubt> {
        let site = self.site(site)?;
        let activity = site.activity?;
        activity.coarse_belief(self.cycles_since(activity), self.known(&site))
    }

    /// Whether the last look into a site can tell most of the silence there may be.
    pub(super) fn is_watched(&self, site: Followed<'_>) -> bool {
        site.activity.is_some_and(|activity| {
            let falls = self.known(&site).falls;
            activity
                .silence
                .is_watched(self.cycles_since(activity), falls)
        })
    }

    /// The days ahead within which what is won counts.
    pub(super) fn horizon(&self) -> f64 {
        let watched = self
            .calendar
            .last()
            .map_or(0.0, |last| last.days_since(self.calendar.at(0)));
        horizon(watched, self.cycle_days)
    }

    /// Times as likely as at a steady rate a page is to change between two moments
    /// that was quiet for so many days before them.
    #[inline]
    pub(super) fn recency_of(&self, quiet: Quiet, from: Timestamp, now: Timestamp) -> f32 {
        self.recency_in(quiet, days_between(from, now) as f32)
    }

    /// The same in so many days.
    #[inline]
    fn recency_in(&self, quiet: Quiet, days: f32) -> f32 {
        match quiet.days() {
            Some(quiet) => self.recency.factor_of_days(quiet, days),
            None => 1.0, // its age is not known
        }
    }

    /// How long a page of that site has been quiet, where that says something of it.
    #[inline]
    pub(super) fn telling(&self, site: Followed<'_>, quiet: Quiet) -> Quiet {
        if self.law == Law::Learned && site.is_steady() {
            quiet
        } else {
            Quiet::NEVER_CHANGED
        }
    }

    fn of_collection(&self) -> OfCollection {
        OfCollection {
            changes: self.collection_changes(),
            falls: self.falls,
        }
    }

    /// What is known of a site's rate.
    fn known(&self, site: &Site) -> SiteRate {
        self.of_collection().known(site)
    }

    fn cycles_since(&self, activity: &Activity) -> u32 {
        (self.calendar.len() - 1 - activity.since()) as u32
    }

    /// Has what is known of a page brought near: memory answers to many pages
    /// at a time if it is asked for all before the first is waited for.
    #[inline]
    pub(super) fn ask_memory(&self, collection: &Collection, page: PageId) {
        black_box(collection.summary(page).site());
        self.ask_own_memory(page);
    }

    /// The same without its summary.
    #[inline]
    fn ask_own_memory(&self, page: PageId) {
        black_box(self.evidence(page));
        if self.forgetting.is_needed() {
            black_box(self.ways.of(page).chance);
        }
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
        let more = collection.sites().saturating_sub(self.sites.len());
        self.sites.reserve_exact(more); // not twice as many
        self.sites
            .extend((0..more).map(|_| Site::new(hierarchy.unknown_site())));
        let is_new = |(index, site): &(usize, &mut Site)| {
            let size = collection.site_size(SiteId(*index as u32));
            site.place().is_none() && size >= LEAST_PAGES
        };
        let more = self.sites.iter_mut().enumerate().filter(is_new).count();
        if more > 0 {
            self.activities.reserve_exact(more);
            let start = self.calendar.at(0);
            let plain: BusyDays = (0..self.calendar.len())
                .map(|at| self.calendar.at(at).days_since(start) as f32)
                .collect();
            for (_, site) in self.sites.iter_mut().enumerate().filter(is_new) {
                let storms = Storms::new(self.storm_chance);
                let activity = Activity::new(self.law_weights, storms, plain.clone());
                self.activities.push(activity);
                site.follow(self.activities.len());
            }
        }
    }
}

/// What the collection has to say of each site.
#[derive(Debug, Clone, Copy)]
struct OfCollection {
    /// Changes it counts for where a site's rate is learned.
    changes: f64,
    /// Chance a cycle that a site falls silent.
    falls: f32,
}

impl OfCollection {
    /// What is known of a site's rate.
    fn known(self, site: &Site) -> SiteRate {
        SiteRate {
            rate: site.prior().mean,
            doubt: RateDoubt::of(site.changes(self.changes)),
            falls: if is_lively(site) { self.falls } else { 0.0 },
        }
    }
}

/// Whether a site's own changes tell that it is not just slow.
fn is_lively(site: &Site) -> bool {
    site.changes(0.0) >= LIVELY
}
