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
        self.traits().role
    }

    /// Whether elements with this name have no content.
    pub(super) fn is_void(self) -> bool {
        self.traits().is_void
    }

    /// Whether another element with this name ends one that is open.
    pub(super) fn ends_at_its_like(self) -> bool {
        self.traits().ends_at_its_like
    }

    fn traits(self) -> Traits {
        let mut place = place_of(self.key);
        loop {
            let (key, traits) = TABLE[place];
            if key == self.key || key == 0 {
                return traits; // names without a place of their own are blocks
            }
            place = (place + 1) % PLACES;
        }
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

/// What is known of an element by its name.
#[derive(Debug, Clone, Copy)]
struct Traits {
    role: Role,
    is_void: bool,
    ends_at_its_like: bool,
}

/// Names nothing else is known of.
const PLAIN_BLOCK: Traits = Traits {
    role: Role::Block,
    is_void: false,
    ends_at_its_like: false,
};

const INLINE: [&str; 40] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "mark", "nobr", "picture", "q", "rp", "rt", "ruby",
    "s", "samp", "small", "source", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
    "var", "wbr",
];
const PLAIN_TEXT: [&str; 2] = ["textarea", "title"];
const UNSEEN: [&str; 6] = [
    "iframe", "noembed", "noframes", "noscript", "script", "style",
];
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
const ENDS_AT_ITS_LIKE: [&str; 10] = [
    "dd", "dt", "li", "option", "p", "tbody", "td", "th", "thead", "tr",
];

/// Places of the table: a power of two, most of them empty.
const PLACES: usize = 256;

/// All names above by their keys, each at its place or at the next free one.
/// Keys are never 0, which marks a place as empty.
static TABLE: Table = {
    let table = [(0, PLAIN_BLOCK); PLACES];
    let table = with(table, &INLINE, Trait::Role(Role::Inline));
    let table = with(table, &PLAIN_TEXT, Trait::Role(Role::PlainText));
    let table = with(table, &UNSEEN, Trait::Role(Role::Unseen));
    let table = with(table, &["template"], Trait::Role(Role::UnseenMarkup));
    let table = with(table, &VOID, Trait::Void);
    with(table, &ENDS_AT_ITS_LIKE, Trait::EndsAtItsLike)
};

type Table = [(u64, Traits); PLACES];

#[derive(Clone, Copy)]
enum Trait {
    Role(Role),
    Void,
    EndsAtItsLike,
}

/// The table with one thing more known of some names.
const fn with(mut table: Table, names: &[&str], known: Trait) -> Table {
    let mut at = 0;
    while at < names.len() {
        let place = place_in(&mut table, names[at]);
        let traits = &mut table[place].1;
        match known {
            Trait::Role(role) => traits.role = role,
            Trait::Void => traits.is_void = true,
            Trait::EndsAtItsLike => traits.ends_at_its_like = true,
        }
        at += 1;
    }
    table
}

/// The place of a name in the table, taken for it.
const fn place_in(table: &mut Table, name: &str) -> usize {
    let key = key(name.as_bytes());
    let mut place = place_of(key);
    while table[place].0 != key && table[place].0 != 0 {
        place = (place + 1) % PLACES;
    }
    table[place].0 = key;
    place
}

/// Where a key is looked for first.
const fn place_of(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
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
