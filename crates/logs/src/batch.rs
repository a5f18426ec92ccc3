//! Rows parsed apart from the rest of the log: [`Batch`].

use recrawl_model::{Names, Outcome, PageId, Timestamp};

use crate::cell;
use crate::gather::Known;
use crate::page_table::{UNRESOLVED, hash};
use crate::{Column, RowProblem};

/// What a row says beside its page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) at: Timestamp,
    pub(crate) outcome: Outcome,
    pub(crate) last_modified: Option<Timestamp>,
    pub(crate) site: Option<&'a str>,
    pub(crate) weight: Option<f64>,
}

/// Rows of one block of a file, in columns, parsed on any thread against the
/// pages known before the block; [`crate::gather::Gather`] joins batches in the
/// order of the file.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// One a row in the end; [`UNRESOLVED`] for newcomers.
    pub(crate) pages: Vec<PageId>,
    pub(crate) times: Vec<Timestamp>,
    pub(crate) outcomes: Vec<Outcome>,
    /// Empty until the first date is told, then one a row.
    pub(crate) modified: Vec<Option<Timestamp>>,
    /// The names of the rows' pages: of all rows, or in order only of those
    /// whose page is [`UNRESOLVED`].
    names: Names,
    /// The hash of each name.
    hashes: Vec<u32>,
    /// Rows that name a site their page was not known to be in.
    pub(crate) site_rows: Vec<u32>,
    /// The site each of those names.
    pub(crate) sites: Names,
    pub(crate) weights: Vec<(u32, f64)>,
    /// Rows that do not stand one line after the row before: row, and its line
    /// counted from 0 at the start of the block.
    pub(crate) jumps: Vec<(u32, u64)>,
    next_line: Option<u64>,
    /// Lines the rows took up, up to where the next batch starts.
    pub(crate) lines: u64,
    /// What ended the batch early, and its line.
    pub(crate) problem: Option<(u64, RowProblem)>,
}

impl Batch {
    /// A batch with room for `rows` rows.
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self {
            pages: Vec::with_capacity(rows),
            times: Vec::with_capacity(rows),
            outcomes: Vec::with_capacity(rows),
            ..Self::default()
        }
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.times.len()
    }

    /// Adds a row of the page called `name`, to be found by [`Self::find_pages`].
    #[inline]
    pub(crate) fn push(&mut self, name: &str, line: u64, row: Row<'_>) -> Result<(), RowProblem> {
        if name.is_empty() {
            return Err(cell::empty(Column::Page));
        }
        self.names.push(name);
        self.hashes.push(hash(name));
        self.push_told(line, row);
        Ok(())
    }

    /// Adds a row of a page found before.
    #[inline]
    pub(crate) fn push_found(&mut self, page: PageId, line: u64, row: Row<'_>) {
        self.pages.push(page);
        self.push_told(line, row);
    }

    #[inline]
    fn push_told(&mut self, line: u64, row: Row<'_>) {
        let index = self.rows() as u32;
        if self.next_line != Some(line) {
            self.jumps.push((index, line));
        }
        self.next_line = Some(line + 1);
        if row.last_modified.is_some() || !self.modified.is_empty() {
            self.modified.resize(self.times.len(), None);
            self.modified.push(row.last_modified);
        }
        if let Some(weight) = row.weight {
            self.weights.push((index, weight));
        }
        if let Some(site) = row.site {
            self.site_rows.push(index);
            self.sites.push(site);
        }
        self.times.push(row.at);
        self.outcomes.push(row.outcome);
    }

    /// Finds the pages of all rows among those known.
    pub(crate) fn find_pages(&mut self, known: Known<'_>) {
        known.find_all(&self.hashes, &self.names, &mut self.pages);
    }

    /// Forgets what rows say about sites where that is known.
    pub(crate) fn forget_known_sites(&mut self, known: Known<'_>) {
        let rows = std::mem::take(&mut self.site_rows);
        let sites = std::mem::take(&mut self.sites);
        for (row, site) in rows.into_iter().zip(sites.iter()) {
            let page = self.pages[row as usize];
            if page == UNRESOLVED || known.site(page) != Some(site) {
                self.site_rows.push(row);
                self.sites.push(site);
            }
        }
    }

    /// Gives each row without a page the one `settle` makes of hash and name.
    pub(crate) fn settle(&mut self, mut settle: impl FnMut(u32, &str) -> PageId) {
        let named_all = self.names.len() == self.pages.len();
        let newcomers = self.pages.iter_mut().enumerate();
        let newcomers = newcomers.filter(|(_, page)| **page == UNRESOLVED);
        for (nth, (row, page)) in newcomers.enumerate() {
            let place = if named_all { row } else { nth };
            *page = settle(self.hashes[place], self.names.get(place));
        }
    }
}
