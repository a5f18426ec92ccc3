//! Sitemaps and indexes of sitemaps: [`sitemap`].

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, Event};

use crate::address::{page_url, shown};
use crate::date::w3c_date;
use crate::feed::feed;
use crate::sniff::root_name;
use crate::unpack::unpack;
use crate::{Listed, MAX_PAGES, MAX_SOURCE_BYTES, SourceError};

/// Longest content of an element that is kept, in bytes; addresses are shorter.
const MAX_CONTENT_BYTES: usize = 16_384;

/// What a sitemap names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sitemap {
    /// Pages, with `lastmod` where it is told. `changefreq` and `priority` are
    /// not read: they are rarely true.
    pub pages: Vec<Listed>,
    /// Further sitemaps, of an index.
    pub sitemaps: Vec<Listed>,
    /// Entries without an address that can be visited.
    pub skipped: usize,
    /// Whether it holds more than the 50,000 addresses that are taken.
    pub truncated: bool,
}

/// Reads a sitemap: XML, an index, plain lines of addresses, RSS or Atom, each
/// compressed by gzip or not.
///
/// Document types are refused and only the entities of XML itself are replaced,
/// so that a small text stays small.
///
/// # Errors
/// [`SourceError`] if it is something else, not well-formed or larger than
/// 50 MiB.
pub fn sitemap(bytes: &[u8]) -> Result<Sitemap, SourceError> {
    let bytes = unpack(bytes, "sitemap", MAX_SOURCE_BYTES)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if !text.starts_with('<') {
        return plain(text);
    }
    match root_name(text).as_deref() {
        Some("urlset" | "sitemapindex") => xml(text),
        Some("rss" | "feed" | "RDF") => {
            let feed = feed(&bytes, None)?;
            Ok(Sitemap {
                pages: feed.entries,
                skipped: feed.skipped,
                ..Sitemap::default()
            })
        }
        Some(name) => Err(other(name)),
        // Either it is broken, and reading on says where, or it has no element.
        None => xml(text).and_then(|_| Err(other(text))),
    }
}

fn other(found: &str) -> SourceError {
    SourceError::Other {
        what: "sitemap",
        found: shown(found),
    }
}

/// One address a line.
fn plain(text: &str) -> Result<Sitemap, SourceError> {
    let mut sitemap = Sitemap::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        sitemap.add(List::Pages, line, None);
    }
    if sitemap.pages.is_empty() {
        return Err(other(text.lines().next().unwrap_or_default()));
    }
    Ok(sitemap)
}

#[derive(Clone, Copy)]
enum List {
    Pages,
    Sitemaps,
}

impl Sitemap {
    fn add(&mut self, list: List, address: &str, date: Option<&str>) {
        let last_modified = date.and_then(w3c_date);
        let list = match list {
            List::Pages => &mut self.pages,
            List::Sitemaps => &mut self.sitemaps,
        };
        if list.len() == MAX_PAGES {
            self.truncated = true;
            return;
        }
        match page_url(address) {
            Ok(url) => list.push(Listed { url, last_modified }),
            Err(_) => self.skipped += 1,
        }
    }
}

/// The content of the entry being read.
#[derive(Default)]
struct Content {
    address: String,
    date: String,
    /// Which of the two is open.
    open: Option<Field>,
}

#[derive(Clone, Copy)]
enum Field {
    Address,
    Date,
}

impl Content {
    fn push(&mut self, text: &str) {
        let field = match self.open {
            None => return,
            Some(Field::Address) => &mut self.address,
            Some(Field::Date) => &mut self.date,
        };
        if field.len() + text.len() <= MAX_CONTENT_BYTES {
            field.push_str(text);
        }
    }
}

fn xml(text: &str) -> Result<Sitemap, SourceError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut sitemap = Sitemap::default();
    let mut content = Content::default();
    let mut depth = 0usize;
    loop {
        let event = reader
            .read_event()
            .map_err(|error| SourceError::Malformed {
                at: reader.error_position(),
                reason: error.to_string(),
            })?;
        match event {
            Event::DocType(_) => return Err(SourceError::DocumentType),
            Event::Start(tag) => {
                depth += 1;
                // Images and videos name addresses too, one level deeper.
                content.open = match tag.local_name().as_ref() {
                    "loc" if depth == 3 => Some(Field::Address),
                    "lastmod" if depth == 3 => Some(Field::Date),
                    _ => None,
                };
            }
            Event::End(tag) => {
                content.open = None;
                if depth == 2 {
                    let entry = std::mem::take(&mut content);
                    let list = match tag.local_name().as_ref() {
                        "sitemap" => List::Sitemaps,
                        _ => List::Pages,
                    };
                    sitemap.add(list, &entry.address, Some(&entry.date));
                }
                depth = depth.saturating_sub(1);
            }
            Event::Text(text) => content.push(&text),
            Event::CData(text) => content.push(&text),
            Event::GeneralRef(reference) => content.push(&replaced(&reference)),
            Event::Eof => break,
            _ => {}
        }
    }
    if depth > 0 {
        return Err(SourceError::Malformed {
            at: reader.buffer_position(),
            reason: "it ends before its elements do".to_owned(),
        });
    }
    Ok(sitemap)
}

