//! Rows parsed apart from the rest of the log: [`Batch`].

use recrawl_model::{Names, Outcome, PageId, Timestamp};

use crate::cell;
use crate::gather::Known;
use crate::{Column, RowProblem};

/// Stands for a page that was not known when its row was parsed.
pub(crate) const UNRESOLVED: PageId = PageId(u32::MAX);

/// What a row says beside its page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) at: Timestamp,
    pub(crate) outcome: Outcome,
    pub(crate) last_modified: Option<Timestamp>,
    pub(crate) site: Option<&'a str>,
    pub(crate) weight: Option<f64>,
}

/// The page of a row that met no known page of its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Newcomer {
    /// Row in the batch.
    pub(crate) row: u32,
    /// Hash of the page's name.
    pub(crate) hash: u64,
}

/// Rows of one block of a file, in columns, parsed on any thread against the
/// pages known before the block; [`crate::gather::Gather`] joins batches in the
/// order of the file.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// One a row; [`UNRESOLVED`] for newcomers.
    pub(crate) pages: Vec<PageId>,
    pub(crate) times: Vec<Timestamp>,
    pub(crate) outcomes: Vec<Outcome>,
    /// Empty until the first date is told, then one a row.
    pub(crate) modified: Vec<Option<Timestamp>>,
    pub(crate) newcomers: Vec<Newcomer>,
    /// The name of each newcomer.
    pub(crate) new_names: Names,
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

    /// Adds a row of the page called `name`.
    #[inline]
    pub(crate) fn push(
        &mut self,
        known: Known<'_>,
        name: &[u8],
        line: u64,
        row: Row<'_>,
    ) -> Result<(), RowProblem> {
        let hash = known.hash(name);
        match known.find(hash, name) {
            Some(page) => self.push_known(known, page, line, row),
            None => self.push_new(hash, name, line, row)?,
        }
        Ok(())
    }

    /// Adds a row of a page that is known.
    #[inline]
    pub(crate) fn push_known(&mut self, known: Known<'_>, page: PageId, line: u64, row: Row<'_>) {
        if let Some(site) = row.site
            && known.site(page) != Some(site)
        {
            self.note_site(site);
        }
        self.push_columns(page, line, row);
    }

    /// Adds a row of a page that is not known yet.
    #[cold]
    pub(crate) fn push_new(
        &mut self,
        hash: u64,
        name: &[u8],
        line: u64,
        row: Row<'_>,
    ) -> Result<(), RowProblem> {
        if name.is_empty() {
            return Err(cell::empty(Column::Page));
        }
        let text = std::str::from_utf8(name).map_err(|_| cell::not_utf8(Column::Page, name))?;
        self.newcomers.push(Newcomer {
            row: self.rows() as u32,
            hash,
        });
        self.new_names.push(text);
        if let Some(site) = row.site {
            self.note_site(site);
        }
        self.push_columns(UNRESOLVED, line, row);
        Ok(())
    }

    fn note_site(&mut self, site: &str) {
        self.site_rows.push(self.rows() as u32);
        self.sites.push(site);
    }

    #[inline]
    fn push_columns(&mut self, page: PageId, line: u64, row: Row<'_>) {
        if self.next_line != Some(line) {
            self.jumps.push((self.rows() as u32, line));
        }
        self.next_line = Some(line + 1);
        if row.last_modified.is_some() || !self.modified.is_empty() {
            self.modified.resize(self.times.len(), None);
            self.modified.push(row.last_modified);
        }
        if let Some(weight) = row.weight {
            self.weights.push((self.times.len() as u32, weight));
        }
        self.pages.push(page);
        self.times.push(row.at);
        self.outcomes.push(row.outcome);
    }
}
