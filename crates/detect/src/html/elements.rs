//! What becomes of the text in an element, by its name.

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

/// The role of an element with this name, in lower case.
pub(super) fn role(name: &[u8]) -> Role {
    match name {
        b"a" | b"abbr" | b"acronym" | b"b" | b"bdi" | b"bdo" | b"big" | b"cite" | b"code"
        | b"data" | b"del" | b"dfn" | b"em" | b"font" | b"i" | b"img" | b"ins" | b"kbd"
        | b"label" | b"mark" | b"nobr" | b"picture" | b"q" | b"rp" | b"rt" | b"ruby" | b"s"
        | b"samp" | b"small" | b"source" | b"span" | b"strike" | b"strong" | b"sub" | b"sup"
        | b"time" | b"tt" | b"u" | b"var" | b"wbr" => Role::Inline,
        b"title" | b"textarea" => Role::PlainText,
        b"script" | b"style" | b"noscript" | b"iframe" | b"noembed" | b"noframes" => Role::Unseen,
        b"template" => Role::UnseenMarkup,
        _ => Role::Block,
    }
}

/// Elements without content.
pub(super) fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}

/// Elements that another of the same name ends.
pub(super) fn ends_at_its_like(name: &[u8]) -> bool {
    matches!(
        name,
        b"p" | b"li" | b"dt" | b"dd" | b"option" | b"tr" | b"td" | b"th" | b"thead" | b"tbody"
    )
}
