//! Sites by number: [`SiteNumbers`].

use std::collections::BTreeMap;

use recrawl_model::SiteId;

/// The numbers of sites, in the order they came up. Pages have theirs in the
/// store, where their URLs stay: a million URLs would not fit in the memory a laptop has to spare.
#[derive(Debug, Default)]
pub(crate) struct SiteNumbers {
    numbers: BTreeMap<String, SiteId>,
}

impl SiteNumbers {
    /// The number of a site.
    pub(crate) fn of(&mut self, name: &str) -> SiteId {
        if let Some(&site) = self.numbers.get(name) {
            return site;
        }
        let site = SiteId(self.numbers.len() as u32);
        self.numbers.insert(name.to_owned(), site);
        site
    }
}
