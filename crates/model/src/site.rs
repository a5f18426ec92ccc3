//! Which site a page belongs to.

use std::collections::BTreeMap;

use url::Url;

use crate::Names;

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

/// Distinct sites, numbered in the order they came up.
#[derive(Debug, Default)]
pub(crate) struct SiteList {
    names: Names,
    numbers: BTreeMap<String, u32>,
    /// The last origin seen by [`Self::site_of`], and its site.
    last: Option<(String, u32)>,
}

impl SiteList {
    /// The number of a site.
    pub(crate) fn intern(&mut self, site: &str) -> u32 {
        if let Some(&number) = self.numbers.get(site) {
            return number;
        }
        let number = self.names.push(site) as u32;
        self.numbers.insert(site.to_owned(), number);
        number
    }

    /// The site of that number.
    pub(crate) fn get(&self, number: u32) -> &str {
        self.names.get(number as usize)
    }

    /// The number of [`site_of`] a page; neighbours of one host are parsed once.
    pub(crate) fn site_of(&mut self, page: &str) -> u32 {
        let origin = plain_origin(page);
        if let (Some(origin), Some((last, number))) = (origin, &self.last)
            && origin == last
        {
            return *number;
        }
        let number = self.intern(&site_of(page));
        if let Some(origin) = origin {
            self.last = Some((origin.to_owned(), number));
        }
        number
    }

    /// The sites in order of their names, and the place of each number there.
    pub(crate) fn sorted(self) -> (Names, Vec<u32>) {
        let mut sorted = Names::new();
        let mut places = vec![0; self.names.len()];
        for (site, number) in self.numbers {
            places[number as usize] = sorted.push(&site) as u32;
        }
        (sorted, places)
    }
}

/// What decides the host of a web address and nothing else: scheme, host and
/// port, if they are written plainly. What may follow them, a path, a query or a
/// fragment, neither changes the host nor makes the address invalid.
fn plain_origin(page: &str) -> Option<&str> {
    let authority = page
        .strip_prefix("https://")
        .or_else(|| page.strip_prefix("http://"))?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b".-:".contains(byte);
    let length = authority.bytes().take_while(|byte| is_plain(byte)).count();
    let follows = authority.as_bytes().get(length);
    let ends = follows.is_none_or(|byte| b"/?#".contains(byte));
    let origin = &page[..page.len() - authority.len() + length];
    (length > 0 && ends).then_some(origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sites_are_numbered_once_and_sorted_at_the_end() {
        let mut sites = SiteList::default();
        let b = sites.site_of("https://b.org/x");
        let a = sites.intern("a.org");
        assert_eq!(sites.site_of("https://b.org/y"), b);
        assert_eq!(sites.site_of("http://a.org?q"), a);
        assert_eq!((sites.get(b), sites.get(a)), ("b.org", "a.org"));
        let (names, places) = sites.sorted();
        assert_eq!(names.iter().collect::<Vec<_>>(), ["a.org", "b.org"]);
        assert_eq!((places[b as usize], places[a as usize]), (1, 0));
    }

    proptest! {
        #[test]
        fn remembering_the_origin_never_changes_the_site(
            pages in prop::collection::vec("https?:[/\\\\]{0,3}[aA.:0@ -]{0,4}[/?#\\\\a]{0,2}[a:@.]{0,2}", 1..20),
        ) {
            let mut sites = SiteList::default();
            for page in &pages {
                let number = sites.site_of(page);
                prop_assert_eq!(sites.get(number), site_of(page), "{}", page);
            }
        }
    }
}
