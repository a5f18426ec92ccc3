//! Observations at hand: [`Observations`].

use std::collections::VecDeque;
use std::sync::Arc;

use recrawl_model::{Outcome, PageId, Timestamp};

/// Observations in one block.
const BLOCK: usize = 1 << 14;

/// Blocks kept, the newest: eight million observations in 256 MB. Older ones
/// are in the log.
const MOST_BLOCKS: usize = 512;

/// An observation as it is kept in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept {
    pub(crate) at: Timestamp,
    /// One more than the number of the page's observation before; 0 for none.
    before: u32,
    pub(crate) page: PageId,
    pub(crate) bytes: u32,
    pub(crate) millis: u32,
    pub(crate) status: u16,
    /// Index in the list of reasons.
    pub(crate) reason: u16,
    pub(crate) outcome: Outcome,
}

/// The newest observations of all pages in the order of the log, each linked
/// with the one of its page before it. Full blocks are shared with whoever reads
/// them, so that nobody has to wait for a long reading.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observations {
    full: VecDeque<Arc<Vec<Kept>>>,
    open: Vec<Kept>,
    /// Observations no longer at hand.
    dropped: usize,
}

impl Observations {
    /// Appends; gives the number for the page's next `before`.
    pub(crate) fn push(&mut self, kept: Kept) -> u32 {
        self.open.push(kept);
        let number = self.len();
        if self.open.len() == BLOCK {
            self.full
                .push_back(Arc::new(std::mem::take(&mut self.open)));
            if self.full.len() > MOST_BLOCKS {
                self.full.pop_front();
                self.dropped += BLOCK;
            }
        }
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// All observations ever appended.
    pub(crate) fn len(&self) -> usize {
        self.dropped + self.full.len() * BLOCK + self.open.len()
    }

    /// The observation with this number, counted from 1.
    fn get(&self, number: u32) -> Option<&Kept> {
        let index = (number as usize).checked_sub(1 + self.dropped)?;
        match self.full.get(index / BLOCK) {
            Some(block) => block.get(index % BLOCK),
            None => self.open.get(index - self.full.len() * BLOCK),
        }
    }

    /// A page's observations that are at hand, newest first, from its newest.
    pub(crate) fn chain(&self, newest: u32) -> impl Iterator<Item = (u32, &Kept)> {
        let mut next = newest;
        std::iter::from_fn(move || {
            let number = next;
            let kept = self.get(number)?;
            next = kept.before;
            Some((number, kept))
        })
    }

    /// All that are at hand, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Kept> {
        self.full
            .iter()
            .flat_map(|block| block.iter())
            .chain(&self.open)
    }
}

impl Kept {
    /// An observation of a page whose newest before it is `before`.
    pub(crate) const fn new(page: PageId, at: Timestamp, outcome: Outcome, before: u32) -> Self {
        Self {
            at,
            before,
            page,
            bytes: 0,
            millis: 0,
            status: 0,
            reason: 0,
            outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_lead_back_through_blocks_until_what_was_dropped() {
        let mut all = Observations::default();
        let mut newest = [0_u32; 2];
        let count = (MOST_BLOCKS + 2) * BLOCK + 5;
        for number in 0..count {
            let page = number % 2;
            let at = Timestamp::from_seconds(number as i64);
            let kept = Kept::new(PageId(page as u32), at, Outcome::Unchanged, newest[page]);
            newest[page] = all.push(kept);
        }
        assert_eq!((all.len(), all.dropped), (count, 2 * BLOCK));
        let times: Vec<i64> = all
            .chain(newest[1])
            .map(|(_, kept)| kept.at.micros())
            .collect();
        assert_eq!(times.len(), (count - 2 * BLOCK) / 2);
        assert!(times.windows(2).all(|pair| pair[0] - pair[1] == 2_000_000));
        assert_eq!(all.iter().count(), count - 2 * BLOCK);
        assert_eq!(size_of::<Kept>(), 32);
    }
}
