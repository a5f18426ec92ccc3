//! Arbitrary bytes as a sitemap and as a list of URLs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrawl_sources::{MAX_PAGES, sitemap, sniff, url_list};

fuzz_target!(|data: &[u8]| {
    let _ = sniff(data, None);
    if let Ok(sitemap) = sitemap(data) {
        assert!(sitemap.pages.len() <= MAX_PAGES && sitemap.sitemaps.len() <= MAX_PAGES);
        for page in sitemap.pages.iter().chain(&sitemap.sitemaps) {
            assert!(matches!(page.url.scheme(), "http" | "https"));
        }
    }
    if let Ok(entries) = url_list(&String::from_utf8_lossy(data)) {
        for entry in entries {
            assert!(entry.url.fragment().is_none());
        }
    }
});
