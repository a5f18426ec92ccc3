//! Pages by the hash of their names: [`PageTable`].

use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher};
use std::hint::black_box;
use std::ops::Range;

use foldhash::fast::FixedState;
use recrawl_model::{Names, PageId};

/// Seed of the hash. It is fixed so that nothing, not even the time it takes,
/// differs from run to run; its value means nothing.
const HASH_SEED: u64 = 0x7265_6372_6177_6C00;

/// Stands for a page that is not known.
pub(crate) const UNRESOLVED: PageId = PageId(u32::MAX);

/// Slots of a new table, as a power of two.
const FIRST_BITS: u32 = 10;

/// Names looked up together. A lookup waits for memory twice: for the slot, then
/// for the name. Taking each step for many names at once lets those waits overlap;
/// more names than this would no longer stay in the fastest cache from one step to
/// the next.
pub(crate) const TOGETHER: usize = 64;

/// The hash of a page's name.
#[inline]
pub(crate) fn hash(name: &str) -> u32 {
    let mut hasher = FixedState::with_seed(HASH_SEED).build_hasher();
    hasher.write(name.as_bytes());
    (hasher.finish() >> 32) as u32
}

/// Reads one value for each item, none of which waits for another, so that what
/// it stands in is in the cache when it is needed.
#[inline]
fn fetch<T, V: Into<u32>>(items: &[T], value: impl Fn(&T) -> V) {
    let all = items.iter().fold(0, |all, item| all ^ value(item).into());
    black_box(all);
}

/// An open-addressing table: slots hold hash, page and where its name stands; names
/// stay where the pages are kept. At most half of the slots are taken, as long as hashes can tell
/// more slots apart.
pub(crate) struct PageTable {
    slots: Vec<Slot>,
    /// The slot of a hash is its top `bits` bits.
    bits: u32,
    pages: usize,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    hash: u32,
    page: PageId,
    span: Span,
}

const FREE: Slot = Slot {
    hash: 0,
    page: UNRESOLVED,
    span: Span(0),
};

/// Where a name stands among all names: its start, and in the lowest bits its
/// length; no name has the length of one that does not fit.
#[derive(Debug, Clone, Copy)]
struct Span(u64);

impl Span {
    const LENGTH_BITS: u32 = 24;
    const LONGEST: u64 = (1 << Self::LENGTH_BITS) - 1;

    fn new(range: &Range<usize>) -> Self {
        let (start, length) = (range.start as u64, range.len() as u64);
        if length < Self::LONGEST && start >> (u64::BITS - Self::LENGTH_BITS) == 0 {
            Self(start << Self::LENGTH_BITS | length)
        } else {
            Self(Self::LONGEST)
        }
    }

    fn start(self) -> usize {
        (self.0 >> Self::LENGTH_BITS) as usize
    }

    fn end(self) -> usize {
        self.start() + (self.0 & Self::LONGEST) as usize
    }
}

impl PageTable {
    /// A table without pages.
    pub(crate) fn new() -> Self {
        Self {
            slots: vec![FREE; 1 << FIRST_BITS],
            bits: FIRST_BITS,
            pages: 0,
        }
    }

