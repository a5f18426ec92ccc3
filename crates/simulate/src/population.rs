//! Who lives in a world: [`Population`].

use recrawl_model::PageId;

/// The pages of a world in columns. It stays as it is for a whole run. Pages
/// alive at the start come first, then those born on the way, in order of
/// birth: a scheduler that numbers pages as they join gives the same numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Population {
    site_of_page: Vec<u32>,
    sites: usize,
    /// Pages alive at the start.
    initial: usize,
    /// Empty where every page weighs 1.
    weights: Vec<f64>,
    /// Empty where nobody said how large pages are.
    bytes: Vec<u32>,
    /// Empty where no page lies.
    liars: Vec<bool>,
}

impl Population {
    /// Pages of weight 1, all alive at the start; `site_of_page[i]` is the
    /// site of page i.
    #[must_use]
    pub fn new(site_of_page: Vec<u32>) -> Self {
        let mut sites = site_of_page.clone();
        sites.sort_unstable();
        sites.dedup();
        let sites = sites.len();
        Self {
            initial: site_of_page.len(),
            site_of_page,
            sites,
            ..Self::default()
        }
    }

    /// The same pages, only the first `initial` of them alive at the start.
    #[must_use]
    pub fn with_initial(mut self, initial: usize) -> Self {
        self.initial = initial.min(self.len());
        self
    }

    /// The same pages with an importance each.
    #[must_use]
    pub fn with_weights(mut self, weights: Vec<f64>) -> Self {
        debug_assert_eq!(weights.len(), self.len());
        self.weights = weights;
        self
    }

    /// The same pages with a size each, in bytes of one download.
    #[must_use]
    pub fn with_bytes(mut self, bytes: Vec<u32>) -> Self {
        debug_assert_eq!(bytes.len(), self.len());
        self.bytes = bytes;
        self
    }

    /// The same pages, those marked in `liars` differing in their bytes at
    /// every visit although their content stays.
    #[must_use]
    pub fn with_liars(mut self, liars: Vec<bool>) -> Self {
        debug_assert_eq!(liars.len(), self.len());
        self.liars = liars;
        self
    }

    /// How many pages there are, unborn ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.site_of_page.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.site_of_page.is_empty()
    }

    /// How many sites have a page.
    #[must_use]
    pub fn sites(&self) -> usize {
        self.sites
    }

    /// The site of each page.
    #[must_use]
    pub fn site_of_page(&self) -> &[u32] {
        &self.site_of_page
    }

    /// How many pages are alive at the start; they come first.
    #[must_use]
    pub fn initial(&self) -> usize {
        self.initial
    }

    /// The page's importance.
    #[must_use]
    pub fn weight(&self, page: PageId) -> f64 {
        self.weights.get(page.index()).copied().unwrap_or(1.0)
    }

    /// Whether some page weighs something else than 1.
    #[must_use]
    pub fn is_weighted(&self) -> bool {
        self.weights.iter().any(|&weight| weight != 1.0)
    }

    /// Bytes of one download of the page, where known.
    #[must_use]
    pub fn bytes(&self, page: PageId) -> Option<u32> {
        self.bytes.get(page.index()).copied()
    }

    /// Whether the size of pages is known.
    #[must_use]
    pub fn has_bytes(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// Whether any page lies.
    #[must_use]
    pub fn has_liars(&self) -> bool {
        !self.liars.is_empty()
    }

    /// Whether the page's bytes differ at every visit although its content
    /// does not.
    #[must_use]
    pub fn lies(&self, page: PageId) -> bool {
        self.liars.get(page.index()).copied().unwrap_or(false)
    }
}
