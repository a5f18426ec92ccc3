//! Feeds: [`feed`].

use feed_rs::model;
use feed_rs::parser::Builder;
use recrawl_model::Timestamp;
use url::Url;

use crate::address::resolve;
use crate::unpack::unpack;
use crate::{Listed, MAX_PAGES, SourceError};

/// Largest feed that is read, decompressed, in bytes. Feeds are short lists;
/// one this long is something else.
const MAX_FEED_BYTES: usize = 16 << 20;

/// What a feed names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    /// Its title.
    pub title: Option<String>,
    /// The pages of its entries, with the time each was updated or, where that
    /// is not told, published. At most [`MAX_PAGES`].
    pub entries: Vec<Listed>,
    /// Entries without a link that is a page's address.
    pub skipped: usize,
}

/// Reads RSS, Atom or JSON Feed, compressed by gzip or not. Links that are
/// relative are resolved against `base`, the address the feed came from.
///
/// # Errors
/// [`SourceError`] if it is no feed, damaged, or larger than 16 MiB.
pub fn feed(bytes: &[u8], base: Option<&Url>) -> Result<Feed, SourceError> {
    let bytes = unpack(bytes, "feed", MAX_FEED_BYTES)?;
    // Without a generator of ours entries without identifier get random ones.
    let parser = Builder::new()
        .base_uri(base.map(Url::as_str))
        .sanitize_content(false)
        .id_generator(|_, _, _| String::new())
        .build();
    let parsed = parser
        .parse(&bytes[..])
        .map_err(|error| SourceError::Feed(error.to_string()))?;
    let mut feed = Feed {
        title: parsed.title.map(|title| title.content),
        entries: Vec::new(),
        skipped: 0,
    };
    for entry in parsed.entries.iter().take(MAX_PAGES) {
        match link_of(entry).and_then(|link| resolve(link, base).ok()) {
            None => feed.skipped += 1,
            Some(url) => feed.entries.push(Listed {
                url,
                last_modified: date_of(entry),
            }),
        }
    }
    Ok(feed)
}

/// The link to the page of an entry: one that says so, or one that says nothing.
fn link_of(entry: &model::Entry) -> Option<&str> {
    let is_page = |link: &&model::Link| matches!(link.rel.as_deref(), None | Some("alternate"));
    let link = entry.links.iter().find(is_page);
    link.or(entry.links.first()).map(|link| link.href.as_str())
}

fn date_of(entry: &model::Entry) -> Option<Timestamp> {
    let date = entry.updated.or(entry.published)?;
    Some(Timestamp::from_micros(date.timestamp_micros()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Url {
        Url::parse("https://a.org/blog/feed.xml").expect("an address")
    }

    fn read(text: &str) -> Feed {
        feed(text.as_bytes(), Some(&base())).expect("a feed")
    }

    #[test]
    fn rss_entries_come_with_link_and_date() {
        let feed = read(
            "<rss version=\"2.0\"><channel><title>T</title>\
             <item><link>https://b.org/1#c</link><pubDate>Mon, 12 Jan 2026 10:00:00 GMT</pubDate></item>\
             <item><link>/2</link></item><item><title>no link</title></item></channel></rss>",
        );
        assert_eq!(feed.title.as_deref(), Some("T"));
        assert_eq!(feed.entries[0].url.as_str(), "https://b.org/1");
        let monday = Timestamp::from_seconds(1_768_212_000);
        assert_eq!(feed.entries[0].last_modified, Some(monday));
        assert_eq!(feed.entries[1].url.as_str(), "https://a.org/2");
        assert_eq!(feed.entries[1].last_modified, None);
        assert_eq!((feed.entries.len(), feed.skipped), (2, 1));
    }

    #[test]
    fn atom_entries_tell_when_they_were_updated_not_published() {
        let feed = read(
            r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>f</id>
               <updated>2026-02-01T00:00:00Z</updated><entry><id>e</id><title>x</title>
               <published>2026-01-01T00:00:00Z</published><updated>2026-01-12T10:00:00Z</updated>
               <link rel="self" href="https://a.org/e.atom"/><link rel="alternate" href="e.html"/>
               </entry></feed>"#,
        );
        assert_eq!(feed.entries[0].url.as_str(), "https://a.org/blog/e.html");
        let updated = Timestamp::from_seconds(1_768_212_000);
        assert_eq!(feed.entries[0].last_modified, Some(updated));
    }

    #[test]
    fn json_feeds_are_read_too() {
        let feed = read(
            r#"{"version":"https://jsonfeed.org/version/1.1","title":"T","items":
               [{"id":"1","url":"https://a.org/1","date_published":"2026-01-12T10:00:00Z"}]}"#,
        );
        assert_eq!(feed.entries[0].url.as_str(), "https://a.org/1");
        assert!(feed.entries[0].last_modified.is_some());
    }

    #[test]
    fn what_is_no_feed_is_refused() {
        for text in [
            "",
            "hello",
            "<html><p>x</p></html>",
            "<rss version=\"2.0\"><channel>",
        ] {
            let error = feed(text.as_bytes(), None).expect_err(text);
            assert!(matches!(error, SourceError::Feed(_)), "{error}");
        }
    }

    #[test]
    fn entities_are_never_expanded() {
        let ten = |level: u32| format!("&l{level};").repeat(10);
        let entities: Vec<String> = (1..10)
            .map(|level| format!("<!ENTITY l{level} \"{}\">", ten(level - 1)))
            .collect();
        let text = format!(
            "<!DOCTYPE rss [<!ENTITY l0 \"lol\">{}]>\
             <rss version=\"2.0\"><channel><title>&l9;</title></channel></rss>",
            entities.concat()
        );
        let title = feed(text.as_bytes(), None).ok().and_then(|feed| feed.title);
        assert!(title.is_none_or(|title| title.len() < 10));
    }

    #[test]
    fn deep_nesting_is_survived() {
        let deep = format!(
            "<rss version=\"2.0\"><channel><item><description>{}",
            "<a>".repeat(100_000)
        );
        assert!(feed(deep.as_bytes(), None).is_err());
    }
}