    /// The page called `name`, or [`UNRESOLVED`]; `pages` are the names of all
    /// pages in the table.
    pub(crate) fn find(&self, pages: &Names, hash: u32, name: &str) -> PageId {
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            if slot.page == UNRESOLVED {
                return UNRESOLVED;
            }
            if slot.hash == hash && pages.get(slot.page.index()) == name {
                return slot.page;
            }
            at = self.after(at);
        }
    }

    /// Adds a page that is not in the table; `pages` are the names of all pages,
    /// its own among them.
    pub(crate) fn insert(&mut self, pages: &Names, hash: u32, page: PageId) {
        if (self.pages + 1) * 2 > self.slots.len() && self.bits < u32::BITS {
            self.grow();
        }
        let span = Span::new(&pages.range(page.index()));
        self.place(Slot { hash, page, span });
        self.pages += 1;
    }

    /// Brings the slots of these hashes into the cache.
    pub(crate) fn warm(&self, hashes: &[u32]) {
        fetch(hashes, |&hash| self.slots[self.home(hash)].hash);
    }

    /// Finds the page of each of `names` and appends it to `found`; `pages` are
    /// the names of all pages in the table.
    pub(crate) fn find_all(
        &self,
        pages: &Names,
        hashes: &[u32],
        names: &[Cow<'_, str>],
        found: &mut Vec<PageId>,
    ) {
        let text = pages.text().as_bytes();
        let mut candidates = [FREE; TOGETHER];
        for (hashes, names) in hashes.chunks(TOGETHER).zip(names.chunks(TOGETHER)) {
            self.warm(hashes);
            for (candidate, &hash) in candidates.iter_mut().zip(hashes) {
                *candidate = self.candidate(hash);
            }
            let candidates = &candidates[..hashes.len()];
            fetch(candidates, |slot| {
                *text.get(slot.span.start()).unwrap_or(&0)
            });
            fetch(candidates, |slot| *text.get(slot.span.end()).unwrap_or(&0));
            for ((slot, name), &hash) in candidates.iter().zip(names).zip(hashes) {
                let there = text.get(slot.span.start()..slot.span.end());
                let is_it = slot.page == UNRESOLVED || there == Some(name.as_bytes());
                found.push(if is_it {
                    slot.page
                } else {
                    self.find(pages, hash, name)
                });
            }
        }
    }

    /// The slot of the first page with this hash, nearly always the one that is
    /// sought, or a free one.
    fn candidate(&self, hash: u32) -> Slot {
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            if slot.page == UNRESOLVED || slot.hash == hash {
                return slot;
            }
            at = self.after(at);
        }
    }

    fn home(&self, hash: u32) -> usize {
        (hash >> (u32::BITS - self.bits)) as usize
    }

    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    fn place(&mut self, slot: Slot) {
        let mut at = self.home(slot.hash);
        while self.slots[at].page != UNRESOLVED {
            at = self.after(at);
        }
        self.slots[at] = slot;
    }

    fn grow(&mut self) {
        self.bits += 1;
        let larger = vec![FREE; 1 << self.bits];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.page != UNRESOLVED {
                self.place(slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hash: impl Fn(&str) -> u32) {
        let mut table = PageTable::new();
        let mut known = Names::new();
        for n in 0..2000 {
            let name = format!("page {n}");
            let page = PageId(known.push(&name) as u32);
            table.insert(&known, hash(&name), page);
        }
        let mut asked = Vec::new();
        let mut hashes = Vec::new();
        for n in (0..4000).rev() {
            let name = format!("page {n}");
            hashes.push(hash(&name));
            asked.push(Cow::Owned(name));
        }
        let mut found = Vec::new();
        table.find_all(&known, &hashes, &asked, &mut found);
        for (n, (name, &page)) in (0..4000).rev().zip(asked.iter().zip(&found)) {
            assert_eq!(table.find(&known, hash(name), name), page);
            let expected = if n < 2000 { PageId(n) } else { UNRESOLVED };
            assert_eq!(page, expected, "{name}");
        }
    }

    #[test]
    fn names_too_long_for_a_slot_are_found_too() {
        let mut known = Names::new();
        let mut table = PageTable::new();
        let names = [String::new(), "x".repeat(1 << 24), "y".to_owned()];
        for name in &names {
            let page = PageId(known.push(name) as u32);
            table.insert(&known, hash(name), page);
        }
        let asked: Vec<_> = names.iter().map(|name| Cow::Borrowed(&**name)).collect();
        let hashes: Vec<_> = names.iter().map(|name| hash(name)).collect();
        let mut found = Vec::new();
        table.find_all(&known, &hashes, &asked, &mut found);
        assert_eq!(found, [PageId(0), PageId(1), PageId(2)]);
    }

    #[test]
    fn every_page_is_found_and_no_other() {
        check(hash);
    }

    #[test]
    fn pages_with_one_hash_are_told_apart_by_name() {
        check(|name| hash(name) % 3);
        check(|_| u32::MAX);
    }
}
