//! Histories from a log: [`histories`].

use recrawl_model::{HistorySet, HistorySetBuilder, Outcome, PageId, Timestamp};

use crate::{Record, Standing, StoreError};

/// Which pages of a store become histories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Include {
    /// All, whatever became of them.
    All,
    /// Those that are watched now.
    Watched,
}

/// Reads a log, as [`Store::replay`](crate::Store::replay) or
/// [`LogReader::replay`](crate::LogReader::replay) tell it, into histories:
/// pages are named by their URLs. Failed visits before a page's first answer say
/// nothing and are left out, and so are those at the very time of the latest visit
/// before them, as when several are given up together. `replay` is called twice where pages
/// are chosen.
///
/// # Errors
/// What `replay` says, or [`StoreError::Histories`].
pub fn histories(
    include: Include,
    mut replay: impl FnMut(&mut dyn FnMut(&Record)) -> Result<(), StoreError>,
) -> Result<HistorySet, StoreError> {
    let mut standings = Vec::new();
    if include == Include::Watched {
        replay(&mut |record| match record {
            Record::PageAdded { .. } => standings.push(Standing::Watched),
            Record::PageSet { page, standing, .. } => {
                if let Some(slot) = standings.get_mut(page.index()) {
                    *slot = *standing;
                }
            }
            _ => {}
        })?;
    }
    let wanted = |page: PageId| {
        let standing = standings.get(page.index());
        standing.is_none_or(|&standing| standing == Standing::Watched)
    };
    let mut gather = Gather::default();
    replay(&mut |record| gather.take_in(record, &wanted))?;
    gather.builder.forget_failures_before_first_answer();
    Ok(gather.builder.build()?)
}

#[derive(Default)]
struct Gather {
    builder: HistorySetBuilder,
    /// The builder's number of each page of the store that is wanted.
    pages: Vec<Option<PageId>>,
    /// The latest time of each page of the builder.
    last_seen: Vec<Option<Timestamp>>,
}

impl Gather {
    fn take_in(&mut self, record: &Record, wanted: &impl Fn(PageId) -> bool) {
        match record {
            Record::PageAdded {
                page,
                at,
                url,
                site,
                weight,
            } => {
                self.pages.push(wanted(*page).then(|| {
                    let page = self.builder.add_page(url);
                    self.last_seen.push(None);
                    self.builder.set_site(page, site);
                    self.builder.set_weight(page, *at, weight.get());
                    page
                }));
            }
            Record::PageSet {
                page, at, weight, ..
            } => {
                if let Some(page) = self.page(*page) {
                    self.builder.set_weight(page, *at, weight.get());
                }
            }
            Record::Seen {
                page,
                at,
                outcome,
                last_modified,
                ..
            } => {
                if let Some(page) = self.page(*page) {
                    let last = self.last_seen[page.index()];
                    // One row a time. A failed visit that comes late says nothing.
                    let late = Some(*at) < last && *outcome == Outcome::Unknown;
                    if !late && Some(*at) != last {
                        self.last_seen[page.index()] = last.max(Some(*at));
                        self.builder.push(page, *at, *outcome, *last_modified);
                    }
                }
            }
            _ => {}
        }
    }

    fn page(&self, page: PageId) -> Option<PageId> {
        self.pages.get(page.index()).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MemoryStore, Store};
    use recrawl_model::Weight;

    fn seen(seconds: i64, outcome: Outcome) -> Record {
        Record::Seen {
            visit: 0,
            page: PageId(0),
            at: Timestamp::from_seconds(seconds),
            outcome,
            last_modified: None,
            note: None,
            held: None,
        }
    }

    /// A crawler that sent its failed visits twice must not cost the whole log.
    #[test]
    fn a_page_has_one_row_a_time_whatever_the_log_holds() {
        let mut store = MemoryStore::new();
        let added = Record::PageAdded {
            page: PageId(0),
            at: Timestamp::from_seconds(0),
            url: "https://a.test/".to_owned(),
            site: "a.test".to_owned(),
            weight: Weight::ONE,
        };
        let rows = [
            added,
            seen(1, Outcome::First),
            seen(2, Outcome::Unknown),
            seen(4, Outcome::Unknown),
            seen(2, Outcome::Unknown),
            seen(4, Outcome::Unknown),
            seen(4, Outcome::Unchanged),
            seen(5, Outcome::Changed),
        ];
        store.append(&rows).expect("a log");
        let set = histories(Include::All, |each| store.replay(each)).expect("histories");
        let times: Vec<i64> = set
            .history(PageId(0))
            .observations()
            .map(|seen| seen.at.micros() / 1_000_000)
            .collect();
        assert_eq!(times, [1, 2, 4, 5]);
        assert_eq!(store.resume().last_time, Some(Timestamp::from_seconds(0)));
    }
}
