//! Pages by the hash of their names: [`PageTable`].

use std::hash::{BuildHasher, Hasher};
use std::hint::black_box;

use foldhash::fast::FixedState;
use recrawl_model::{HistorySetBuilder, Names, PageId};

/// Seed of the hash. It is fixed so that nothing, not even the time it takes,
/// differs from run to run; its value means nothing.
const HASH_SEED: u64 = 0x7265_6372_6177_6C00;

/// Stands for a page that is not known.
pub(crate) const UNRESOLVED: PageId = PageId(u32::MAX);

/// Slots of a new table, as a power of two.
const FIRST_BITS: u32 = 10;

/// Names looked up together. A lookup waits for memory three times: for the
/// slot, for where the name stands, for the name. Taking each step for many
/// names at once lets those waits overlap; more names than this would no longer
/// stay in the fastest cache from one step to the next.
const TOGETHER: usize = 64;

/// The hash of a page's name.
#[inline]
pub(crate) fn hash(name: &str) -> u32 {
    let mut hasher = FixedState::with_seed(HASH_SEED).build_hasher();
    hasher.write(name.as_bytes());
    (hasher.finish() >> 32) as u32
}

/// An open-addressing table: slots hold hash and page, names stay where the
/// pages are kept. At most half of the slots are taken.
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
}

const FREE: Slot = Slot {
    hash: 0,
    page: UNRESOLVED,
};

impl PageTable {
    /// A table without pages.
    pub(crate) fn new() -> Self {
        Self {
            slots: vec![FREE; 1 << FIRST_BITS],
            bits: FIRST_BITS,
            pages: 0,
        }
    }

    /// The page called `name`, if there is one.
    pub(crate) fn find(&self, builder: &HistorySetBuilder, hash: u32, name: &str) -> PageId {
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            if slot.page == UNRESOLVED {
                return UNRESOLVED;
            }
            if slot.hash == hash && builder.page_name(slot.page) == name {
                return slot.page;
            }
            at = self.after(at);
        }
    }

    /// Adds a page that is not in the table.
    pub(crate) fn insert(&mut self, hash: u32, page: PageId) {
        if (self.pages + 1) * 2 > self.slots.len() {
            self.grow();
        }
        self.place(Slot { hash, page });
        self.pages += 1;
    }

    /// Finds the page of each name and appends it to `found`.
    pub(crate) fn find_all(
        &self,
        builder: &HistorySetBuilder,
        hashes: &[u32],
        names: &Names,
        found: &mut Vec<PageId>,
    ) {
        let mut candidates = [UNRESOLVED; TOGETHER];
        for (group, hashes) in hashes.chunks(TOGETHER).enumerate() {
            let first = group * TOGETHER;
            let mut touched = 0u32;
            for &hash in hashes {
                touched ^= self.slots[self.home(hash)].hash;
            }
            black_box(touched);
            for (candidate, &hash) in candidates.iter_mut().zip(hashes) {
                *candidate = self.candidate(hash);
            }
            let mut touched = 0;
            for &candidate in &candidates[..hashes.len()] {
                if candidate != UNRESOLVED {
                    touched ^= builder.page_name(candidate).len();
                }
            }
            black_box(touched);
            for (place, (&candidate, &hash)) in candidates.iter().zip(hashes).enumerate() {
                let name = names.get(first + place);
                let page = if candidate == UNRESOLVED || builder.page_name(candidate) == name {
                    candidate
                } else {
                    self.find(builder, hash, name)
                };
                found.push(page);
            }
        }
    }

    /// The first page with this hash: nearly always the one that is sought.
    fn candidate(&self, hash: u32) -> PageId {
        let mut at = self.home(hash);
        loop {
            let slot = self.slots[at];
            if slot.page == UNRESOLVED || slot.hash == hash {
                return slot.page;
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
