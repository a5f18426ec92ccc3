//! The claims of many pages at once.

use recrawl_estimate::GammaFilter;
use recrawl_model::{PageId, Timestamp};

use super::planner::BayesPlanner;
use super::view::View;
use super::waited::Waited;
use crate::{Collection, Objective};

/// Pages worked on together: their numbers stay in the nearest cache.
const BLOCK: usize = 128;

/// Numbers of pages side by side, in which [`View`] has them one by one.
struct Block {
    pages: [PageId; BLOCK],
    len: usize,
    collection_changes: f64,
    /// Shape and weight (days) of each belief.
    shape: [f32; BLOCK],
    weight: [f32; BLOCK],
    /// Busy days since each was seen.
    days: [f32; BLOCK],
    /// Chance that each has kept its ways.
    kept: [f32; BLOCK],
    stake: [f32; BLOCK],
}

/// Tells the claim of each of these pages at `now`, as [`View::claim`] has it.
pub(super) fn claims_of(
    planner: &BayesPlanner,
    collection: &Collection,
    now: Timestamp,
    pages: impl Iterator<Item = PageId>,
    mut tell: impl FnMut(PageId, f32),
) {
    if planner.objective != Objective::Changes {
        for page in pages {
            let view = View::new(planner, collection, page, now);
            tell(
                page,
                view.map_or(0.0, |view| view.claim(view.busy())) as f32,
            );
        }
        return;
    }
    let mut block = Block::new(planner.knowledge.collection_changes());
    for page in pages {
        block.push(planner, collection, page, now);
        if block.len == BLOCK {
            block.flush(planner, &mut tell);
        }
    }
    block.flush(planner, &mut tell);
}

impl Block {
    const fn new(collection_changes: f64) -> Self {
        Self {
            collection_changes,
            pages: [PageId(0); BLOCK],
            len: 0,
            shape: [1.0; BLOCK],
            weight: [1.0; BLOCK],
            days: [1.0; BLOCK],
            kept: [1.0; BLOCK],
            stake: [1.0; BLOCK],
        }
    }

    fn push(
        &mut self,
        planner: &BayesPlanner,
        collection: &Collection,
        page: PageId,
        now: Timestamp,
    ) {
        let knowledge = &planner.knowledge;
        let summary = collection.summary(page);
        let Some(site) = knowledge.sites.get(summary.site().index()) else {
            return;
        };
        let from = summary.last().unwrap_or_else(|| knowledge.calendar.at(0));
        let wait = site.wait(&knowledge.calendar, from, now);
        let [changes, days] = knowledge.evidence(page).numbers();
        let prior = site.page_prior(self.collection_changes);
        let at = self.len;
        self.pages[at] = page;
        let (shape, weight) = (prior.shape + changes, prior.weight() + days);
        let mut wait = wait.past + wait.open * site.busy();
        if let Some(word) = knowledge.hints.about(page, summary.site())
            && let Ok(belief) = GammaFilter::new(shape, weight)
        {
            wait = word.as_days(belief, wait);
        }
        self.shape[at] = shape as f32;
        self.weight[at] = weight as f32;
        self.days[at] = wait as f32;
        self.kept[at] = knowledge.kept(from, now) as f32;
        self.stake[at] = (collection.weight(page) * summary.back_off()) as f32;
        self.len += 1;
    }

    /// Tells the claims of the block and empties it.
    fn flush(&mut self, planner: &BayesPlanner, tell: &mut impl FnMut(PageId, f32)) {
        let len = std::mem::take(&mut self.len);
        let mut waited = [Waited::default(); BLOCK];
        for (index, waited) in waited.iter_mut().enumerate() {
            *waited = Waited::new(self.shape[index], self.days[index] / self.weight[index]);
        }
        let mut worth = [0.0; BLOCK];
        if planner.exploration.is_ready() {
            worth = planner.exploration.of_knowing(&self.shape, &self.weight);
            for (index, worth) in worth.iter_mut().enumerate() {
                *worth *= self.kept[index] * waited[index].resolved();
            }
        }
        if let Some(any) = planner.knowledge.other_ways() {
            let (shape, weight) = (any.shape() as f32, any.weight() as f32);
            for (index, waited) in waited.iter_mut().enumerate() {
                let anew = Waited::new(shape, self.days[index] / weight);
                *waited = waited.mixed(anew, self.kept[index]);
            }
        }
        for index in 0..len {
            let claim = self.stake[index] * (waited[index].urgency + worth[index]);
            tell(self.pages[index], if claim > 0.0 { claim } else { 0.0 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::planner::tests::after_cycles;

    #[test]
    fn the_claims_of_many_pages_are_those_of_each() {
        let (planner, collection, now) = after_cycles(4);
        let pages = (0..collection.slots() as u32).map(PageId);
        let mut told = 0;
        claims_of(&planner, &collection, now, pages, |page, claim| {
            let view = View::new(&planner, &collection, page, now).expect("a cycle has begun");
            let careful = view.claim(view.busy());
            let off = (f64::from(claim) - careful).abs();
            assert!(off < 1e-5 + 1e-3 * careful, "{page:?}: {claim} {careful}");
            told += 1;
        });
        assert_eq!(told, collection.slots());
    }
}
