//! How cycles begin and end.

use recrawl_model::{PageId, Timestamp};

use super::{Knowledge, is_lively};
use crate::Collection;
use crate::bayes::activity::{Activity, SiteRate};
use crate::bayes::burst_law::pooled;
use crate::bayes::calendar::Calendar;
use crate::bayes::hierarchy::Hierarchy;
use crate::bayes::{silence, storm};

/// Boundaries that room is made for at once.
const MORE_BOUNDARIES: usize = 11;

impl Knowledge {
    /// Ends the cycle before and begins the one that is planned at `now`.
    pub(in crate::bayes) fn begin_cycle(&mut self, collection: &Collection, now: Timestamp) {
        if let Some(began) = self.began.replace(now) {
            let days = now.days_since(began);
            if days > 0.0 {
                self.cycle_days = days;
            }
            // What visits tell ends with them: a site may have got busy since.
            if let Some(latest) = self.latest.take() {
                self.calendar.put_off_last(latest);
            }
        } else {
            self.start(collection, now);
            if let Some(latest) = self.latest.take() {
                self.mark(latest.min(now));
            }
        }
        self.grow_pages(collection.slots());
        self.grow_sites(collection);
        self.close(collection);
        self.mark(now);
        self.open(now);
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
        let thinning = self.calendar.thinning();
        if let Some(thinning) = thinning {
            self.calendar.thin(thinning);
        }
        let boundaries = self.calendar.len();
        for activity in &mut self.activities {
            if let Some(thinning) = thinning {
                thinning.thin(&mut activity.busy);
                activity.set_since(thinning.moved(activity.since()));
            }
            let last = activity.busy.last().copied().unwrap_or(0.0);
            if boundaries > activity.busy.capacity() {
                activity.busy.reserve_exact(MORE_BOUNDARIES); // not twice as many
            }
            activity.busy.resize(boundaries, last);
        }
    }

    /// Ends what ran since the last boundary: how busy sites were, what pages
    /// did, how alike they are.
    fn close(&mut self, collection: &Collection) {
        let end = self.calendar.len() - 1;
        self.each_followed(|activity, known, calendar| {
            let since = activity.since();
            let level = activity.close((end - since) as u32, known);
            // Cycles without a look count as usual: those before are filled in.
            let new = if activity.looked() > 0 {
                since
            } else {
                end.saturating_sub(1)
            };
            for boundary in since.max(new) + 1..=end {
                let days = calendar.at(boundary).days_since(calendar.at(since));
                activity.busy[boundary] = activity.busy[since] + (level * days) as f32;
            }
            if activity.looked() > 0 {
                activity.set_since(end);
            }
        });
        self.recency.set_cycle(self.cycle_days);
        self.settle(collection);
        self.judge_forgetting();
        self.recency.end_cycle();
        self.neighbours.end_cycle();
        self.learn_rates(collection);
        self.storm_chance = storm::pooled(self.activities.iter().map(|activity| activity.storms));
        let lively = self.sites.iter().filter(|site| is_lively(site));
        let activities = lively.filter_map(|site| self.activities.get(site.place()?));
        self.falls = silence::pooled(
            activities.map(|activity| (activity.silence.before(), activity.storms.watched())),
        );
        let (weights, storm) = (self.law_weights, self.storm_chance);
        for activity in &mut self.activities {
            activity.reweigh(weights, storm);
        }
        let told = self
            .activities
            .iter()
            .filter(|activity| activity.is_telling());
        self.law_weights = pooled(told.map(|activity| activity.weights));
    }

    /// Opens the cycle that is planned at `now`.
    fn open(&mut self, now: Timestamp) {
        let end = self.calendar.len() - 1;
        let cycle_days = self.cycle_days;
        self.each_followed(|activity, known, calendar| {
            let days = now.days_since(calendar.at(activity.since()));
            // Live visits may be made until the cycle ends.
            let days = days.max(cycle_days);
            activity.open((end - activity.since()) as u32, days, known);
        });
        self.news.clear();
        self.stirred.clear();
    }

    /// Has something done with each activity that is followed, what is known of its
    /// site's rate, and the calendar.
    fn each_followed(&mut self, mut work: impl FnMut(&mut Activity, SiteRate, &Calendar)) {
        let of_collection = self.of_collection();
        for site in &self.sites {
            if let Some(place) = site.place() {
                let known = of_collection.known(site);
                work(&mut self.activities[place], known, &self.calendar);
            }
        }
    }
}
