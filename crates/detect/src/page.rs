//! A document split and hashed: [`Page`].

use std::borrow::Cow;

use twox_hash::XxHash3_64;

use crate::lines::Lines;

/// Blocks told apart on a page; what follows them is one block more. A long
/// page has a few hundred.
pub(crate) const MAX_BLOCKS: usize = 2_048;

/// Tokens told apart in a block; a longer block is compared as a whole.
pub(crate) const MAX_TOKENS: usize = 512;

/// Where blocks and tokens end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Splitting {
    /// Blocks are lines, tokens are words between single spaces.
    Words,
    /// Nothing is lost: blocks end after a line, a tag or a brace, tokens after
    /// the marks that end values in markup, code and tables.
    Raw,
}

/// The blocks of a document with their fingerprints.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    text: Cow<'a, [u8]>,
    splitting: Splitting,
    /// Where each block ends, without the `\n` between lines.
    ends: Vec<usize>,
    hashes: Vec<u32>,
    fingerprint: u64,
}

impl<'a> Page<'a> {
    /// Every byte counts.
    pub(crate) fn raw(bytes: &'a [u8]) -> Self {
        let is_end = |at: &usize| matches!(bytes[*at], b'\n' | b'>' | b'}');
        let ends = (0..bytes.len()).filter(is_end).map(|at| at + 1);
        let ends = ends.take(MAX_BLOCKS).collect();
        Self::new(Cow::Borrowed(bytes), Splitting::Raw, ends, MAX_BLOCKS)
    }

    /// Lines of words.
    pub(crate) fn words(lines: Lines) -> Self {
        let text = Cow::Owned(lines.text);
        Self::new(text, Splitting::Words, lines.ends, MAX_BLOCKS)
    }

    /// Blocks past `limit` are one.
    fn new(text: Cow<'a, [u8]>, splitting: Splitting, mut ends: Vec<usize>, limit: usize) -> Self {
        ends.truncate(limit - 1);
        if ends.last().map_or(0, |end| end + splitting.gap()) < text.len() {
            ends.push(text.len());
        }
        let mut page = Self {
            text,
            splitting,
            hashes: Vec::with_capacity(ends.len()),
            ends,
            fingerprint: 0,
        };
        let mut all = Vec::with_capacity(8 * page.ends.len());
        for block in 0..page.ends.len() {
            let hash = XxHash3_64::oneshot(page.block(block));
            page.hashes.push(hash as u32);
            all.extend_from_slice(&hash.to_le_bytes());
        }
        page.fingerprint = XxHash3_64::oneshot(&all);
        page
    }

    /// The whole as one number.
    pub(crate) const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The text, for people to read.
    pub(crate) fn readable(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.text)
    }

    /// The fingerprint of each block in order.
    pub(crate) fn hashes(&self) -> &[u32] {
        &self.hashes
    }

    fn block(&self, block: usize) -> &[u8] {
        let before = block.checked_sub(1).map(|before| self.ends[before]);
        let start = before.map_or(0, |end| end + self.splitting.gap());
        &self.text[start..self.ends[block]]
    }

    /// The tokens of a block, or none where there are too many.
    pub(crate) fn tokens(&self, block: usize) -> Vec<&[u8]> {
        let found: Vec<_> = self
            .splitting
            .tokens(self.block(block))
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

impl Splitting {
    /// Bytes between two blocks.
    const fn gap(self) -> usize {
        match self {
            Self::Words => 1,
            Self::Raw => 0,
        }
    }

    /// The tokens of a block in order.
    fn tokens(self, block: &[u8]) -> impl Iterator<Item = &[u8]> {
        block
            .split_inclusive(move |&byte| match self {
                Self::Words => byte == b' ',
                Self::Raw => {
                    matches!(
                        byte,
                        b' ' | b'\t' | b',' | b';' | b'&' | b'"' | b'\'' | b'=' | b':'
                    )
                }
            })
            .map(move |token| match self {
                Self::Words => token.strip_suffix(b" ").unwrap_or(token),
                Self::Raw => token,
            })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks<'a>(page: &'a Page<'_>) -> Vec<&'a [u8]> {
        (0..page.ends.len())
            .map(|block| page.block(block))
            .collect()
    }

    #[test]
    fn raw_blocks_and_tokens_lose_no_byte() {
        let bytes = b"<p a=\"1\">x, y</p>\n{\"k\":1}\xff\0";
        let page = Page::raw(bytes);
        assert_eq!(blocks(&page).concat(), bytes);
        for (number, block) in blocks(&page).into_iter().enumerate() {
            assert_eq!(page.tokens(number).concat(), block);
        }
    }

    #[test]
    fn blocks_past_the_limit_are_one() {
        let page = |limit| {
            let Lines { text, ends } = Lines::of(b"a\nb\nc\nd".to_vec());
            Page::new(Cow::Owned(text), Splitting::Words, ends, limit)
        };
        assert_eq!(blocks(&page(2)), [&b"a"[..], b"b\nc\nd"]);
        assert_eq!(blocks(&page(4)), [b"a", b"b", b"c", b"d"]);
        let nothing = Page::words(Lines::default());
        assert!(blocks(&nothing).is_empty());
        let long = b">".repeat(MAX_BLOCKS + 1);
        assert_eq!(blocks(&Page::raw(&long)).len(), MAX_BLOCKS);
    }

    #[test]
    fn pages_with_the_same_blocks_have_the_same_fingerprint() {
        let of = |text: &str| Page::words(Lines::of(text.as_bytes().to_vec())).fingerprint();
        assert_eq!(of("a\nb"), of("a\nb"));
        assert_ne!(of("a\nb"), of("b\na"));
        assert_ne!(of("a\nb"), of("a b"));
        assert_ne!(of("a"), of(""));
    }
}
