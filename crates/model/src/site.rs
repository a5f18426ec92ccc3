//! Which site a page belongs to when nobody says.

use url::Url;

/// The host of `page` if it parses as a URL, else `""`.
///
/// ```
/// assert_eq!(recrawl_model::site_of("https://Example.org:8080/a?b"), "example.org");
/// assert_eq!(recrawl_model::site_of("row 17"), "");
/// ```
#[must_use]
pub fn site_of(page: &str) -> String {
    if !page.contains(':') {
        return String::new(); // no scheme, so no URL: spares the parser
    }
    Url::parse(page)
        .ok()
        .and_then(|url| url.host_str().map(str::to_owned))
        .unwrap_or_default()
}
