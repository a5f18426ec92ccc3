//! How many visits a site may get in one cycle: [`SiteCaps`].

use recrawl_model::{PageId, SiteId};

use crate::Collection;

/// The same limit for every site, and what each has left of it. A page of a
/// site that has nothing left is closed for the rest of the cycle.
#[derive(Debug, Clone)]
pub(crate) struct SiteCaps {
    most: u32,
    /// What is left to each site.
    left: Vec<u32>,
    /// The site of each page: the ledger knows pages alone.
    site_of: Vec<SiteId>,
}

impl SiteCaps {
    /// At most `most` visits a site.
    pub(crate) const fn new(most: u32) -> Self {
        Self {
            most,
            left: Vec::new(),
            site_of: Vec::new(),
        }
    }

    /// Starts a cycle. Visits still in flight count for the cycle that asked.
    pub(crate) fn begin(&mut self, collection: &Collection) {
        for page in self.site_of.len()..collection.slots() {
            self.site_of
                .push(collection.summary(PageId(page as u32)).site());
        }
        self.left.clear();
        self.left.resize(collection.sites(), self.most);
    }

    /// Whether the page's site may be visited once more.
    pub(crate) fn allow(&self, page: PageId) -> bool {
        self.left_to(page).is_none_or(|left| left > 0)
    }

    /// Counts a visit of the page.
    pub(crate) fn take(&mut self, page: PageId) {
        if let Some(site) = self.site_of.get(page.index())
            && let Some(left) = self.left.get_mut(site.index())
        {
            *left = left.saturating_sub(1);
        }
    }

    /// Gives back a visit that was not made.
    pub(crate) fn give_back(&mut self, page: PageId) {
        if let Some(site) = self.site_of.get(page.index())
            && let Some(left) = self.left.get_mut(site.index())
        {
            *left = (*left + 1).min(self.most);
        }
    }

    /// `None` for a page added within the cycle, which is closed anyway.
    fn left_to(&self, page: PageId) -> Option<u32> {
        let site = self.site_of.get(page.index())?;
        self.left.get(site.index()).copied()
    }

    /// Bytes held.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.left.capacity() * size_of::<u32>() + self.site_of.capacity() * size_of::<SiteId>()
    }
}
