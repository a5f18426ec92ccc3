//! The entries of a feed as text.

use feed_rs::model::Entry;
use feed_rs::parser::Builder;

use crate::html::visible_text;
use crate::lines::{Collapsed, Lines};

/// Largest feed that is read by entries, in bytes.
const MAX_FEED_BYTES: usize = 16 << 20;

/// A feed as lines: identifier, title, links and text of each entry, after the
/// title of the feed. None if it is no feed or too large.
///
/// Dates are left out: many feeds are built anew at every request.
pub(crate) fn feed_text(bytes: &[u8]) -> Option<Lines> {
    if bytes.len() > MAX_FEED_BYTES {
        return None;
    }
    // Without a generator of ours entries without identifier get random ones.
    let parser = Builder::new()
        .sanitize_content(false)
        .id_generator(|_, _, _| String::new())
        .build();
    let feed = parser.parse(bytes).ok()?;
    let mut lines = Collapsed::with_capacity(bytes.len());
    if let Some(title) = &feed.title {
        push(&mut lines, &title.content);
    }
    for entry in &feed.entries {
        push_entry(&mut lines, entry);
    }
    Some(lines.finish())
}

fn push_entry(lines: &mut Collapsed, entry: &Entry) {
    push(lines, &entry.id);
    for link in &entry.links {
        push(lines, &link.href);
    }
    let content = entry
        .content
        .as_ref()
        .and_then(|content| content.body.as_deref());
    let texts = [&entry.title, &entry.summary];
    let texts = texts
        .into_iter()
        .flatten()
        .map(|text| text.content.as_str());
    for text in texts.chain(content) {
        lines.lines(&visible_text(text.as_bytes()).text);
    }
}

fn push(lines: &mut Collapsed, text: &str) {
    lines.text(text.as_bytes());
    lines.end_block();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rss(built: &str, entries: &str) -> Option<String> {
        let feed = format!(
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title>\
             <lastBuildDate>{built}</lastBuildDate>{entries}</channel></rss>"
        );
        text(feed.as_bytes())
    }

    fn text(feed: &[u8]) -> Option<String> {
        feed_text(feed).map(|lines| String::from_utf8(lines.text).expect("text"))
    }

    #[test]
    fn entries_count_and_the_date_of_building_does_not() {
        let entry = "<item><title>One</title><link>https://a.org/1</link><guid>g1</guid>\
             <description>&lt;p&gt;Hello&lt;/p&gt; world</description></item>";
        let monday = rss("Mon, 12 Jan 2026 10:00:00 GMT", entry).expect("a feed");
        assert_eq!(monday, "T\ng1\nhttps://a.org/1\nOne\nHello\nworld");
        assert_eq!(rss("Tue, 13 Jan 2026 10:00:00 GMT", entry), Some(monday));
    }

    #[test]
    fn entries_without_identifier_are_the_same_every_time() {
        let entry = "<item><title>One</title></item>";
        assert_eq!(rss("", entry).as_deref(), Some("T\nOne"));
        assert_eq!(rss("", entry), rss("", entry));
    }

    #[test]
    fn atom_and_json_feeds_are_read_too() {
        let atom = br#"<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>f</id>
            <updated>2026-01-12T10:00:00Z</updated><entry><id>e1</id><title>One</title>
            <updated>2026-01-12T10:00:00Z</updated><content type="html">&lt;b&gt;x&lt;/b&gt;</content></entry></feed>"#;
        assert_eq!(text(atom).as_deref(), Some("T\ne1\nOne\nx"));
        let json = br#"{"version":"https://jsonfeed.org/version/1.1","title":"T",
            "items":[{"id":"e1","url":"https://a.org/1","content_text":"x"}]}"#;
        assert_eq!(text(json).as_deref(), Some("T\ne1\nhttps://a.org/1\nx"));
    }

    #[test]
    fn what_is_no_feed_is_refused() {
        assert_eq!(feed_text(b"<html><p>no feed</p></html>"), None);
        assert_eq!(feed_text(b"<rss version=\"2.0\"><channel>"), None);
    }
}
