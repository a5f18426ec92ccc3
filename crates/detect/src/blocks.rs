//! A document as the detector sees it: [`Blocks`] of tokens.

use std::borrow::Cow;

use memchr::memchr_iter;
use twox_hash::XxHash3_64;

use crate::words::{Within, space_width, words_length};

/// Blocks there is room for at once: what a page of some length has.
const EXPECTED_BLOCKS: usize = 128;

/// Where blocks and tokens end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Splitting {
    /// Blocks are lines, tokens are words between single spaces.
    Words,
    /// Nothing is lost: blocks end after a line, a tag or a brace, tokens after
    /// the marks that end values in markup, code and tables.
    Raw,
}

/// Text as blocks, one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Blocks<'a> {
    buffer: Cow<'a, [u8]>,
    splitting: Splitting,
}

impl<'a> Blocks<'a> {
    /// Every byte counts.
    pub(crate) const fn raw(bytes: &'a [u8]) -> Self {
        Self {
            buffer: Cow::Borrowed(bytes),
            splitting: Splitting::Raw,
        }
    }

    /// Lines of words, as [`Collapsed::finish`] gives them.
    pub(crate) const fn words(buffer: Vec<u8>) -> Self {
        Self {
            buffer: Cow::Owned(buffer),
            splitting: Splitting::Words,
        }
    }

    /// Where blocks and tokens end.
    pub(crate) const fn splitting(&self) -> Splitting {
        self.splitting
    }

    /// The whole as one number.
    pub(crate) fn fingerprint(&self) -> u64 {
        XxHash3_64::oneshot(&self.buffer)
    }

    /// The blocks in order; those past `limit` are one.
    pub(crate) fn split(&self, limit: usize) -> Vec<&[u8]> {
        let mut blocks = Vec::with_capacity(limit.min(EXPECTED_BLOCKS));
        let mut start = 0;
        let is_end = |byte: u8| match self.splitting {
            Splitting::Words => byte == b'\n',
            Splitting::Raw => matches!(byte, b'\n' | b'>' | b'}'),
        };
        let keeps_end = usize::from(self.splitting == Splitting::Raw);
        let ends: &mut dyn Iterator<Item = usize> = match self.splitting {
            Splitting::Words => &mut memchr_iter(b'\n', &self.buffer),
            Splitting::Raw => &mut (0..self.buffer.len()).filter(|&at| is_end(self.buffer[at])),
        };
        for end in ends {
            if blocks.len() + 1 >= limit {
                break;
            }
            blocks.push(&self.buffer[start..end + keeps_end]);
            start = end + 1;
        }
        if start < self.buffer.len() {
            blocks.push(&self.buffer[start..]);
        }
        blocks
    }

    /// The text, for people to read.
    pub(crate) fn readable(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.buffer)
    }
}

/// The tokens of a block in order.
pub(crate) fn tokens(block: &[u8], splitting: Splitting) -> impl Iterator<Item = &[u8]> {
    block
        .split_inclusive(move |&byte| match splitting {
            Splitting::Words => byte == b' ',
            Splitting::Raw => {
                matches!(
                    byte,
                    b' ' | b'\t' | b',' | b';' | b'&' | b'"' | b'\'' | b'=' | b':'
                )
            }
        })
        .map(move |token| match splitting {
            Splitting::Words => token.strip_suffix(b" ").unwrap_or(token),
            Splitting::Raw => token,
        })
}

/// Builds lines of words: white space collapsed, empty lines left out.
#[derive(Debug, Default)]
pub(crate) struct Collapsed {
    buffer: Vec<u8>,
    /// What stands between the last word and the next one.
    between: Between,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Between {
    #[default]
    Nothing,
    Space,
    Line,
}

impl Collapsed {
    /// Room for text of about this many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self {
            buffer: Vec::with_capacity(bytes),
            between: Between::Nothing,
        }
    }

    /// Text that may hold white space of any kind.
    pub(crate) fn text(&mut self, text: &[u8]) {
        let mut at = 0;
        while at < text.len() {
            let width = space_width(&text[at..]);
            if width > 0 {
                self.space();
                at += width;
                continue;
            }
            let length = words_length(&text[at..], Within::Text);
            self.words(&text[at..at + length]);
            at += length;
        }
    }

    /// The white space or the words, up to the next `<` or `&`, that `html`
    /// begins with. Returns their bytes; 0 if it begins with neither.
    pub(crate) fn text_in_markup(&mut self, html: &[u8]) -> usize {
        let width = space_width(html);
        if width > 0 {
            self.space();
            return width;
        }
        match html.first() {
            None | Some(b'<' | b'&') => 0,
            Some(_) => {
                let length = words_length(html, Within::Markup);
                self.words(&html[..length]);
                length
            }
        }
    }

    /// Text where every line end ends a block.
    pub(crate) fn lines(&mut self, text: &[u8]) {
        for line in text.split(|&byte| byte == b'\n') {
            self.text(line);
            self.end_block();
        }
    }

    /// The block ends here.
    pub(crate) fn end_block(&mut self) {
        self.between = Between::Line;
    }

    /// The text so far, a line a block.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.buffer
    }

    fn space(&mut self) {
        if self.between == Between::Nothing {
            self.between = Between::Space;
        }
    }

    fn words(&mut self, words: &[u8]) {
        if !self.buffer.is_empty() {
            match self.between {
                Between::Nothing => {}
                Between::Space => self.buffer.push(b' '),
                Between::Line => self.buffer.push(b'\n'),
            }
        }
        self.between = Between::Nothing;
        self.buffer.extend_from_slice(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collapse(text: &str) -> String {
        let mut collapsed = Collapsed::default();
        collapsed.lines(text.as_bytes());
        String::from_utf8(collapsed.finish()).expect("text")
    }

    #[test]
    fn white_space_of_every_kind_is_one_space() {
        assert_eq!(
            collapse("  a \t b\u{a0}\u{2003}c\0d\r\n\n\n e "),
            "a b c d\ne"
        );
        assert_eq!(collapse("Ωmega – naïve\u{3000}日本"), "Ωmega – naïve 日本");
    }

    #[test]
    fn long_text_is_collapsed_as_short_text_is() {
        // White space of each kind at each place within and around a stretch.
        for space in [" ", "  ", " \t", "\0", "\u{a0}", " \u{2003}", "\u{3000}"] {
            for place in 0..200 {
                let (start, end) = ("x".repeat(place), "y ÿ".repeat(64));
                let text = format!("a{start}{space}{end}");
                assert_eq!(
                    collapse(&text),
                    format!("a{start} {end}"),
                    "{space:?} at {place}"
                );
            }
        }
    }

    #[test]
    fn raw_blocks_and_tokens_lose_no_byte() {
        let bytes = b"<p a=\"1\">x, y</p>\n{\"k\":1}\xff\0";
        let blocks = Blocks::raw(bytes);
        let split = blocks.split(100);
        assert_eq!(split.concat(), bytes);
        for block in split {
            let tokens: Vec<_> = tokens(block, Splitting::Raw).collect();
            assert_eq!(tokens.concat(), block);
        }
    }

    #[test]
    fn blocks_past_the_limit_are_one() {
        let blocks = Blocks::words(b"a\nb\nc\nd".to_vec());
        assert_eq!(blocks.split(2), [&b"a"[..], b"b\nc\nd"]);
        assert_eq!(blocks.split(4), [b"a", b"b", b"c", b"d"]);
    }
}
