//! Tags and comments, one at a time.

use memchr::{memchr, memmem};

use super::elements::Name;

/// What a `<` begins.
pub(super) enum Markup<'a> {
    /// A start tag with its attributes.
    Start(Name<'a>, Attributes<'a>),
    /// An end tag.
    End(Name<'a>),
    /// A comment, a declaration or an instruction.
    Unseen,
}

/// The markup at the start of `html`, which begins with `<`, and its length;
/// none if the `<` is text.
#[expect(
    clippy::inline_always,
    reason = "what it returns, handed over in memory, took a third of the time of a tag"
)]
#[inline(always)]
pub(super) fn markup(html: &[u8]) -> Option<(Markup<'_>, usize)> {
    match html.get(1)? {
        b'!' if html.starts_with(b"<!--") => Some((Markup::Unseen, comment_length(html))),
        b'!' | b'?' => Some((Markup::Unseen, through(html, b'>'))),
        b'/' => match html.get(2)? {
            byte if byte.is_ascii_alphabetic() => {
                let end = name_end(html, 2);
                let length = match html.get(end) {
                    Some(b'>') => end + 1, // nearly all
                    _ => end + through(&html[end..], b'>'),
                };
                Some((Markup::End(Name::new(&html[2..end])), length))
            }
            _ => Some((Markup::Unseen, through(html, b'>'))),
        },
        byte if byte.is_ascii_alphabetic() => {
            let end = name_end(html, 1);
            let attributes = Attributes::at(&html[end..]);
            let length = end + attributes.written.len();
            Some((Markup::Start(Name::new(&html[1..end]), attributes), length))
        }
        _ => None,
    }
}

fn name_end(html: &[u8], start: usize) -> usize {
    let rest = &html[start..];
    let length = rest
        .iter()
        .position(|byte| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace());
    start + length.unwrap_or(rest.len())
}

/// Bytes up to and with the first `end`, or all.
fn through(html: &[u8], end: u8) -> usize {
    memchr(end, html).map_or(html.len(), |at| at + 1)
}

fn comment_length(html: &[u8]) -> usize {
    let content = &html[4..];
    if content.starts_with(b">") {
        return 5;
    }
    if content.starts_with(b"->") {
        return 6;
    }
    memmem::find(content, b"-->").map_or(html.len(), |at| at + 7)
}

/// Bytes that mean something among attributes, or may begin what does.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"> \t\n\r\x0c\"'=/hH";
    let mut at = 0;
    while at < bytes.len() {
        special[bytes[at] as usize] = true;
        at += 1;
    }
    special
};

/// What follows the name in a start tag, with the closing mark.
#[derive(Clone, Copy)]
pub(super) struct Attributes<'a> {
    written: &'a [u8],
    /// Whether the word `hidden` stands outside of quotes, or may do so: where
    /// values are not all in quotes, what is a quote depends on those before.
    may_hide: bool,
}

impl<'a> Attributes<'a> {
    /// The attributes `html` begins with, up to the `>` that ends the tag.
    #[expect(clippy::inline_always, reason = "as `markup`")]
    #[inline(always)]
    fn at(html: &'a [u8]) -> Self {
        let (length, may_hide) = Self::look_through(html);
        Self {
            written: &html[..length],
            may_hide,
        }
    }

    /// Their bytes, and whether they may hide. A `>` within a quoted value does
    /// not end the tag; a quote is one only after an equals sign.
    #[inline(never)]
    fn look_through(html: &[u8]) -> (usize, bool) {
        const WORD: &[u8] = b"hidden";
        let mut may_hide = false;
        let mut is_odd = false; // an equals sign that no quoted value follows
        let mut before = b'/'; // the last byte that is no white space
        let mut at = 0;
        while let Some(&byte) = html.get(at) {
            at += 1;
            match byte {
                b'>' => break,
                b' ' | b'\t' | b'\n' | b'\r' | 0x0c => continue,
                b'"' | b'\'' if before == b'=' => {
                    may_hide |= is_odd;
                    at += through(&html[at..], byte);
                }
                b'=' => is_odd |= matches!(before, b'=' | b'"' | b'\'' | b'/'),
                b'/' => is_odd |= before == b'=',
                b'h' | b'H' => {
                    is_odd |= before == b'=';
                    let word = html.get(at - 1..at - 1 + WORD.len());
                    may_hide |= word.is_some_and(|word| word.eq_ignore_ascii_case(WORD));
                }
                _ => {
                    is_odd |= before == b'=';
                    let rest = &html[at..];
                    let is_special = |byte: &u8| SPECIAL[usize::from(*byte)];
                    at += rest.iter().position(is_special).unwrap_or(rest.len());
                }
            }
            before = byte;
        }
        (at, may_hide)
    }

