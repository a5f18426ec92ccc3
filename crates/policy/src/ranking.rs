//! The pages with the strongest claims: [`Ranking`].

use rand::RngExt;
use recrawl_model::PageId;

use crate::key::{Key, Salt};
use crate::{BATCH, Collection, Desk};

/// The pages that a cycle can afford, strongest claim first, ties in an order
/// drawn by chance. Takes time linear in pages, and memory by downloads: at
/// most sixteen bytes for each that is affordable, or eight a page.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    keys: Vec<Key>,
    salt: Salt,
    place: usize,
}

impl Ranking {
    /// Ranks the pages that may be asked for by `claim`; pages without one are
    /// left out.
    pub(crate) fn rank(
        &mut self,
        desk: &mut Desk<'_>,
        claim: impl Fn(&Collection, PageId) -> Option<f64>,
    ) {
        self.salt = Salt::new(desk.chance.random());
        self.place = 0;
        self.keys.clear();
        let affordable = usize::try_from(desk.downloads_left()).unwrap_or(usize::MAX);
        if affordable == 0 {
            return; // a log replayed: no need to go through all pages
        }
        let full = affordable.saturating_mul(2).max(BATCH);
        let mut weakest = Key::WEAKEST;
        let collection = desk.collection();
        for slot in 0..collection.slots() as u32 {
            let page = PageId(slot);
            if !desk.is_open(page) {
                continue;
            }
            let Some(claim) = claim(collection, page) else {
                continue;
            };
            let key = self.salt.key(claim as f32, page);
            if key < weakest {
                if self.keys.len() == full {
                    weakest = self.keep(affordable);
                }
                self.keys.push(key);
            }
        }
        self.keep(affordable);
        self.keys.sort_unstable();
    }

    /// Keeps the strongest claims; returns the strongest that was not kept.
    fn keep(&mut self, affordable: usize) -> Key {
        if affordable >= self.keys.len() {
            return Key::WEAKEST;
        }
        let (_, &mut weakest, _) = self.keys.select_nth_unstable(affordable);
        self.keys.truncate(affordable);
        weakest
    }

    /// Asks for the next pages of the ranking.
    pub(crate) fn next(&mut self, desk: &mut Desk<'_>) {
        let looked_at = desk.ask_each(self.pages().skip(self.place));
        self.place += looked_at;
    }

    /// The pages ranked, strongest claim first.
    pub(crate) fn pages(&self) -> impl Iterator<Item = PageId> {
        self.keys.iter().map(|&key| self.salt.page(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use recrawl_model::{Budget, SiteId, Timestamp, Weight};

    use crate::Ledger;

    #[test]
    fn the_strongest_claims_of_many_are_kept_in_order() {
        let mut collection = Collection::new();
        for _ in 0..40_000 {
            collection.add(SiteId(0), Weight::ONE);
        }
        let claim = |page: PageId| f64::from(page.0.wrapping_mul(2_654_435_761) >> 8);
        let mut expected: Vec<PageId> = (0..40_000).map(PageId).collect();
        expected.sort_by(|&a, &b| claim(b).total_cmp(&claim(a)));
        for budget in [0, 1, 5_000, 39_999, 50_000] {
            let (mut ledger, mut chance) = (Ledger::default(), Pcg64Mcg::seed_from_u64(1));
            ledger.begin(Budget::downloads(budget), &collection);
            let now = Timestamp::from_seconds(0);
            let mut desk = Desk::new(now, &mut collection, &mut ledger, &mut chance, None);
            let mut ranking = Ranking::default();
            ranking.rank(&mut desk, |_, page| Some(claim(page)));
            let pages: Vec<PageId> = ranking.pages().collect();
            assert_eq!(pages, expected[..40_000.min(budget as usize)], "{budget}");
        }
    }
}
