//! What a response holds: [`sniff`].

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::address::page_url;
use crate::unpack::unpack_beginning;

/// Bytes looked at; prologues and comments of sources are shorter.
const SNIFFED_BYTES: usize = 4_096;

/// What a response is to be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A sitemap or an index of sitemaps, in XML or as plain lines: for
    /// [`sitemap`](crate::sitemap()).
    Sitemap,
    /// RSS, Atom or JSON Feed: for [`feed`](crate::feed()).
    Feed,
    /// An HTML page.
    Html,
    /// Anything else.
    Other,
}

/// Tells what a response holds by how it begins, compressed or not; where that
/// says nothing, by the type its server gave.
#[must_use]
pub fn sniff(bytes: &[u8], content_type: Option<&str>) -> Kind {
    let start = unpack_beginning(bytes, SNIFFED_BYTES);
    let start = String::from_utf8_lossy(&start);
    let start = start.trim_start_matches('\u{feff}').trim_start();
    let essence = content_type.unwrap_or_default().split(';').next();
    let essence = essence.unwrap_or_default().trim().to_ascii_lowercase();
    match root_name(start).as_deref() {
        Some("urlset" | "sitemapindex") => return Kind::Sitemap,
        Some("rss" | "feed" | "RDF") => return Kind::Feed,
        Some(name) if name.eq_ignore_ascii_case("html") => return Kind::Html,
        _ => {}
    }
    if start.starts_with('{') && start.contains("jsonfeed.org/version/") {
        return Kind::Feed;
    }
    let has_words = |words: &str| essence.contains(words);
    if has_words("html") || starts_with(start, "<!doctype html") {
        return Kind::Html;
    }
    if has_words("rss+xml") || has_words("atom+xml") || has_words("feed+json") {
        return Kind::Feed;
    }
    let first_line = start.lines().next().unwrap_or_default().trim();
    if (essence.is_empty() || essence == "text/plain") && page_url(first_line).is_ok() {
        return Kind::Sitemap;
    }
    Kind::Other
}

fn starts_with(text: &str, word: &str) -> bool {
    let start = text.as_bytes().get(..word.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// The name of the first element, without its prefix, of a text that begins
/// with a mark.
pub(crate) fn root_name(text: &str) -> Option<String> {
    if !text.starts_with('<') {
        return None;
    }
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) | Event::Empty(tag) => {
                return Some(tag.local_name().as_ref().to_owned());
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_by_how_they_begin() {
        let sitemap = b"\xef\xbb\xbf<?xml version=\"1.0\"?><!-- made --><s:urlset xmlns:s=\"x\">";
        assert_eq!(sniff(sitemap, Some("text/html")), Kind::Sitemap);
        assert_eq!(sniff(b"<sitemapindex>", None), Kind::Sitemap);
        assert_eq!(
            sniff(b"https://a.org/\nhttps://a.org/b", Some("text/plain")),
            Kind::Sitemap
        );
        assert_eq!(sniff(b"<rss version='2.0'>", Some("text/xml")), Kind::Feed);
        assert_eq!(sniff(b"<rdf:RDF>", None), Kind::Feed);
        assert_eq!(
            sniff(b"{\"version\": \"https://jsonfeed.org/version/1\"", None),
            Kind::Feed
        );
        assert_eq!(sniff(b"<!DOCTYPE HTML><p>", None), Kind::Html);
        assert_eq!(sniff(b"<html lang=en>", None), Kind::Html);
    }

    #[test]
    fn where_the_beginning_says_nothing_the_server_is_asked() {
        assert_eq!(
            sniff(b"<p>hello", Some("text/html; charset=utf-8")),
            Kind::Html
        );
        assert_eq!(sniff(b"", Some("application/rss+xml")), Kind::Feed);
        assert_eq!(sniff(b"hello", Some("text/plain")), Kind::Other);
        assert_eq!(
            sniff(b"https://a.org/", Some("application/json")),
            Kind::Other
        );
        assert_eq!(sniff(b"\x1f\x8bnot gzip", None), Kind::Other);
        assert_eq!(sniff(b"", None), Kind::Other);
    }
}
