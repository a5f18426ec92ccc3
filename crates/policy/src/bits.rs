//! One bit a page.

/// A growing row of bits, one a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Makes room for `pages` bits; new ones are 0.
    pub(crate) fn grow(&mut self, pages: usize) {
        let words = pages.div_ceil(64);
        if words > self.words.len() {
            self.words.resize(words, 0);
        }
    }

    /// Asks for memory for `pages` bits once.
    pub(crate) fn reserve(&mut self, pages: usize) {
        let words = pages.div_ceil(64);
        self.words
            .reserve_exact(words.saturating_sub(self.words.len()));
    }

    pub(crate) fn get(&self, page: usize) -> bool {
        self.words[page / 64] >> (page % 64) & 1 == 1
    }

    pub(crate) fn set(&mut self, page: usize) {
        self.words[page / 64] |= 1 << (page % 64);
    }

    pub(crate) fn clear(&mut self, page: usize) {
        self.words[page / 64] &= !(1 << (page % 64));
    }

    /// The pages whose bit is 1, in order.
    pub(crate) fn ones(&self) -> impl Iterator<Item = usize> {
        let some = self.words.iter().enumerate().filter(|&(_, &word)| word > 0);
        some.flat_map(|(place, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| place * 64 + bit)
        })
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}
