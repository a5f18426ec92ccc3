//! The histories of a whole collection: [`HistorySet`].

use std::time::Duration;

use crate::{History, Names, Outcome, Timestamp};

/// A page's place in its collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub u32);

impl PageId {
    /// The place as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The histories of a collection, in columns: nine bytes an observation, or
/// seventeen where dates were told. Pages are in order of their names.
#[derive(Debug, Clone, Default)]
pub struct HistorySet {
    pub(crate) names: Names,
    pub(crate) site_names: Names,
    pub(crate) site_of_page: Vec<u32>,
    pub(crate) weights: Vec<f64>,
    /// Where the observations of page i start; one more entry than pages.
    pub(crate) starts: Vec<usize>,
    pub(crate) times: Vec<Timestamp>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) modified: Vec<Option<Timestamp>>,
}

impl HistorySet {
    /// How many pages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no pages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How many observations there are in all.
    #[must_use]
    pub fn observations(&self) -> usize {
        self.times.len()
    }

    /// All pages in order of their names.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = PageId> + use<> {
        (0..self.len() as u32).map(PageId)
    }

    /// The page's name.
    #[must_use]
    pub fn name(&self, page: PageId) -> &str {
        self.names.get(page.index())
    }

    /// The page of that name, if there is one.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<PageId> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.names.get(middle).cmp(name) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(PageId(middle as u32)),
            }
        }
        None
    }

    /// The page's site.
    #[must_use]
    pub fn site(&self, page: PageId) -> &str {
        self.site_names
            .get(self.site_of_page[page.index()] as usize)
    }

    /// The page's importance, 1 where nobody said.
    #[must_use]
    pub fn weight(&self, page: PageId) -> f64 {
        self.weights[page.index()]
    }

    /// The page's observations in order of time.
    #[must_use]
    pub fn history(&self, page: PageId) -> History<'_> {
        let range = self.starts[page.index()]..self.starts[page.index() + 1];
        let modified = if self.modified.is_empty() {
            &[]
        } else {
            &self.modified[range.clone()]
        };
        History::from_columns(&self.times[range.clone()], &self.outcomes[range], modified)
    }

    /// Sites in order of their names, each with its pages.
    #[must_use]
    pub fn sites(&self) -> Vec<(&str, Vec<PageId>)> {
        let mut members = vec![Vec::new(); self.site_names.len()];
        for page in self.pages() {
            members[self.site_of_page[page.index()] as usize].push(page);
        }
        self.site_names.iter().zip(members).collect()
    }

    /// The time of the last observation, if there is one.
    #[must_use]
    pub fn last_observed(&self) -> Option<Timestamp> {
        self.times.iter().copied().max()
    }

    /// The median time between two visits of a page that follow each other,
    /// over all pages, failed visits included; `None` where no page was visited
    /// twice.
    #[must_use]
    pub fn median_visit_interval(&self) -> Option<Duration> {
        let mut gaps = Vec::with_capacity(self.observations().saturating_sub(self.len()));
        for page in self.starts.windows(2) {
            let times = &self.times[page[0]..page[1]];
            gaps.extend(times.windows(2).map(|pair| pair[1].since(pair[0])));
        }
        let middle = gaps.len() / 2;
        (middle < gaps.len()).then(|| *gaps.select_nth_unstable(middle).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HistorySetBuilder;

    fn visits(pages: &[&[i64]]) -> HistorySet {
        let mut log = HistorySetBuilder::new();
        for (index, times) in pages.iter().enumerate() {
            let page = log.add_page(&format!("page {index}"));
            for &second in *times {
                log.push(
                    page,
                    Timestamp::from_seconds(second),
                    Outcome::Unknown,
                    None,
                );
            }
        }
        log.build().expect("a log")
    }

    #[test]
    fn the_median_visit_interval_is_that_of_all_pages_together() {
        let set = visits(&[&[0, 10, 20, 30], &[5, 1_000], &[7]]);
        assert_eq!(
            set.median_visit_interval(),
            Some(Duration::from_secs(10)),
            "of 10, 10, 10 and 995"
        );
        assert_eq!(set.last_observed(), Some(Timestamp::from_seconds(1_000)));
    }

    #[test]
    fn pages_visited_once_have_no_interval() {
        assert_eq!(visits(&[&[0], &[9]]).median_visit_interval(), None);
        assert_eq!(HistorySet::default().median_visit_interval(), None);
        assert_eq!(HistorySet::default().last_observed(), None);
    }
}
