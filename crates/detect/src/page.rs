//! A document split and hashed: [`Page`].

use twox_hash::XxHash3_64;

use crate::blocks::{Blocks, Splitting, tokens};

/// Blocks told apart on a page; what follows them is one block more. A long
/// page has a few hundred.
pub(crate) const MAX_BLOCKS: usize = 2_048;

/// Tokens told apart in a block; a longer block is compared as a whole.
pub(crate) const MAX_TOKENS: usize = 512;

/// The blocks of a document with their fingerprints.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    blocks: Vec<&'a [u8]>,
    hashes: Vec<u32>,
    splitting: Splitting,
}

impl<'a> Page<'a> {
    /// Splits and hashes.
    pub(crate) fn new(blocks: &'a Blocks<'_>) -> Self {
        let splitting = blocks.splitting();
        let blocks = blocks.split(MAX_BLOCKS);
        Self {
            hashes: blocks.iter().map(|block| hash(block)).collect(),
            blocks,
            splitting,
        }
    }

    /// The fingerprint of each block in order.
    pub(crate) fn hashes(&self) -> &[u32] {
        &self.hashes
    }

    /// The tokens of a block, or none where there are too many.
    pub(crate) fn tokens(&self, block: usize) -> Vec<&'a [u8]> {
        let found: Vec<_> = tokens(self.blocks[block], self.splitting)
            .take(MAX_TOKENS + 1)
            .collect();
        if found.len() > MAX_TOKENS {
            Vec::new()
        } else {
            found
        }
    }

    /// The fingerprints of a block's tokens.
    pub(crate) fn token_hashes(&self, block: usize) -> Vec<u32> {
        self.tokens(block).into_iter().map(hash).collect()
    }

    /// The fingerprints of the tokens of the block with this fingerprint; none
    /// if there is no such block.
    pub(crate) fn token_hashes_of(&self, hash: u32) -> Vec<u32> {
        let block = self.hashes.iter().position(|&other| other == hash);
        block.map_or_else(Vec::new, |block| self.token_hashes(block))
    }
}

/// The fingerprint of a block or token.
///
/// Two different ones agree once in four thousand million times; a change would
/// be missed if it were the only one.
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    XxHash3_64::oneshot(bytes) as u32
}

/// One fingerprint for several blocks in order.
pub(crate) fn hash_of_hashes(hashes: &[u32]) -> u32 {
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    hash(&bytes)
}
