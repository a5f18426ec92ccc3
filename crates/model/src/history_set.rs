//! The histories of a whole collection: [`HistorySet`].

use thiserror::Error;

use crate::{History, Names, Outcome, Timestamp, site_of};

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
    names: Names,
    site_names: Names,
    site_of_page: Vec<u32>,
    weights: Vec<f64>,
    /// Where the observations of page i start; one more entry than pages.
    starts: Vec<usize>,
    times: Vec<Timestamp>,
    outcomes: Vec<Outcome>,
    modified: Vec<Option<Timestamp>>,
}

/// What keeps rows from being histories.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetError {
    /// Two rows of one page at one time; rows count from 0 in the order pushed.
    #[error("page `{page}` has two observations at {at}")]
    Duplicate {
        /// The page.
        page: String,
        /// The time both rows name.
        at: Timestamp,
        /// The first of the two rows.
        first_row: usize,
        /// The second.
        second_row: usize,
    },
}

/// Rows in any order, to become a [`HistorySet`].
#[derive(Debug, Default)]
pub struct HistorySetBuilder {
    names: Names,
    sites: Vec<Option<String>>,
    weights: Vec<Option<(Timestamp, f64)>>,
    pages: Vec<PageId>,
    times: Vec<Timestamp>,
    outcomes: Vec<Outcome>,
    /// Empty until the first date is told, then as long as `times`.
    modified: Vec<Option<Timestamp>>,
}

impl HistorySetBuilder {
    /// No pages, no rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a page. The caller keeps names apart: one call a name.
    ///
    /// # Panics
    /// Beyond 2^32 - 1 pages.
    pub fn add_page(&mut self, name: &str) -> PageId {
        let index = self.names.push(name);
        self.sites.push(None);
        self.weights.push(None);
        assert!(
            index < u32::MAX as usize,
            "more pages than a PageId can tell apart"
        );
        PageId(index as u32)
    }

    /// Adds an observation; [`Outcome::First`] is given by [`Self::build`].
    pub fn push(
        &mut self,
        page: PageId,
        at: Timestamp,
        outcome: Outcome,
        last_modified: Option<Timestamp>,
    ) {
        if last_modified.is_some() && self.modified.is_empty() {
            self.modified.resize(self.times.len(), None);
            self.modified
                .reserve(self.times.capacity() - self.times.len());
        }
        if last_modified.is_some() || !self.modified.is_empty() {
            self.modified.push(last_modified);
        }
        self.pages.push(page);
        self.times.push(at);
        self.outcomes.push(outcome);
    }

    /// Adds observations, one in each place of the columns; `last_modified` is
    /// as long as the others, or empty where no date was told.
    ///
    /// # Panics
    /// If the columns differ in length.
    pub fn push_rows(
        &mut self,
        pages: &[PageId],
        times: &[Timestamp],
        outcomes: &[Outcome],
        last_modified: &[Option<Timestamp>],
    ) {
        let rows = pages.len();
        assert!(times.len() == rows && outcomes.len() == rows);
        assert!(last_modified.is_empty() || last_modified.len() == rows);
        if !last_modified.is_empty() || !self.modified.is_empty() {
            self.modified.resize(self.times.len(), None);
            self.modified.extend_from_slice(last_modified);
            self.modified.resize(self.times.len() + rows, None);
        }
        self.pages.extend_from_slice(pages);
        self.times.extend_from_slice(times);
        self.outcomes.extend_from_slice(outcomes);
    }

    /// The site a page was said to belong to.
    #[must_use]
    pub fn site(&self, page: PageId) -> Option<&str> {
        self.sites[page.index()].as_deref()
    }

    /// Says which site a page belongs to. Returns the site said before if it
    /// was another one, and keeps that.
    pub fn set_site(&mut self, page: PageId, site: &str) -> Option<&str> {
        let known = self.sites[page.index()].get_or_insert_with(|| site.to_owned());
        (known != site).then_some(known)
    }

    /// Says a page's importance as of `at`; the latest one counts.
    pub fn set_weight(&mut self, page: PageId, at: Timestamp, weight: f64) {
        let slot = &mut self.weights[page.index()];
        if slot.is_none_or(|(known_at, _)| at >= known_at) {
            *slot = Some((at, weight));
        }
    }

    /// The name of a page added before.
    #[must_use]
    pub fn page_name(&self, page: PageId) -> &str {
        self.names.get(page.index())
    }

