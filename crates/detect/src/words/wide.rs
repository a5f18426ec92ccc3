//! 32 bytes at a time, on machines that have AVX2.

use std::arch::x86_64::__m256i;

use pulp::x86::V3;
use pulp::{Arch, NullaryFnOnce, cast};

use super::{Within, words_length_by};

/// Bytes looked at together.
const LANES: usize = 32;

/// Which bytes may end words: those whose lower and upper half of four bits have
/// a kind in common. A bit is a kind.
struct Kinds {
    lower: [u8; 16],
    upper: [u8; 16],
}

/// Bytes below 0x20; 0xc2; 0xe2 and 0xe3.
const TEXT: Kinds = {
    let mut kinds = Kinds {
        lower: [1; 16],
        upper: [0; 16],
    };
    kinds.upper[0x0] = 1;
    kinds.upper[0x1] = 1;
    kinds.upper[0xc] = 2;
    kinds.lower[0x2] |= 2 | 4;
    kinds.upper[0xe] = 4;
    kinds.lower[0x3] |= 4;
    kinds
};

/// And `&`, which is 0x26, and `<`, which is 0x3c.
const MARKUP: Kinds = {
    let mut kinds = TEXT;
    kinds.upper[0x2] = 8;
    kinds.lower[0x6] |= 8;
    kinds.upper[0x3] = 16;
    kinds.lower[0xc] |= 16;
    kinds
};

/// As [`super::words_length`]; none where the machine cannot.
pub(super) fn words_length(text: &[u8], within: Within) -> Option<usize> {
    let simd = match Arch::new() {
        Arch::V3(simd) => simd, // known, without asking the machine again
        _ => V3::try_new()?,
    };
    Some(simd.vectorize(Search { simd, text, within }))
}

struct Search<'a> {
    simd: V3,
    text: &'a [u8],
    within: Within,
}

impl NullaryFnOnce for Search<'_> {
    type Output = usize;

    #[expect(clippy::inline_always, reason = "compiled for what calls it")]
    #[inline(always)]
    fn call(self) -> usize {
        let simd = self.simd;
        words_length_by(
            self.text,
            self.within,
            #[inline(always)]
            |text, at, within| next_end(simd, text, at, within),
        )
    }
}

/// As [`super::next_end`].
#[expect(clippy::inline_always, reason = "compiled for what calls it")]
#[inline(always)]
fn next_end(simd: V3, text: &[u8], mut at: usize, within: Within) -> usize {
    let kinds = match within {
        Within::Text => &TEXT,
        Within::Markup => &MARKUP,
    };
    let (avx, avx2) = (simd.avx, simd.avx2);
    let twice = |half: [u8; 16]| -> __m256i { cast([half, half]) };
    let (lower, upper) = (twice(kinds.lower), twice(kinds.upper));
    let half = avx._mm256_set1_epi8(0x0f);
    let space = avx._mm256_set1_epi8(b' ' as i8);
    let none = avx._mm256_setzero_si256();
    while let Some(bytes) = text[at..].first_chunk::<{ LANES + 1 }>() {
        let [here @ .., _] = *bytes;
        let [_, next @ ..] = *bytes;
        let (here, next): (__m256i, __m256i) = (cast(here), cast(next));
        let low = avx2._mm256_and_si256(here, half);
        let high = avx2._mm256_and_si256(avx2._mm256_srli_epi16::<4>(here), half);
        let kind = avx2._mm256_and_si256(
            avx2._mm256_shuffle_epi8(lower, low),
            avx2._mm256_shuffle_epi8(upper, high),
        );
        let spaces = avx2._mm256_and_si256(
            avx2._mm256_cmpeq_epi8(here, space),
            avx2._mm256_cmpeq_epi8(next, space),
        );
        let found = avx2._mm256_or_si256(kind, spaces);
        let ends = !avx2._mm256_movemask_epi8(avx2._mm256_cmpeq_epi8(found, none));
        if ends != 0 {
            return at + ends.trailing_zeros() as usize;
        }
        at += LANES;
    }
    super::next_end(text, at, within)
}
