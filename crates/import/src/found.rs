//! What a source held: [`Found`].

use std::collections::BTreeMap;

use recrawl_model::{HistorySet, HistorySetBuilder, Outcome, PageId, Timestamp};

use crate::ImportError;

/// The histories recovered from a source.
#[derive(Debug, Default)]
pub struct Found {
    /// The histories.
    pub set: HistorySet,
    /// What could not be recovered, and what was assumed, a sentence each.
    pub notes: Vec<String>,
}

impl Found {
    /// Several sources as one, so that all of them are imported or none. A page
    /// may be in more than one.
    ///
    /// # Errors
    /// [`ImportError::Set`] if two of them observed a page at one time.
    pub fn join(sources: Vec<Self>) -> Result<Self, ImportError> {
        let mut gather = Gather::default();
        let mut notes = Vec::new();
        for source in sources {
            let set = &source.set;
            for from in set.pages() {
                let page = gather.page(set.name(from));
                gather.set_site(page, set.site(from));
                for seen in set.history(from).observations() {
                    let builder = &mut gather.builder;
                    builder.push(page, seen.at, seen.outcome, seen.last_modified);
                    builder.set_weight(page, seen.at, set.weight(from));
                }
            }
            notes.extend(source.notes);
        }
        gather.finish(notes)
    }
}

/// Pages and observations as they are found.
#[derive(Debug, Default)]
pub(crate) struct Gather {
    builder: HistorySetBuilder,
    pages: BTreeMap<String, PageId>,
}

impl Gather {
    /// The page of this name, new or known.
    pub(crate) fn page(&mut self, name: &str) -> PageId {
        if let Some(&page) = self.pages.get(name) {
            return page;
        }
        let page = self.builder.add_page(name);
        self.pages.insert(name.to_owned(), page);
        page
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.pages.contains_key(name)
    }

    pub(crate) fn set_site(&mut self, page: PageId, site: &str) {
        self.builder.set_site(page, site);
    }

    pub(crate) fn set_weight(&mut self, page: PageId, at: Timestamp, weight: f64) {
        self.builder.set_weight(page, at, weight);
    }

    /// Adds the observations of a page, sorted; of several at one time the last
    /// counts.
    pub(crate) fn push(&mut self, page: PageId, seen: &BTreeMap<Timestamp, Outcome>) {
        for (&at, &outcome) in seen {
            self.builder.push(page, at, outcome, None);
        }
    }

    pub(crate) fn finish(mut self, notes: Vec<String>) -> Result<Found, ImportError> {
        self.builder.forget_failures_before_first_answer();
        let set = self.builder.build()?;
        Ok(Found { set, notes })
    }
}
