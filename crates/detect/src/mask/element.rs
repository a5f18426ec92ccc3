//! One part of a remembered page: [`Element`].

use std::ops::Range;

use super::Pattern;
use crate::page::{Page, hash_of_hashes};

/// Visits over which a masked part has to be the same to count again: a text
/// that is one of two at random is the same that often once in 256 times.
pub(crate) const SETTLED_AFTER: u8 = 8;

/// A block of a page, or a mask over some of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Element {
    /// A block as it was.
    Plain {
        /// Its fingerprint.
        hash: u32,
        /// Whether the last comparison found it new: only then may a second look
        /// mask the tokens that differ by themselves.
        is_new: bool,
    },
    /// A block of which some tokens are masked.
    Pattern {
        /// What the others are.
        pattern: Pattern,
        /// What was there.
        seen: Seen,
    },
    /// Any blocks.
    Gap {
        /// How many at most.
        limit: u16,
        /// What was there.
        seen: Seen,
    },
}

/// What a mask hid at the last visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Fingerprint of the blocks.
    pub(crate) content: u32,
    /// How many blocks.
    pub(crate) blocks: u16,
    /// Visits in a row that saw the same.
    pub(crate) still: u8,
}

impl Seen {
    /// What stands at `blocks`, for the first time.
    pub(crate) fn new(page: &Page<'_>, blocks: Range<usize>) -> Self {
        Self {
            content: hash_of_hashes(&page.hashes()[blocks.clone()]),
            blocks: blocks.len() as u16,
            still: 0,
        }
    }

    /// What stands at `blocks` now; if it is the same, it has been still for so
    /// many visits more.
    pub(crate) fn next(self, page: &Page<'_>, blocks: Range<usize>, visits: u8) -> Self {
        let mut next = Self::new(page, blocks);
        if next.content == self.content {
            next.still = self.still.saturating_add(visits);
        }
        next
    }

    /// Whether the part has settled and counts again.
    pub(crate) const fn is_settled(self) -> bool {
        self.still >= SETTLED_AFTER
    }
}

impl Element {
    /// A block seen for the first time.
    pub(crate) fn fresh(page: &Page<'_>, block: usize) -> Self {
        Self::Plain {
            hash: page.hashes()[block],
            is_new: true,
        }
    }

    /// A block that is no news.
    pub(crate) const fn known(hash: u32) -> Self {
        Self::Plain {
            hash,
            is_new: false,
        }
    }

    /// Whether it hides something.
    pub(crate) const fn is_mask(&self) -> bool {
        !matches!(self, Self::Plain { .. })
    }

    /// The fingerprint of a block that is not masked.
    pub(crate) const fn plain_hash(&self) -> Option<u32> {
        match self {
            Self::Plain { hash, .. } => Some(*hash),
            Self::Pattern { .. } | Self::Gap { .. } => None,
        }
    }

    /// Blocks it stands for at the last visit.
    pub(crate) fn blocks(&self) -> usize {
        match self {
            Self::Plain { .. } => 1,
            Self::Pattern { seen, .. } | Self::Gap { seen, .. } => usize::from(seen.blocks),
        }
    }

    /// The page is as it was: masks have been still for some visits more.
    pub(crate) fn rest(&mut self, visits: u8) {
        match self {
            Self::Plain { is_new, .. } => *is_new = false,
            Self::Pattern { seen, .. } | Self::Gap { seen, .. } => {
                seen.still = seen.still.saturating_add(visits);
            }
        }
    }
}
