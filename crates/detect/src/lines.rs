//! Text as lines of words: [`Collapsed`] builds [`Lines`].

use memchr::memchr_iter;

use crate::words::{Within, space_width, words_length};

/// Lines there is room for at once: what a page of some length has.
const EXPECTED_LINES: usize = 128;

/// Lines, one after the other, and where they end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Lines {
    /// All of them, `\n` between two.
    pub(crate) text: Vec<u8>,
    /// The places of each `\n`.
    pub(crate) ends: Vec<usize>,
}

impl Lines {
    /// The lines of a text.
    pub(crate) fn of(text: Vec<u8>) -> Self {
        Self {
            ends: memchr_iter(b'\n', &text).collect(),
            text,
        }
    }
}

/// Builds lines of words: white space collapsed, empty lines left out.
#[derive(Debug, Default)]
pub(crate) struct Collapsed {
    lines: Lines,
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
            lines: Lines {
                text: Vec::with_capacity(bytes),
                ends: Vec::with_capacity(EXPECTED_LINES),
            },
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
    pub(crate) fn finish(self) -> Lines {
        self.lines
    }

    fn space(&mut self) {
        if self.between == Between::Nothing {
            self.between = Between::Space;
        }
    }

    fn words(&mut self, words: &[u8]) {
        let Lines { text, ends } = &mut self.lines;
        if !text.is_empty() {
            match self.between {
                Between::Nothing => {}
                Between::Space => text.push(b' '),
                Between::Line => {
                    ends.push(text.len());
                    text.push(b'\n');
                }
            }
        }
        self.between = Between::Nothing;
        text.extend_from_slice(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collapse(text: &str) -> String {
        let mut collapsed = Collapsed::default();
        collapsed.lines(text.as_bytes());
        let lines = collapsed.finish();
        assert_eq!(lines, Lines::of(lines.text.clone()));
        String::from_utf8(lines.text).expect("text")
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
}