    /// Whether the tag closes itself.
    pub(super) fn close_their_tag(self) -> bool {
        self.written.ends_with(b"/>")
    }

    /// Their bytes.
    pub(super) const fn written(self) -> &'a [u8] {
        self.written
    }

    /// Whether one of them is `hidden`.
    pub(super) fn hide(self) -> bool {
        // Most tags do not: spares telling names from values.
        self.may_hide
            && attribute_names(self.written).any(|name| name.eq_ignore_ascii_case(b"hidden"))
    }
}

/// The names of a start tag's attributes. `attributes` is what follows its
/// name, with the closing mark.
pub(super) fn attribute_names(attributes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = attributes;
    std::iter::from_fn(move || {
        let is_start = |byte: &u8| !(byte.is_ascii_whitespace() || b"/>".contains(byte));
        rest = &rest[rest.iter().position(is_start)?..];
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"/>=".contains(byte);
        let length = rest.iter().skip(1).position(is_end);
        let (name, after) = rest.split_at(length.map_or(rest.len(), |length| length + 1));
        rest = after.trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            rest = after_value(value.trim_ascii_start());
        }
        Some(name)
    })
}

fn after_value(value: &[u8]) -> &[u8] {
    if let Some(&quote @ (b'"' | b'\'')) = value.first() {
        return &value[1 + through(&value[1..], quote)..];
    }
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
    let end = value.iter().position(is_end).unwrap_or(value.len());
    &value[end..]
}

/// Bytes of content before the end tag of an element whose content is no
/// markup, or all.
pub(super) fn plain_content(html: &[u8], name: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr(b'<', &html[at..]) {
        at += found;
        let rest = &html[at + 1..];
        let is_end = rest.first() == Some(&b'/')
            && rest.len() > name.len()
            && rest[1..=name.len()].eq_ignore_ascii_case(name)
            && rest
                .get(name.len() + 1)
                .is_none_or(|byte| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace());
        if is_end {
            return at;
        }
        at += 1;
    }
    html.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(html: &str) -> Option<usize> {
        markup(html.as_bytes()).map(|(_, length)| length)
    }

    #[test]
    fn tags_end_where_browsers_end_them() {
        assert_eq!(length("<p>x"), Some(3));
        assert_eq!(length("<a href='>' title=\"a>b\">x"), Some(24));
        assert_eq!(length("<p it's>x"), Some(8));
        assert_eq!(length("<a b = \">\">x"), Some(11));
        assert_eq!(length("</p foo>x"), Some(8));
        assert_eq!(length("<p"), Some(2));
        assert_eq!(length("<a b='never closed>x"), Some(20));
    }

    #[test]
    fn a_mark_that_begins_no_tag_is_text() {
        assert_eq!(length("< p"), None);
        assert_eq!(length("<3"), None);
        assert_eq!(length("<"), None);
    }

    #[test]
    fn comments_and_declarations_end_where_browsers_end_them() {
        assert_eq!(length("<!-- a > b -->x"), Some(14));
        assert_eq!(length("<!-->x"), Some(5));
        assert_eq!(length("<!--->x"), Some(6));
        assert_eq!(length("<!doctype html>x"), Some(15));
        assert_eq!(length("<?php echo ?>x"), Some(13));
        assert_eq!(length("</ what>x"), Some(8));
        assert_eq!(length("<!-- never closed>"), Some(18));
    }

    #[test]
    fn hidden_is_an_attribute_and_no_value() {
        for html in [
            "<p hidden>",
            "<p HIDDEN=''>",
            "<p a=b hidden/>",
            "<p a='b'hidden>",
            "<p a=b=\" hidden \">",
            "<p a= b=' hidden '>",
            "<p =\" hidden \">",
            "<p a='b' =\" hidden \">",
            "<p ab/=\" hidden \">",
            "<p ab/cd/ =\" hidden \">",
        ] {
            assert!(hidden(html), "{html}");
        }
        for html in [
            "<p>",
            "<p class=hidden>",
            "<p style='overflow: hidden'>",
            "<p hidden-x>",
            "<p \"hidden\">",
            "<p a = ' hidden '>",
            "<p a='hidden",
        ] {
            assert!(!hidden(html), "{html}");
        }
    }

    fn hidden(html: &str) -> bool {
        match markup(html.as_bytes()) {
            Some((Markup::Start(_, attributes), _)) => attributes.hide(),
            _ => panic!("{html} is no start tag"),
        }
    }

    #[test]
    fn scripts_end_at_their_own_end_tag_only() {
        assert_eq!(plain_content(b"a<b</p></scripts></SCRIPT >", b"script"), 17);
        assert_eq!(plain_content(b"never closed </scrip", b"script"), 20);
        assert_eq!(plain_content(b"x</script", b"script"), 1);
    }
}
