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

    /// Bits there are, a multiple of 64.
    pub(crate) fn slots(&self) -> usize {
        self.words.len() * 64
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

    /// Becomes the union of two rows of the same length.
    pub(crate) fn become_union(&mut self, one: &Self, other: &Self) {
        self.words.clear();
        let pairs = one.words.iter().zip(&other.words);
        self.words.extend(pairs.map(|(a, b)| a | b));
    }

    /// Becomes another row.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}
