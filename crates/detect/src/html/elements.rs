//! What becomes of the text in an element, by its name.

/// The name of an element, whatever its case.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name<'a> {
    /// The first eight bytes in lower case, then the others mixed in: two names
    /// of up to eight bytes are the same if their keys are.
    key: u64,
    /// As it stands in the page.
    written: &'a [u8],
}

impl<'a> Name<'a> {
    pub(super) fn new(written: &'a [u8]) -> Self {
        Self {
            key: key(written),
            written,
        }
    }

    /// As it stands in the page.
    pub(super) const fn written(self) -> &'a [u8] {
        self.written
    }

    /// Whether it is this name, which is in lower case.
    pub(super) const fn is(self, name: &str) -> bool {
        self.key == key(name.as_bytes())
    }

    pub(super) const fn is_same(self, other: Name<'_>) -> bool {
        self.key == other.key
    }

    /// The role of an element with this name.
    pub(super) fn role(self) -> Role {
        match () {
            () if INLINE.binary_search(&self.key).is_ok() => Role::Inline,
            () if UNSEEN.binary_search(&self.key).is_ok() => Role::Unseen,
            () if PLAIN_TEXT.contains(&self.key) => Role::PlainText,
            () if self.is("template") => Role::UnseenMarkup,
            () => Role::Block,
        }
    }

    /// Whether elements with this name have no content.
    pub(super) fn is_void(self) -> bool {
        VOID.binary_search(&self.key).is_ok()
    }

    /// Whether another element with this name ends one that is open.
    pub(super) fn ends_at_its_like(self) -> bool {
        ENDS_AT_ITS_LIKE.binary_search(&self.key).is_ok()
    }
}

/// How an element takes part in the text of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Part of the line it stands in.
    Inline,
    /// Begins and ends a block.
    Block,
    /// Its content is text in which tags mean nothing, and is shown.
    PlainText,
    /// Its content is text in which tags mean nothing, and is not shown.
    Unseen,
    /// Its content is markup and is not shown.
    UnseenMarkup,
}

const INLINE: [u64; 40] = keys([
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "mark", "nobr", "picture", "q", "rp", "rt", "ruby",
    "s", "samp", "small", "source", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
    "var", "wbr",
]);
const PLAIN_TEXT: [u64; 2] = keys(["textarea", "title"]);
const UNSEEN: [u64; 6] = keys([
    "iframe", "noembed", "noframes", "noscript", "script", "style",
]);
const VOID: [u64; 14] = keys([
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
]);
const ENDS_AT_ITS_LIKE: [u64; 10] = keys([
    "dd", "dt", "li", "option", "p", "tbody", "td", "th", "thead", "tr",
]);

/// The keys of names, in order.
const fn keys<const N: usize>(names: [&str; N]) -> [u64; N] {
    let mut keys = [0; N];
    let mut count = 0;
    while count < N {
        let new = key(names[count].as_bytes());
        let mut at = count;
        while at > 0 && keys[at - 1] > new {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = new;
        count += 1;
    }
    keys
}

const fn key(name: &[u8]) -> u64 {
    let mut key = 0u64;
    let mut at = 0;
    while at < name.len() {
        let byte = name[at].to_ascii_lowercase() as u64;
        key = if at < 8 {
            key << 8 | byte
        } else {
            (key ^ byte).wrapping_mul(0x0100_0000_01b3) // FNV's prime spreads the rest
        };
        at += 1;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_whatever_their_case() {
        assert_eq!(Name::new(b"SPAN").role(), Role::Inline);
        assert_eq!(Name::new(b"NoScript").role(), Role::Unseen);
        assert_eq!(Name::new(b"title").role(), Role::PlainText);
        assert_eq!(Name::new(b"template").role(), Role::UnseenMarkup);
        assert_eq!(Name::new(b"blockquote").role(), Role::Block);
        assert_eq!(Name::new(b"spa").role(), Role::Block);
        assert!(Name::new(b"BR").is_void() && !Name::new(b"b").is_void());
        assert!(Name::new(b"li").ends_at_its_like());
    }

    #[test]
    fn long_names_are_told_apart() {
        assert!(!Name::new(b"my-element-one").is_same(Name::new(b"my-element-two")));
        assert!(Name::new(b"my-element-one").is_same(Name::new(b"MY-element-one")));
    }
}
