//! Histories into a store: [`merge`].

use recrawl_model::{HistorySet, Observation, Outcome, PageId, Timestamp, Weight};
use recrawl_store::{Include, Record, Store, histories};

use crate::ImportError;

/// Records appended together.
const TOGETHER: usize = 1 << 12;

/// What an import added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Merged {
    /// Pages that are new.
    pub pages: usize,
    /// Observations that are new.
    pub observations: usize,
    /// Observations that were there already.
    pub known: usize,
}

/// Brings histories into a store. Observations the store has already are passed
/// over, so importing twice adds nothing; after a crash, importing again adds
/// the rest. A page that is in the store keeps its site and weight.
///
/// # Errors
/// [`ImportError::Conflict`] if the store has another observation of a page at
/// the same time: nothing is imported. [`ImportError::Store`] as the store says.
pub fn merge(
    store: &mut dyn Store,
    set: &HistorySet,
    now: Timestamp,
) -> Result<Merged, ImportError> {
    let known = histories(Include::All, |each| store.replay(each))?;
    let mut merged = Merged::default();
    let mut added = Vec::new();
    let mut seen: Vec<(Timestamp, PageId, Observation)> = Vec::new();
    let mut next_page = store.resume().next_page;
    for page in set.pages() {
        let name = set.name(page);
        let number = if let Some(number) = store.find(name)? {
            number
        } else {
            let number = PageId(next_page);
            next_page += 1;
            added.push(page_added(set, page, number, now)?);
            number
        };
        let before = known.find(name).map(|page| known.history(page));
        let before: Vec<Observation> = before
            .map(|history| history.observations().collect())
            .unwrap_or_default();
        for told in set.history(page).observations() {
            match before.binary_search_by_key(&told.at, |seen| seen.at) {
                Err(_) => seen.push((told.at, number, told)),
                Ok(place) if same(before[place], told) => merged.known += 1,
                Ok(place) => {
                    return Err(ImportError::Conflict {
                        page: name.to_owned(),
                        at: told.at,
                        known: before[place].outcome,
                        told: told.outcome,
                    });
                }
            }
        }
    }
    // In order of time, as they would have been seen.
    seen.sort_unstable_by_key(|&(at, page, _)| (at, page));
    merged.pages = added.len();
    merged.observations = seen.len();
    for group in added.chunks(TOGETHER) {
        store.append(group)?;
    }
    for group in seen.chunks(TOGETHER) {
        let records: Vec<Record> = group
            .iter()
            .map(|&(_, page, told)| record(page, told))
            .collect();
        store.append(&records)?;
    }
    Ok(merged)
}

/// Whether two observations of one time tell the same. A log has one empty cell
/// for a first visit and for a failed one.
fn same(known: Observation, told: Observation) -> bool {
    let silent = |outcome| matches!(outcome, Outcome::First | Outcome::Unknown);
    let alike = known.outcome == told.outcome || (silent(known.outcome) && silent(told.outcome));
    alike && (told.last_modified.is_none() || told.last_modified == known.last_modified)
}

fn page_added(
    set: &HistorySet,
    page: PageId,
    number: PageId,
    now: Timestamp,
) -> Result<Record, ImportError> {
    let weight = Weight::new(set.weight(page)).map_err(|error| ImportError::Weight {
        page: set.name(page).to_owned(),
        error,
    })?;
    Ok(Record::PageAdded {
        page: number,
        at: now,
        url: set.name(page).to_owned(),
        site: set.site(page).to_owned(),
        weight,
    })
}

fn record(page: PageId, told: Observation) -> Record {
    Record::Seen {
        visit: 0,
        page,
        at: told.at,
        outcome: told.outcome,
        last_modified: told.last_modified,
        note: None,
        held: None,
    }
}
