//! What sort of document a body is: [`Kind`].

/// Bytes looked at to tell one kind from another.
const SNIFFED_BYTES: usize = 1_024;

/// A sort of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Html,
    Json,
    /// RSS, Atom or JSON Feed.
    Feed,
    /// Text without structure.
    Lines,
    /// Anything else.
    Binary,
}

/// Tells the kind by the type the server gave and by how the body begins.
pub(crate) fn kind_of(bytes: &[u8], content_type: Option<&str>) -> Kind {
    let start = beginning(bytes);
    if looks_like_feed(start) {
        return Kind::Feed; // many servers call feeds text/html or text/xml
    }
    let essence = content_type.map(essence).unwrap_or_default();
    match essence.as_str() {
        "text/html" | "application/xhtml+xml" => return Kind::Html,
        "application/json" | "text/json" => return Kind::Json,
        "application/rss+xml" | "application/atom+xml" | "application/feed+json" => {
            return Kind::Feed;
        }
        _ if essence.ends_with("+json") => return Kind::Json,
        _ => {}
    }
    if looks_like_html(start) {
        return Kind::Html;
    }
    if essence.starts_with("text/") || essence.ends_with("xml") {
        return Kind::Lines;
    }
    if !essence.is_empty() && essence != "application/octet-stream" {
        return Kind::Binary;
    }
    match start.first() {
        Some(b'{' | b'[') => Kind::Json,
        _ if start.contains(&0) => Kind::Binary,
        _ => Kind::Lines,
    }
}

/// `Text/HTML; charset=x` is `text/html`.
fn essence(content_type: &str) -> String {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// The first bytes after a byte order mark and white space.
fn beginning(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bytes = bytes.trim_ascii_start();
    &bytes[..bytes.len().min(SNIFFED_BYTES)]
}

fn looks_like_html(start: &[u8]) -> bool {
    let begins = |word: &[u8]| {
        start
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    [&b"<!doctype html"[..], b"<html", b"<head", b"<body"]
        .into_iter()
        .any(begins)
}

fn looks_like_feed(start: &[u8]) -> bool {
    let has = |word: &[u8]| memchr::memmem::find(start, word).is_some();
    if start.first() == Some(&b'{') {
        return has(b"jsonfeed.org/version/");
    }
    if start.first() != Some(&b'<') || looks_like_html(start) {
        return false;
    }
    has(b"<rss") || has(b"<rdf:RDF") || (has(b"<feed") && has(b"http://www.w3.org/2005/Atom"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_the_server_is_believed_where_it_says_something() {
        assert_eq!(kind_of(b"hello", Some("text/html; charset=x")), Kind::Html);
        assert_eq!(kind_of(b"hello", Some("TEXT/plain")), Kind::Lines);
        assert_eq!(kind_of(b"hello", Some("application/pdf")), Kind::Binary);
        assert_eq!(kind_of(b"{}", Some("application/ld+json")), Kind::Json);
        assert_eq!(kind_of(b"<a/>", Some("application/xml")), Kind::Lines);
    }

    #[test]
    fn without_a_type_the_beginning_decides() {
        assert_eq!(kind_of(b"\n <!DOCTYPE HTML><p>", None), Kind::Html);
        assert_eq!(kind_of(b"\xef\xbb\xbf{\"a\":1}", None), Kind::Json);
        assert_eq!(kind_of(b"just words", None), Kind::Lines);
        assert_eq!(kind_of(b"\x7fELF\0\0", None), Kind::Binary);
        assert_eq!(
            kind_of(b"\x7fELF\0\0", Some("application/octet-stream")),
            Kind::Binary
        );
    }

    #[test]
    fn feeds_are_told_whatever_they_are_called() {
        let rss = b"<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel/></rss>";
        assert_eq!(kind_of(rss, Some("text/html")), Kind::Feed);
        let json = br#"{"version": "https://jsonfeed.org/version/1.1", "items": []}"#;
        assert_eq!(kind_of(json, Some("application/json")), Kind::Feed);
        let page = b"<!doctype html><pre>&lt;rss <rss";
        assert_eq!(kind_of(page, Some("text/html")), Kind::Html);
    }
}
