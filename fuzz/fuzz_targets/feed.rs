//! Arbitrary bytes as a feed, with and without an address it came from.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrawl_sources::{feed, page_url};

fuzz_target!(|data: &[u8]| {
    let base = page_url("https://example.org/blog/feed.xml").expect("an address");
    let _ = feed(data, None);
    if let Ok(feed) = feed(data, Some(&base)) {
        for entry in feed.entries {
            assert!(matches!(entry.url.scheme(), "http" | "https"));
        }
    }
});
