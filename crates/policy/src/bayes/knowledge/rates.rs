//! The rates of sites and of the collection, learned when a cycle is closed.

use recrawl_model::SiteId;

use super::Knowledge;
use crate::Collection;
use crate::bayes::calendar::days_between;
use crate::bayes::hierarchy::Told;
use crate::bayes::members::Members;
use crate::bayes::site::Site;

/// Most pages of a site that its rate is learned from, and most sites that the
/// collection's is.
const LEARNED_FROM: usize = 1_024;
const SITES_LEARNED_FROM: usize = 4_096;

/// How far, in logarithms, the collection's mean moves before sites of which
/// little is known are learned anew without news of their own.
const MOVED: f64 = 0.03;

impl Knowledge {
    /// Learns the rates of sites that saw enough, and of the collection.
    pub(super) fn learn_rates(&mut self, collection: &Collection) {
        let (Some(mut hierarchy), Some(now)) = (self.hierarchy.take(), self.calendar.last()) else {
            return;
        };
        let moved = (hierarchy.sites.mean / self.leant_on).ln().abs() > MOVED;
        if moved {
            self.leant_on = hierarchy.sites.mean;
        }
        let mut learned = false;
        let (mut shown, mut sample) = (Vec::new(), Members::default());
        let (needed, cycles_a_day) = (self.forgetting.is_needed(), 1.0 / self.cycle_days);
        for (index, site) in self.sites.iter_mut().enumerate() {
            if site.intervals == 0 {
                site.set_prior(hierarchy.unknown_site());
                continue;
            }
            if !(site.is_due() || moved && site.leans_on_others()) {
                continue;
            }
            let members = collection.members(SiteId(index as u32));
            let stride = members.len().div_ceil(LEARNED_FROM).max(1);
            // Only what must be read: memory answers to many pages at a time.
            shown.clear();
            shown.extend(members.iter().step_by(stride).map(|&page| {
                let evidence = self.evidence[page.index()];
                if !needed {
                    return (evidence, now);
                }
                (evidence, collection.summary(page).last().unwrap_or(now))
            }));
            sample.clear();
            for &(evidence, last) in shown.iter().filter(|page| !page.0.is_none()) {
                let cycles = days_between(last, now) * cycles_a_day;
                sample.push_page(evidence, cycles as f32);
            }
            sample.fade(self.forgetting.chance() as f32);
            match hierarchy.site(site.prior(), &mut sample, stride as f64) {
                Some(told) => site.learn(told),
                None => site.set_prior(hierarchy.unknown_site()),
            }
            learned = true;
        }
        if learned {
            let stride = self.sites.len().div_ceil(SITES_LEARNED_FROM).max(1);
            let some = self.sites.iter().step_by(stride);
            let told: Vec<Told> = some.filter_map(Site::told).collect();
            hierarchy.learn(&told, self.cycle_days);
        }
        self.any = hierarchy.any_page().belief();
        self.hierarchy = Some(hierarchy);
    }
}
