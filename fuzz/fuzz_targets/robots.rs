//! Arbitrary bytes as a `robots.txt`: there is always a verdict, the same one
//! every time, and no delay beyond the cap.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrawl_fetch::{MOST_CRAWL_DELAY, RobotsVerdict, robots_file_verdict};
use url::Url;

fuzz_target!(|bytes: &[u8]| {
    for address in ["https://a.example/", "https://a.example/a/b%7E?c=d*$"] {
        let Ok(page) = Url::parse(address) else {
            unreachable!("{address} is a URL");
        };
        let verdict = robots_file_verdict(bytes, "recrawl", &page);
        if let RobotsVerdict::Allowed { delay: Some(delay) } = &verdict {
            assert!(*delay <= MOST_CRAWL_DELAY);
        }
        assert!(!matches!(verdict, RobotsVerdict::Wait { .. }));
        assert_eq!(verdict, robots_file_verdict(bytes, "recrawl", &page));
    }
});
