//! What a policy works with while it plans: [`Desk`].

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use recrawl_model::{Cost, PageId, SiteId, Timestamp, VisitKind};

use crate::{BATCH, Collection, Ledger, Truth};

/// The pages, the budget, the time and the chance a policy plans with. Asking
/// goes through it, and it refuses what the budget or the cycle does not allow.
pub struct Desk<'a> {
    /// The time of the decision.
    pub now: Timestamp,
    /// The generator all chance comes from.
    pub chance: &'a mut Pcg64Mcg,
    collection: &'a mut Collection,
    ledger: &'a mut Ledger,
    truth: Option<&'a dyn Truth>,
    /// What this part of a policy must leave unspent.
    reserve: Cost,
}

impl<'a> Desk<'a> {
    /// A desk that may spend all that the ledger has left.
    pub fn new(
        now: Timestamp,
        collection: &'a mut Collection,
        ledger: &'a mut Ledger,
        chance: &'a mut Pcg64Mcg,
        truth: Option<&'a dyn Truth>,
    ) -> Self {
        Self {
            now,
            chance,
            collection,
            ledger,
            truth,
            reserve: Cost::ZERO,
        }
    }

    /// The same desk with `reserve` put aside.
    pub fn keeping(&mut self, reserve: Cost) -> Desk<'_> {
        Desk {
            now: self.now,
            chance: self.chance,
            collection: self.collection,
            ledger: self.ledger,
            truth: self.truth,
            reserve: self.reserve + reserve,
        }
    }

    /// The pages.
    #[must_use]
    pub const fn collection(&self) -> &Collection {
        self.collection
    }

    /// What only a simulator knows; `None` in the open.
    #[must_use]
    pub const fn truth(&self) -> Option<&'a dyn Truth> {
        self.truth
    }

    /// What may still be spent.
    #[must_use]
    pub fn left(&self) -> Cost {
        self.ledger.budget().left() - self.reserve
    }

    /// Downloads that may still be asked for.
    #[must_use]
    pub fn downloads_left(&self) -> u64 {
        self.left().pays_for(Cost::DOWNLOAD)
    }

    /// Turns the batch, still empty, into one of samples that cost `cost`
    /// each. At the cost of a download a sample is one.
    pub fn open_samples(&mut self, cost: Cost) {
        let kind = if cost < Cost::DOWNLOAD {
            VisitKind::Sample
        } else {
            VisitKind::Download
        };
        self.ledger.open(kind, cost);
    }

    /// Turns the batch, still empty, back into one of downloads.
    pub fn open_downloads(&mut self) {
        self.ledger.open_downloads();
    }

    /// Visits the batch can still take.
    #[must_use]
    pub fn room(&self) -> usize {
        let affordable = usize::try_from(self.ledger.affordable(self.reserve));
        let space = BATCH.saturating_sub(self.ledger.batch().len());
        affordable.unwrap_or(usize::MAX).min(space)
    }

    /// Whether the batch has no visit yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ledger.batch().is_empty()
    }

    /// Asks for a page. `false` if the batch is full, or the page was asked for
    /// in this cycle, is in flight or gone.
    pub fn ask(&mut self, page: PageId) -> bool {
        self.room() > 0 && self.ledger.push(page)
    }

    /// Whether a page may still be asked for in this cycle.
    pub(crate) fn is_open(&self, page: PageId) -> bool {
        self.ledger.is_open(page)
    }

    /// As [`Self::ask`] where the caller keeps count of the room.
    pub(crate) fn push(&mut self, page: PageId) -> bool {
        self.ledger.push(page)
    }

    /// Asks for pages in order until the batch is full; returns how many were
    /// looked at.
    pub fn ask_each(&mut self, pages: impl IntoIterator<Item = PageId>) -> usize {
        let mut room = self.room();
        let mut looked_at = 0;
        for page in pages {
            if room == 0 {
                break;
            }
            room -= usize::from(self.ledger.push(page));
            looked_at += 1;
        }
        looked_at
    }

    /// Asks for downloads of the pages whose samples saw a change.
    pub fn ask_changed_samples(&mut self) {
        self.ledger.push_changed_samples(self.room());
    }

    /// Asks for up to `count` pages of a site at random, without putting back.
    /// `drawn` counts the site's pages drawn in this cycle and moves on.
    /// Returns how many were asked for; fewer than `count` if the batch is
    /// full or the site has no more.
    pub fn draw(&mut self, site: SiteId, drawn: &mut u32, count: u32) -> u32 {
        let size = self.collection.site_size(site);
        let rest = size.saturating_sub(*drawn);
        let mut room = self.room() as u64;
        if count >= rest && self.ledger.affordable(self.reserve) >= u64::from(rest) {
            let members = self.collection.members(site);
            let members = members.get(*drawn as usize..).unwrap_or_default(); // some may have left
            let before = self.ledger.batch().len();
            *drawn += self.ledger.push_each(members, room as usize) as u32;
            return (self.ledger.batch().len() - before) as u32;
        }
        let mut asked = 0;
        while asked < count && *drawn < size && room > 0 {
            // A fresh choice, or the same pages would be left out for ever.
            let other = self.chance.random_range(*drawn..size);
            self.collection.swap_members(site, *drawn, other);
            let page = self.collection.members(site)[*drawn as usize];
            *drawn += 1;
            if self.ledger.push(page) {
                asked += 1;
                room -= 1;
            }
        }
        asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use recrawl_model::{Budget, Weight};

    #[test]
    fn a_site_that_lost_pages_after_they_were_drawn_has_no_more() {
        let mut collection = Collection::new();
        for _ in 0..3 {
            collection.add(SiteId(0), Weight::ONE);
        }
        collection.settle();
        let mut ledger = Ledger::default();
        ledger.begin(Budget::downloads(10), &collection);
        collection.remove(PageId(1));
        let mut chance = Pcg64Mcg::seed_from_u64(1);
        let now = Timestamp::from_seconds(0);
        let mut desk = Desk::new(now, &mut collection, &mut ledger, &mut chance, None);
        let mut drawn = 3;
        assert_eq!((desk.draw(SiteId(0), &mut drawn, u32::MAX), drawn), (0, 3));
    }
}
