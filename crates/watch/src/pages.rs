//! Sites by number: [`Pages`].

use std::collections::BTreeMap;

use recrawl_model::SiteId;

/// The numbers of sites, in the order they came up. Pages themselves stay in
/// the store: a million URLs would not fit in the memory a laptop has to spare.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    sites: BTreeMap<String, SiteId>,
}

impl Pages {
    /// The number of a site.
    pub(crate) fn site(&mut self, name: &str) -> SiteId {
        if let Some(&site) = self.sites.get(name) {
            return site;
        }
        let site = SiteId(self.sites.len() as u32);
        self.sites.insert(name.to_owned(), site);
        site
    }
}