    /// Rows so far.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.times.len()
    }

    /// Sorts rows into histories: by page name, then by time. The first
    /// observation of a page becomes [`Outcome::First`] whatever it said.
    ///
    /// # Errors
    /// [`SetError::Duplicate`] if a page has two rows with one time.
    pub fn build(self) -> Result<HistorySet, SetError> {
        let mut order: Vec<u32> = (0..self.names.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| self.names.get(a as usize).cmp(self.names.get(b as usize)));
        let mut rank = vec![0u32; order.len()];
        for (place, &page) in order.iter().enumerate() {
            rank[page as usize] = place as u32;
        }
        let starts = self.starts(&rank);
        let (times, outcomes, modified) = self.scatter(&rank, &starts);
        let mut set = HistorySet {
            starts,
            times,
            outcomes,
            modified,
            ..HistorySet::default()
        };
        for (place, &page) in order.iter().enumerate() {
            if let Some(at) = set.arrange(place) {
                return Err(self.duplicate(page, at));
            }
        }
        self.describe_pages(&order, &mut set);
        Ok(set)
    }

    /// Where each page's rows start once pages stand in order of rank.
    fn starts(&self, rank: &[u32]) -> Vec<usize> {
        let mut starts = vec![0usize; rank.len() + 1];
        for page in &self.pages {
            starts[rank[page.index()] as usize + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        starts
    }

    /// A stable counting sort of the rows by page.
    fn scatter(
        &self,
        rank: &[u32],
        starts: &[usize],
    ) -> (Vec<Timestamp>, Vec<Outcome>, Vec<Option<Timestamp>>) {
        let mut next = starts.to_vec();
        let mut times = vec![Timestamp::from_micros(0); self.times.len()];
        let mut outcomes = vec![Outcome::Unknown; self.times.len()];
        let mut modified = vec![None; self.modified.len()];
        for (row, page) in self.pages.iter().enumerate() {
            let slot = &mut next[rank[page.index()] as usize];
            times[*slot] = self.times[row];
            outcomes[*slot] = self.outcomes[row];
            if let Some(&told) = self.modified.get(row) {
                modified[*slot] = told;
            }
            *slot += 1;
        }
        (times, outcomes, modified)
    }

    fn duplicate(&self, page: u32, at: Timestamp) -> SetError {
        let mut rows =
            (0..self.times.len()).filter(|&row| self.pages[row].0 == page && self.times[row] == at);
        SetError::Duplicate {
            page: self.names.get(page as usize).to_owned(),
            at,
            first_row: rows.next().unwrap_or_default(),
            second_row: rows.next().unwrap_or_default(),
        }
    }

    fn describe_pages(&self, order: &[u32], set: &mut HistorySet) {
        let sites: Vec<String> = order
            .iter()
            .map(|&page| match &self.sites[page as usize] {
                Some(site) => site.clone(),
                None => site_of(self.names.get(page as usize)),
            })
            .collect();
        let mut distinct: Vec<&String> = sites.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        for site in &distinct {
            set.site_names.push(site);
        }
        for (place, &page) in order.iter().enumerate() {
            set.names.push(self.names.get(page as usize));
            let site = distinct.binary_search(&&sites[place]).unwrap_or_default();
            set.site_of_page.push(site as u32);
            set.weights
                .push(self.weights[page as usize].map_or(1.0, |(_, weight)| weight));
        }
    }
}

impl HistorySet {
    /// Sorts the observations of one page by time and names the first `First`.
    /// Returns a time that stands twice, if one does.
    fn arrange(&mut self, place: usize) -> Option<Timestamp> {
        let range = self.starts[place]..self.starts[place + 1];
        let times = &mut self.times[range.clone()];
        if !times.is_sorted() {
            let mut by_time: Vec<usize> = (0..times.len()).collect();
            by_time.sort_by_key(|&row| times[row]);
            permute(times, &by_time);
            permute(&mut self.outcomes[range.clone()], &by_time);
            if !self.modified.is_empty() {
                permute(&mut self.modified[range.clone()], &by_time);
            }
        }
        if let Some(first) = self.outcomes.get_mut(range.start) {
            *first = Outcome::First;
        }
        let times = &self.times[range];
        times
            .windows(2)
            .find(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
    }

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
}

fn permute<T: Copy>(values: &mut [T], order: &[usize]) {
    let sorted: Vec<T> = order.iter().map(|&from| values[from]).collect();
    values.copy_from_slice(&sorted);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_seconds(second)
    }

    fn build(rows: &[(&str, i64, Outcome)]) -> Result<HistorySet, SetError> {
        let mut builder = HistorySetBuilder::new();
        let mut known: Vec<(String, PageId)> = Vec::new();
        for &(name, second, outcome) in rows {
            let found = known
                .iter()
                .find(|(seen, _)| seen == name)
                .map(|&(_, page)| page);
            let page = found.unwrap_or_else(|| builder.add_page(name));
            if found.is_none() {
                known.push((name.to_owned(), page));
            }
            builder.push(page, at(second), outcome, None);
        }
        builder.build()
    }

    #[test]
    fn rows_become_histories_in_order_of_name_and_time() {
        let set = build(&[
            ("https://b.org/x", 9, Outcome::Changed),
            ("a", 5, Outcome::Unchanged),
            ("https://b.org/x", 3, Outcome::Changed),
            ("a", 1, Outcome::Unknown),
        ])
        .expect("no duplicates");
        assert_eq!(set.len(), 2);
        let pages: Vec<_> = set
            .pages()
            .map(|page| (set.name(page), set.site(page)))
            .collect();
        assert_eq!(pages, [("a", ""), ("https://b.org/x", "b.org")]);
        let outcomes: Vec<_> = set
            .history(PageId(1))
            .observations()
            .map(|seen| (seen.at, seen.outcome))
            .collect();
        assert_eq!(
            outcomes,
            [(at(3), Outcome::First), (at(9), Outcome::Changed)]
        );
        assert_eq!(set.find("a"), Some(PageId(0)));
        assert_eq!(set.find("b"), None);
    }

    #[test]
    fn two_rows_with_one_time_are_an_error_that_names_both() {
        let rows = [
            ("a", 1, Outcome::Unknown),
            ("b", 1, Outcome::Unknown),
            ("a", 2, Outcome::Changed),
            ("a", 1, Outcome::Changed),
        ];
        let refused = build(&rows).expect_err("a duplicate");
        let expected = SetError::Duplicate {
            page: "a".into(),
            at: at(1),
            first_row: 0,
            second_row: 3,
        };
        assert_eq!(refused, expected);
    }

    #[test]
    fn the_latest_weight_counts_and_a_second_site_is_reported() {
        let mut builder = HistorySetBuilder::new();
        let page = builder.add_page("a");
        builder.push(page, at(1), Outcome::Unknown, Some(at(0)));
        builder.set_weight(page, at(5), 3.0);
        builder.set_weight(page, at(1), 2.0);
        assert_eq!(builder.set_site(page, "one"), None);
        assert_eq!(builder.set_site(page, "two"), Some("one"));
        let set = builder.build().expect("one row");
        assert_eq!(set.weight(page), 3.0);
        assert_eq!(set.site(page), "one");
        assert!(set.history(page).has_dates());
    }

    proptest! {
        #[test]
        fn order_of_rows_changes_nothing(
            mut rows in prop::collection::btree_map((0u8..4, 0i64..50), any::<bool>(), 1..60),
            seed: u64,
        ) {
            let flat = |keys: Vec<((u8, i64), bool)>| -> Vec<(String, i64, Outcome)> {
                keys.into_iter().map(|((page, second), changed)| {
                    let outcome = if changed { Outcome::Changed } else { Outcome::Unchanged };
                    (format!("p{page}"), second, outcome)
                }).collect()
            };
            let straight = flat(std::mem::take(&mut rows).into_iter().collect());
            let mut shuffled = straight.clone();
            shuffled.sort_by_key(|(page, second, _)| {
                (second.unsigned_abs() ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ page.len() as u64
            });
            let view = |rows: &[(String, i64, Outcome)]| {
                let rows: Vec<_> = rows.iter().map(|(p, s, o)| (p.as_str(), *s, *o)).collect();
                let set = build(&rows).expect("distinct");
                set.pages()
                    .map(|page| {
                        let seen: Vec<_> = set.history(page).observations().collect();
                        (set.name(page).to_owned(), seen)
                    })
                    .collect::<Vec<_>>()
            };
            prop_assert_eq!(view(&straight), view(&shuffled));
        }
    }
}
