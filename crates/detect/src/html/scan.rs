//! Tags and comments, one at a time.

use memchr::{memchr, memchr2, memchr3, memmem};

use super::elements::Name;

/// What a `<` begins.
pub(super) enum Markup<'a> {
    /// A start tag with its attributes.
    Start(Name<'a>, &'a [u8]),
    /// An end tag.
    End(Name<'a>),
    /// A comment, a declaration or an instruction.
    Unseen,
}

/// The markup at the start of `html`, which begins with `<`, and its length;
/// none if the `<` is text.
pub(super) fn markup(html: &[u8]) -> Option<(Markup<'_>, usize)> {
    match html.get(1)? {
        b'!' if html.starts_with(b"<!--") => Some((Markup::Unseen, comment_length(html))),
        b'!' | b'?' => Some((Markup::Unseen, through(html, b'>'))),
        b'/' => match html.get(2)? {
            byte if byte.is_ascii_alphabetic() => {
                let end = name_end(html, 2);
                let length = end + through(&html[end..], b'>');
                Some((Markup::End(Name::new(&html[2..end])), length))
            }
            _ => Some((Markup::Unseen, through(html, b'>'))),
        },
        byte if byte.is_ascii_alphabetic() => {
            let end = name_end(html, 1);
            let length = end + attributes_length(&html[end..]);
            let tag = Markup::Start(Name::new(&html[1..end]), &html[end..length]);
            Some((tag, length))
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

/// Bytes up to and with the `>` that ends a tag. One within a quoted value does
/// not; a quote is one only after an equals sign.
fn attributes_length(html: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr3(b'>', b'"', b'\'', &html[at..]) {
        let mark = at + found;
        if html[mark] == b'>' {
            return mark + 1;
        }
        at = mark + 1;
        if html[..mark].trim_ascii_end().ends_with(b"=") {
            at += through(&html[at..], html[mark]);
        }
    }
    html.len()
}

/// Whether a start tag has the attribute `hidden`. `attributes` is what follows
/// its name, with the closing mark.
pub(super) fn is_hidden(attributes: &[u8]) -> bool {
    if !holds_hidden(attributes) {
        return false; // most tags: spares telling names from values
    }
    attribute_names(attributes).any(|name| name.eq_ignore_ascii_case(b"hidden"))
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

/// Whether the word stands anywhere in the attributes.
fn holds_hidden(attributes: &[u8]) -> bool {
    const WORD: &[u8] = b"hidden";
    let mut rest = attributes;
    while rest.len() > WORD.len()
        && let Some(found) = memchr2(b'h', b'H', rest)
    {
        rest = &rest[found..];
        if rest.len() >= WORD.len() && rest[..WORD.len()].eq_ignore_ascii_case(WORD) {
            return true;
        }
        rest = &rest[1..];
    }
    false
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
        ] {
            assert!(hidden(html), "{html}");
        }
        for html in [
            "<p>",
            "<p class=hidden>",
            "<p style='overflow: hidden'>",
            "<p hidden-x>",
            "<p a='hidden",
        ] {
            assert!(!hidden(html), "{html}");
        }
    }

    fn hidden(html: &str) -> bool {
        match markup(html.as_bytes()) {
            Some((Markup::Start(_, attributes), _)) => is_hidden(attributes),
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
