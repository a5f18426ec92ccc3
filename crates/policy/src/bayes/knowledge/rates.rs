//! The rates of sites and of the collection, learned when a cycle is closed.

use recrawl_model::SiteId;

use super::Knowledge;
use crate::Collection;
use crate::bayes::hierarchy::Told;
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
        let mut sample = Vec::new();
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
            match hierarchy.site(site.prior(), &sample, stride as f64) {
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
