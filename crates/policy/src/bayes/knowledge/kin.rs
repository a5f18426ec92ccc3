//! What folders and names tell of pages, learned when a cycle is closed.

use recrawl_model::{Kin, PageId};

use super::Knowledge;
use crate::Collection;
use crate::bayes::columns::BLOCK;
use crate::bayes::evidence::Prior;
use crate::bayes::kinship::{By, Sums};

/// Most pages that folders and names are learned from.
const LEARNED_FROM: usize = 1 << 20;

impl Knowledge {
    /// Times as likely as others of its site a page is to change, by its name.
    #[inline]
    pub(in crate::bayes) fn kin_factor(&self, collection: &Collection, page: PageId) -> f32 {
        if self.kinship.is_heeded() {
            self.kinship.factor(collection.kin(page))
        } else {
            1.0
        }
    }

    /// Learns what folders and names tell, where pages have names and enough was seen
    /// since it was learned.
    pub(super) fn learn_kin(&mut self, collection: &Collection) {
        if collection.has_kin() && self.kinship.is_due() {
            for by in By::ALL {
                let sums = self.shown_by(by, collection);
                self.kinship.learn(by, &sums);
            }
        }
    }

    /// What pages have shown, by folder or by name, beside what is expected of them
    /// without it.
    fn shown_by(&mut self, by: By, collection: &Collection) -> Sums {
        let stride = collection.slots().div_ceil(LEARNED_FROM).max(1);
        let mut sums = Sums::new();
        let mut beliefs = std::mem::take(&mut self.beliefs);
        let mut rows: Vec<(Kin, Prior)> = Vec::with_capacity(BLOCK);
        let pages = (0..collection.slots() as u32).map(PageId).step_by(stride);
        for page in pages {
            let (evidence, kin) = (self.evidence(page), collection.kin(page));
            let Some(site) = self.site(collection.summary(page).site()) else {
                continue;
            };
            if evidence.is_none() || by.slot(kin) == 0 {
                continue;
            }
            let prior = site.prior().times(self.kinship.factor(kin));
            beliefs.set(rows.len(), prior, evidence);
            rows.push((kin, prior));
            if rows.len() == BLOCK {
                self.add_shown(by, &mut rows, &mut beliefs, &mut sums);
            }
        }
        self.add_shown(by, &mut rows, &mut beliefs, &mut sums);
        self.beliefs = beliefs;
        sums
    }

    /// Adds a block of pages: what they count for under their priors.
    fn add_shown(
        &self,
        by: By,
        rows: &mut Vec<(Kin, Prior)>,
        beliefs: &mut crate::bayes::shown_columns::Beliefs,
        sums: &mut Sums,
    ) {
        beliefs.reckon(rows.len());
        for (at, (kin, prior)) in rows.drain(..).enumerate() {
            let (shape, weight) = (prior.shape as f32, prior.weight() as f32);
            let found = (beliefs.shape[at] - shape).max(0.0);
            let days = (beliefs.weight[at] - weight).max(0.0);
            let expected = prior.mean as f32 * days / self.kinship.factor_by(by, kin);
            sums.add(by.slot(kin), found, expected, shape);
        }
    }
}