/// The character of `&#…;` or of one of the five names XML has; other names
/// stay as they are, which makes the address a bad one.
fn replaced(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    let name: &str = reference;
    match resolve_xml_entity(name) {
        Some(text) => text.to_owned(),
        None => format!("&{name};"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::Timestamp;

    fn read(text: &str) -> Sitemap {
        sitemap(text.as_bytes()).expect("a sitemap")
    }

    fn addresses(list: &[Listed]) -> Vec<&str> {
        list.iter().map(|listed| listed.url.as_str()).collect()
    }

    #[test]
    fn pages_come_with_their_dates() {
        let sitemap = read(
            r#"<?xml version="1.0" encoding="UTF-8"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i">
            <url><loc> https://a.org/?a=1&amp;b=2&#38;c </loc><lastmod>2026-01-12</lastmod>
              <priority>1.0</priority><image:image><image:loc>https://a.org/i.png</image:loc></image:image></url>
            <url><loc><![CDATA[https://a.org/two]]></loc><lastmod>soon</lastmod></url>
            <url><loc>/relative</loc></url><url/></urlset>"#,
        );
        assert_eq!(
            addresses(&sitemap.pages),
            ["https://a.org/?a=1&b=2&c", "https://a.org/two"]
        );
        let day = Timestamp::from_seconds(1_768_176_000);
        assert_eq!(sitemap.pages[0].last_modified, Some(day));
        assert_eq!(sitemap.pages[1].last_modified, None);
        assert_eq!((sitemap.skipped, sitemap.truncated), (2, false));
    }

    #[test]
    fn an_index_names_sitemaps() {
        let sitemap = read(
            "<s:sitemapindex xmlns:s=\"x\"><s:sitemap><s:loc>https://a.org/1.xml.gz</s:loc>\
             <s:lastmod>2026-01-12T10:00Z</s:lastmod></s:sitemap></s:sitemapindex>",
        );
        assert_eq!(addresses(&sitemap.sitemaps), ["https://a.org/1.xml.gz"]);
        assert!(sitemap.sitemaps[0].last_modified.is_some() && sitemap.pages.is_empty());
    }

    #[test]
    fn plain_lines_and_feeds_are_sitemaps_too() {
        let lines = read("\u{feff}https://a.org/1\r\n\nnot one\nhttps://a.org/2\n");
        assert_eq!(
            addresses(&lines.pages),
            ["https://a.org/1", "https://a.org/2"]
        );
        assert_eq!(lines.skipped, 1);
        let feed = read(
            "<rss version=\"2.0\"><channel><title/><item><link>https://a.org/1</link></item></channel></rss>",
        );
        assert_eq!(addresses(&feed.pages), ["https://a.org/1"]);
    }

    #[test]
    fn what_is_no_sitemap_is_refused_and_named() {
        let error = |text: &str| sitemap(text.as_bytes()).expect_err(text).to_string();
        assert_eq!(
            error("<html><p>404</p></html>"),
            "not a sitemap: it begins with `html`"
        );
        assert_eq!(
            error("Not found"),
            "not a sitemap: it begins with `Not found`"
        );
        assert_eq!(
            error("<!-- a -->"),
            "not a sitemap: it begins with `<!-- a -->`"
        );
        assert_eq!(error(""), "not a sitemap: it begins with ``");
        assert!(
            error("<urlset><url><loc>https://a.org").starts_with("not well-formed XML at byte")
        );
        assert!(error("<urlset><url></urlset>").starts_with("not well-formed XML at byte"));
    }

    #[test]
    fn a_billion_laughs_are_refused_at_once() {
        let text = "<?xml version=\"1.0\"?><!DOCTYPE urlset [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\
            <urlset><url><loc>https://a.org/&b;</loc></url></urlset>";
        assert_eq!(sitemap(text.as_bytes()), Err(SourceError::DocumentType));
        let undefined = read("<urlset><url><loc>https://a.org/&b;</loc></url></urlset>");
        assert_eq!(addresses(&undefined.pages), ["https://a.org/&b;"]);
    }

    #[test]
    fn more_than_fifty_thousand_pages_are_cut() {
        let entry = "<url><loc>https://a.org/</loc></url>";
        let sitemap = read(&format!("<urlset>{}</urlset>", entry.repeat(MAX_PAGES + 5)));
        assert_eq!((sitemap.pages.len(), sitemap.truncated), (MAX_PAGES, true));
    }

    #[test]
    fn deep_nesting_and_long_content_are_survived() {
        let deep = format!("<urlset>{}", "<url>".repeat(200_000));
        assert!(sitemap(deep.as_bytes()).is_err());
        let long = format!(
            "<urlset><url><loc>https://a.org/{}</loc></url></urlset>",
            "x".repeat(1 << 20)
        );
        assert_eq!(read(&long).skipped, 1);
    }
}
