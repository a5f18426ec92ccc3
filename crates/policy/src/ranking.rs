//! The pages with the strongest claims: [`Ranking`].

use rand::RngExt;
use recrawl_model::PageId;

use crate::{Collection, Desk};

/// An odd number, and the number it makes 1 with, modulo 2^32: they scramble
/// page numbers and bring them back. The first is 2^32 over the golden ratio.
const SCRAMBLE: u32 = 0x9E37_79B9;
const UNSCRAMBLE: u32 = 0x144C_BC89;

/// The pages that a cycle can afford, strongest claim first, ties in an order
/// drawn by chance. Takes time linear in pages, and eight bytes a page while
/// it ranks.
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
        let collection = desk.collection();
        for slot in 0..collection.slots() as u32 {
            let page = PageId(slot);
            if desk.is_open(page)
                && let Some(claim) = claim(collection, page)
            {
                let tie = (slot ^ self.salt).wrapping_mul(SCRAMBLE);
                self.keys
                    .push(u64::from(falling(claim as f32)) << 32 | u64::from(tie));
            }
        }
        let affordable = usize::try_from(desk.downloads_left()).unwrap_or(usize::MAX);
        if affordable < self.keys.len() {
            self.keys.select_nth_unstable(affordable);
            self.keys.truncate(affordable);
        }
        self.keys.sort_unstable();
    }

    /// Asks for the next pages of the ranking.
    pub(crate) fn next(&mut self, desk: &mut Desk<'_>) {
        let salt = self.salt;
        let pages = self.keys[self.place..]
            .iter()
            .map(|&key| PageId((key as u32).wrapping_mul(UNSCRAMBLE) ^ salt));
        self.place += desk.ask_each(pages);
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scrambling_is_undone() {
        assert_eq!(SCRAMBLE.wrapping_mul(UNSCRAMBLE), 1);
    }

    proptest! {
        #[test]
        fn stronger_claims_have_smaller_bits(a in -1e30f32..1e30, b in -1e30f32..1e30) {
            prop_assert_eq!(a > b, falling(a) < falling(b));
        }
    }
}
