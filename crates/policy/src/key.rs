//! Claims and pages as numbers in order: [`Key`].

use recrawl_model::PageId;

/// An odd number, and the number it makes 1 with, modulo 2^32: they scramble
/// page numbers and bring them back. The first is 2^32 over the golden ratio.
const SCRAMBLE: u32 = 0x9E37_79B9;
const UNSCRAMBLE: u32 = 0x144C_BC89;

/// A page with its claim: the smaller the key, the stronger the claim. Ties are
/// in an order that a [`Salt`] decides.
///
/// The claim is in the upper half, the scrambled page number in the lower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(u64);

/// Decides between equal claims; drawn by chance.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Salt(u32);

impl Key {
    /// No key is larger.
    pub(crate) const WEAKEST: Self = Self(u64::MAX);

    /// The claim.
    pub(crate) fn claim(self) -> f32 {
        rising((self.0 >> 32) as u32)
    }
}

impl Salt {
    pub(crate) const fn new(drawn: u32) -> Self {
        Self(drawn)
    }

    /// The key of a page.
    pub(crate) fn key(self, claim: f32, page: PageId) -> Key {
        let tie = (page.0 ^ self.0).wrapping_mul(SCRAMBLE);
        Key(u64::from(falling(claim)) << 32 | u64::from(tie))
    }

    /// The page of a key that was made with this salt.
    pub(crate) fn page(self, key: Key) -> PageId {
        PageId((key.0 as u32).wrapping_mul(UNSCRAMBLE) ^ self.0)
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

    #[test]
    fn scrambling_is_undone() {
        assert_eq!(SCRAMBLE.wrapping_mul(UNSCRAMBLE), 1);
    }

    proptest! {
        #[test]
        fn stronger_claims_have_smaller_keys(
            a in -1e30f32..1e30, b in -1e30f32..1e30, page: u32, salt: u32,
        ) {
            let (salt, page) = (Salt::new(salt), PageId(page));
            let (one, other) = (salt.key(a, page), salt.key(b, page));
            prop_assert_eq!(a > b, one < other);
            prop_assert_eq!((one.claim(), salt.page(one)), (a, page));
        }
    }
}
