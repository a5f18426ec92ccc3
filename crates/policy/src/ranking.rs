//! The pages with the strongest claims: [`Ranking`].

use rand::RngExt;
use recrawl_model::PageId;

use crate::{BATCH, Collection, Desk};

/// An odd number, and the number it makes 1 with, modulo 2^32: they scramble
/// page numbers and bring them back. The first is 2^32 over the golden ratio.
const SCRAMBLE: u32 = 0x9E37_79B9;
const UNSCRAMBLE: u32 = 0x144C_BC89;

/// The pages that a cycle can afford, strongest claim first, ties in an order
/// drawn by chance. Takes time linear in pages, and memory by downloads: at
/// most sixteen bytes for each that is affordable, or eight a page.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    /// Claim in the upper half, the smaller the stronger; scrambled page
    /// number in the lower.
    keys: Vec<u64>,
    salt: u32,
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
        self.salt = desk.chance.random();
        self.place = 0;
        self.keys.clear();
        let affordable = usize::try_from(desk.downloads_left()).unwrap_or(usize::MAX);
        if affordable == 0 {
            return; // a log replayed: no need to go through all pages
        }
        let full = affordable.saturating_mul(2).max(BATCH);
        let mut weakest = u64::MAX;
        let collection = desk.collection();
        for slot in 0..collection.slots() as u32 {
            let page = PageId(slot);
            if !desk.is_open(page) {
                continue;
            }
            let Some(claim) = claim(collection, page) else {
                continue;
            };
            let tie = (slot ^ self.salt).wrapping_mul(SCRAMBLE);
            let key = u64::from(falling(claim as f32)) << 32 | u64::from(tie);
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
    fn keep(&mut self, affordable: usize) -> u64 {
        if affordable >= self.keys.len() {
            return u64::MAX;
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

    /// The weakest claim ranked; `None` if there is none.
    pub(crate) fn weakest(&self) -> Option<f64> {
        let key = self.keys.last()?;
        Some(f64::from(rising((key >> 32) as u32)))
    }

    /// The pages ranked, strongest claim first.
    pub(crate) fn pages(&self) -> impl Iterator<Item = PageId> {
        let page = |&key: &u64| PageId((key as u32).wrapping_mul(UNSCRAMBLE) ^ self.salt);
        self.keys.iter().map(page)
    }
}

/// Bits whose order as whole numbers is the falling order of claims.
fn falling(claim: f32) -> u32 {
    let bits = claim.to_bits();
    let rising = if bits >> 31 == 1 {
        !bits
    } else {
        bits | 1 << 31
    };
    !rising
}

/// The claim whose [`falling`] bits these are.
fn rising(bits: u32) -> f32 {
    let rising = !bits;
    f32::from_bits(if rising >> 31 == 1 {
        rising & !(1 << 31)
    } else {
        !rising
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use recrawl_model::{Budget, SiteId, Timestamp, Weight};

    use crate::Ledger;

    #[test]
    fn scrambling_is_undone() {
        assert_eq!(SCRAMBLE.wrapping_mul(UNSCRAMBLE), 1);
    }

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

    proptest! {
        #[test]
        fn stronger_claims_have_smaller_bits(a in -1e30f32..1e30, b in -1e30f32..1e30) {
            prop_assert_eq!(a > b, falling(a) < falling(b));
            prop_assert_eq!(rising(falling(a)), a);
        }
    }
}
