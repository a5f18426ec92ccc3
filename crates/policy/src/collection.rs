//! All pages a scheduler knows: [`Collection`].

use recrawl_model::{Outcome, PageId, SiteId, Timestamp, Weight};

use crate::bits::Bits;
use crate::sites::Sites;
use crate::{OutOfOrder, Summary};

/// The pages: a [`Summary`] each, their sites and their weights.
///
/// A page costs 32 bytes of summary, 8 of membership, an eighth of a byte of
/// flags, and 4 of weight once any page weighs other than 1.
#[derive(Debug, Clone, Default)]
pub struct Collection {
    summaries: Vec<Summary>,
    sites: Sites,
    /// Empty while every page weighs 1.
    weights: Vec<Weight>,
    pub(crate) gone: Bits,
    live: usize,
}

impl Collection {
    /// No pages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the memory of `pages` pages once, so that none is lost to
    /// growing.
    pub fn reserve(&mut self, pages: usize) {
        let more = pages.saturating_sub(self.summaries.len());
        self.summaries.reserve_exact(more);
        self.sites.reserve(pages);
        self.gone.reserve(pages);
    }

    /// Adds a page never visited.
    ///
    /// # Panics
    /// Beyond 2^32 - 1 pages.
    pub fn add(&mut self, site: SiteId, weight: Weight) -> PageId {
        let page = self.summaries.len();
        assert!(
            page < u32::MAX as usize,
            "more pages than a PageId can tell apart"
        );
        self.summaries.push(Summary::unseen(site));
        self.sites.add();
        self.gone.grow(page + 1);
        if weight != Weight::ONE && self.weights.is_empty() {
            self.weigh_each(page);
        }
        if weight != Weight::ONE || !self.weights.is_empty() {
            self.weights.push(weight);
        }
        self.live += 1;
        PageId(page as u32)
    }

    /// Gives a page another importance. Says whether it was ever added.
    pub fn set_weight(&mut self, page: PageId, weight: Weight) -> bool {
        if page.index() >= self.slots() {
            return false;
        }
        if weight != Weight::ONE && self.weights.is_empty() {
            self.weigh_each(self.slots());
        }
        if let Some(slot) = self.weights.get_mut(page.index()) {
            *slot = weight;
        }
        true
    }

    /// Keeps a weight of its own for each of the first `pages` pages.
    fn weigh_each(&mut self, pages: usize) {
        self.weights.reserve_exact(self.summaries.capacity());
        self.weights.resize(pages, Weight::ONE);
    }

    /// Takes a page out. Its number is not given to another. Says whether it
    /// was there.
    pub fn remove(&mut self, page: PageId) -> bool {
        if !self.contains(page) {
            return false;
        }
        self.gone.set(page.index());
        self.sites.remove(page, self.summaries[page.index()].site());
        self.live -= 1;
        true
    }

    /// Takes a removed page back in, with what was known of it. Says whether
    /// there was one.
    pub fn restore(&mut self, page: PageId) -> bool {
        if page.index() >= self.slots() || self.contains(page) {
            return false;
        }
        self.gone.clear(page.index());
        self.sites.restore();
        self.live += 1;
        true
    }

    /// Lets pages added since the last call join their sites.
    pub fn settle(&mut self) {
        let (summaries, gone) = (&self.summaries, &self.gone);
        self.sites
            .settle(|page| (!gone.get(page)).then(|| summaries[page].site()));
    }

    /// Takes in an observation of a page that is there.
    ///
    /// # Errors
    /// [`OutOfOrder`] unless it comes after the page's last comparable visit.
    pub fn observe(
        &mut self,
        page: PageId,
        at: Timestamp,
        outcome: Outcome,
    ) -> Result<(), OutOfOrder> {
        self.summaries[page.index()].observe(at, outcome)
    }

    /// Takes in observations of pages that are there, made at one time; gives
    /// the first that is refused. The others are taken in.
    pub fn observe_each(
        &mut self,
        at: Timestamp,
        visits: impl IntoIterator<Item = (PageId, Outcome)>,
    ) -> Option<(PageId, OutOfOrder)> {
        let mut refused = None;
        for (page, outcome) in visits {
            if let Err(late) = self.observe(page, at, outcome) {
                refused.get_or_insert((page, late));
            }
        }
        refused
    }

    /// Whether the page was added and not removed.
    #[must_use]
    pub fn contains(&self, page: PageId) -> bool {
        page.index() < self.summaries.len() && !self.gone.get(page.index())
    }

    /// Pages ever added, removed ones included: page numbers are below this.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.summaries.len()
    }

    /// Pages that are there.
    #[must_use]
    pub const fn live(&self) -> usize {
        self.live
    }

    /// What is known of a page.
    ///
    /// # Panics
    /// If the page was never added.
    #[must_use]
    pub fn summary(&self, page: PageId) -> &Summary {
        &self.summaries[page.index()]
    }

    /// The page's importance.
    #[must_use]
    pub fn weight(&self, page: PageId) -> f64 {
        self.weights
            .get(page.index())
            .copied()
            .unwrap_or_default()
            .get()
    }

    /// How many sites there are, empty ones included.
    #[must_use]
    pub fn sites(&self) -> usize {
        self.sites.len()
    }

    /// How many pages a site has.
    #[must_use]
    pub fn site_size(&self, site: SiteId) -> u32 {
        self.sites.size(site)
    }

    /// A site's pages, in no order one may rely on.
    #[must_use]
    pub fn members(&self, site: SiteId) -> &[PageId] {
        self.sites.members(site)
    }

    /// The pages of a page's site in the order they were added, and where among
    /// them it stands.
    pub(crate) fn place(&self, page: PageId) -> Option<(&[PageId], usize)> {
        self.sites.place(page, self.summary(page).site())
    }

    pub(crate) fn swap_members(&mut self, site: SiteId, one: u32, other: u32) {
        self.sites.swap(site, one, other);
    }

    /// Bytes held for the pages.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.summaries.capacity() * size_of::<Summary>()
            + self.weights.capacity() * size_of::<Weight>()
            + self.sites.memory_bytes()
            + self.gone.memory_bytes()
    }
}
