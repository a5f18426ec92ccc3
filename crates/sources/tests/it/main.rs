//! What is written reads back, and nothing that comes panics.

use proptest::prelude::*;
use recrawl_sources::{Kind, MAX_PAGES, feed, page_url, sitemap, sniff, url_list};

/// Addresses as people write them.
fn address() -> impl Strategy<Value = String> {
    "https?://[a-z]{1,8}\\.(org|example)(:[1-9][0-9]{1,3})?/[a-zA-Z0-9&=?%./~é-]{0,20}"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
}

/// Pieces that mean something to a parser of sources, in any order.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let words = vec![
        "<urlset>",
        "</urlset>",
        "<url>",
        "</url>",
        "<loc>",
        "</loc>",
        "<lastmod>2026-01-12",
        "</lastmod>",
        "<sitemapindex>",
        "<rss version=\"2.0\">",
        "<channel>",
        "<item>",
        "<link>",
        "</link>",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\">",
        "<entry>",
        "<?xml version=\"1.0\" encoding=\"utf-16\"?>",
        "<!DOCTYPE a [",
        "<!ENTITY b \"c\">",
        "]>",
        "&b;",
        "&#38;",
        "<![CDATA[",
        "]]>",
        "https://a.org/",
        "\n",
        " ",
        "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[",
        "\u{feff}",
    ];
    let piece = prop_oneof![
        prop::sample::select(words).prop_map(|word| word.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 1..5),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_sitemap_reads_back_in_every_form(addresses in prop::collection::vec(address(), 1..20)) {
        let expected: Vec<_> = addresses.iter().map(|text| page_url(text).expect("an address")).collect();
        let entries: Vec<String> = addresses.iter().map(|text| format!("<url><loc>{}</loc></url>", escaped(text))).collect();
        let xml = format!("<urlset>{}</urlset>", entries.concat());
        let items: Vec<String> = addresses.iter().map(|text| format!("<item><link>{}</link></item>", escaped(text))).collect();
        let rss = format!("<rss version=\"2.0\"><channel><title/>{}</channel></rss>", items.concat());
        for text in [xml, addresses.join("\n"), rss] {
            let read = sitemap(text.as_bytes()).expect("a sitemap");
            let urls: Vec<_> = read.pages.into_iter().map(|page| page.url).collect();
            prop_assert_eq!(&urls, &expected, "{}", text);
        }
    }

    #[test]
    fn a_list_reads_back(addresses in prop::collection::vec((address(), 0u8..9), 1..20)) {
        let line = |(text, weight): &(String, u8)| format!("{text} weight={weight}\n# more\n");
        let lines: Vec<String> = addresses.iter().map(line).collect();
        match url_list(&lines.concat()) {
            Ok(entries) => {
                let first = page_url(&addresses[0].0).expect("an address");
                prop_assert_eq!(&entries[0].url, &first);
                prop_assert!(entries.len() <= addresses.len());
            }
            Err(error) => prop_assert!(error.to_string().contains("has another weight"), "{}", error),
        }
    }

    #[test]
    fn an_address_read_twice_is_the_same(text in address()) {
        let once = page_url(&text).expect("an address");
        prop_assert_eq!(page_url(once.as_str()).expect("an address"), once);
    }

    #[test]
    fn anything_goes_through(bytes in soup()) {
        let base = page_url("https://a.org/feed").expect("an address");
        let _ = sniff(&bytes, Some("text/plain"));
        let _ = feed(&bytes, Some(&base));
        let _ = url_list(&String::from_utf8_lossy(&bytes));
        if let Ok(read) = sitemap(&bytes) {
            prop_assert!(read.pages.len() <= MAX_PAGES);
            prop_assert_ne!(sniff(&bytes, None), Kind::Html);
        }
    }
}
