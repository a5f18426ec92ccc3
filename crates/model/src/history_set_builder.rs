//! Rows in any order become histories: [`HistorySetBuilder`].

use rayon::prelude::*;
use thiserror::Error;

use crate::arrange::cut_into_parts;
use crate::rows::{Piece, Rows};
use crate::site::SiteList;
use crate::{HistorySet, Names, Outcome, PageId, Timestamp};

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
    site_names: SiteList,
    /// The site each page was said to belong to.
    sites: Vec<Option<u32>>,
    /// Empty until the first weight is told, then as long as `sites`.
    weights: Vec<Option<(Timestamp, f64)>>,
    rows: Rows,
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
        self.rows.push(page, at, outcome, last_modified);
    }

    /// Adds observations, one in each place of the columns; `last_modified` is
    /// as long as the others, or empty where no date was told.
    ///
    /// # Panics
    /// If the columns differ in length.
    pub fn take_rows(
        &mut self,
        pages: Vec<PageId>,
        times: Vec<Timestamp>,
        outcomes: Vec<Outcome>,
        last_modified: Vec<Option<Timestamp>>,
    ) {
        let count = pages.len();
        assert!(times.len() == count && outcomes.len() == count);
        assert!(last_modified.is_empty() || last_modified.len() == count);
        self.rows.take(Piece {
            pages,
            times,
            outcomes,
            modified: last_modified,
        });
    }

    /// The site a page was said to belong to.
    #[must_use]
    pub fn site(&self, page: PageId) -> Option<&str> {
        self.sites[page.index()].map(|site| self.site_names.get(site))
    }

    /// Says which site a page belongs to. Returns the site said before if it
    /// was another one, and keeps that.
    pub fn set_site(&mut self, page: PageId, site: &str) -> Option<&str> {
        let slot = &mut self.sites[page.index()];
        let known = *slot.get_or_insert_with(|| self.site_names.intern(site));
        Some(self.site_names.get(known)).filter(|&known| known != site)
    }

    /// Says a page's importance as of `at`; the latest one counts.
    pub fn set_weight(&mut self, page: PageId, at: Timestamp, weight: f64) {
        if self.weights.len() < self.names.len() {
            self.weights.resize(self.names.len(), None);
        }
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

    /// The names of all pages added before, each at its page's index.
    #[must_use]
    pub fn page_names(&self) -> &Names {
        &self.names
    }

    /// Rows so far.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Takes out the [`Outcome::Unknown`] rows of each page that do not come after
    /// its first other one: [`Self::build`] would take the first of them for the
    /// page's first visit, though it saw nothing.
    pub fn forget_failures_before_first_answer(&mut self) {
        let mut answered: Vec<Option<Timestamp>> = vec![None; self.names.len()];
        for (page, at, outcome) in self.rows.iter() {
            let first = &mut answered[page.index()];
            if outcome != Outcome::Unknown && first.is_none_or(|first| at < first) {
                *first = Some(at);
            }
        }
        self.rows.retain(|page, at, outcome| {
            outcome != Outcome::Unknown || answered[page.index()].is_some_and(|first| at > first)
        });
    }

    /// Sorts rows into histories: by page name, then by time. The first
    /// observation of a page becomes [`Outcome::First`] whatever it said.
    ///
    /// # Errors
    /// [`SetError::Duplicate`] if a page has two rows with one time.
    pub fn build(mut self) -> Result<HistorySet, SetError> {
        let order = self.names.order();
        let mut rank = vec![PageId(0); order.len()];
        for (place, &page) in order.iter().enumerate() {
            rank[page as usize] = PageId(place as u32);
        }
        let starts = self.rows.rank_pages(&rank);
        drop(rank);
        let mut set = self.rows.room();
        let Self {
            names,
            site_names,
            sites,
            weights,
            rows,
        } = self;
        let parts = cut_into_parts(&mut set, &starts);
        let (duplicates, pages) = rayon::join(
            || -> Vec<_> { parts.into_par_iter().map(|part| part.fill(&rows)).collect() },
            || Pages::describe(&order, &names, site_names, &sites, &weights),
        );
        if let Some((place, at)) = duplicates.into_iter().flatten().next() {
            return Err(duplicate(&rows, place, pages.names.get(place), at));
        }
        set.starts = starts;
        set.names = pages.names;
        set.site_names = pages.site_names;
        set.site_of_page = pages.sites;
        set.weights = pages.weights;
        Ok(set)
    }
}

/// The error of a page two of whose rows, found again in `rows`, have one time.
fn duplicate(rows: &Rows, place: usize, page: &str, at: Timestamp) -> SetError {
    let mut found = rows
        .iter()
        .enumerate()
        .filter_map(|(row, (page, time, _))| (page.index() == place && time == at).then_some(row));
    SetError::Duplicate {
        page: page.to_owned(),
        at,
        first_row: found.next().unwrap_or_default(),
        second_row: found.next().unwrap_or_default(),
    }
}

/// Pages whose names are fetched from memory together, so that the waits overlap.
const DESCRIBED_TOGETHER: usize = 64;

/// What is known of the pages of a set beside their observations.
#[derive(Default)]
struct Pages {
    names: Names,
    site_names: Names,
    sites: Vec<u32>,
    weights: Vec<f64>,
}

impl Pages {
    /// Names, sites and weights of pages, put in `order`.
    fn describe(
        order: &[u32],
        names: &Names,
        mut site_list: SiteList,
        told_sites: &[Option<u32>],
        told_weights: &[Option<(Timestamp, f64)>],
    ) -> Self {
        let mut pages = Self::default();
        pages.names.reserve(names.len(), names.text().len());
        pages.sites.reserve_exact(names.len());
        pages.weights.reserve_exact(names.len());
        for group in order.chunks(DESCRIBED_TOGETHER) {
            names.warm(group);
            for &page in group {
                let name = names.get(page as usize);
                pages.names.push(name);
                let told = told_sites[page as usize];
                let site = told.unwrap_or_else(|| site_list.site_of(name));
                pages.sites.push(site);
                let weight = told_weights.get(page as usize).copied().flatten();
                pages.weights.push(weight.map_or(1.0, |(_, weight)| weight));
            }
        }
        let (site_names, place_of) = site_list.sorted();
        pages.site_names = site_names;
        for site in &mut pages.sites {
            *site = place_of[*site as usize];
        }
        pages
    }
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
    fn failures_before_the_first_answer_can_be_forgotten() {
        let mut builder = HistorySetBuilder::new();
        let (early, never) = (builder.add_page("early"), builder.add_page("never"));
        for (page, second, outcome) in [
            (early, 30, Outcome::Unknown),
            (early, 20, Outcome::Changed),
            (never, 5, Outcome::Unknown),
            (early, 10, Outcome::Unknown),
            (early, 40, Outcome::Unchanged),
        ] {
            builder.push(page, at(second), outcome, Some(at(second - 1)));
        }
        builder.forget_failures_before_first_answer();
        let set = builder.build().expect("histories");
        let seen: Vec<_> = set.history(PageId(0)).observations().collect();
        let expected = [
            (20, Outcome::First),
            (30, Outcome::Unknown),
            (40, Outcome::Unchanged),
        ];
        for (seen, (second, outcome)) in seen.iter().zip(expected) {
            assert_eq!((seen.at, seen.outcome), (at(second), outcome));
            assert_eq!(seen.last_modified, Some(at(second - 1)));
        }
        assert_eq!(seen.len(), 3);
        assert!(set.history(PageId(1)).is_empty());
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
