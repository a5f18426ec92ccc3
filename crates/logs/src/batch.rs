//! Rows parsed apart from the rest of the log: [`Batch`].

use std::borrow::Cow;

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
    /// One a row; [`UNRESOLVED`] for newcomers.
    pub(crate) pages: Vec<PageId>,
    pub(crate) times: Vec<Timestamp>,
    pub(crate) outcomes: Vec<Outcome>,
    /// Empty until the first date is told, then one a row.
    pub(crate) modified: Vec<Option<Timestamp>>,
    /// The names of the newcomers' pages, in order of rows.
    new_names: Names,
    /// The hash of each.
    new_hashes: Vec<u32>,
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

    /// Adds a row of a page that is known.
    #[inline]
    pub(crate) fn push_known(&mut self, page: PageId, line: u64, row: Row<'_>) {
        self.pages.push(page);
        self.push_told(line, row);
    }

    /// Adds a row of a page that is not.
    pub(crate) fn push_new(
        &mut self,
        name: &str,
        line: u64,
        row: Row<'_>,
    ) -> Result<(), RowProblem> {
        if name.is_empty() {
            return Err(cell::empty(Column::Page));
        }
        self.new_names.push(name);
        self.new_hashes.push(hash(name));
        self.push_known(UNRESOLVED, line, row);
        Ok(())
    }

    /// Adds all of a row but its page.
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

    /// Gives each newcomer the page `settle` makes of its number among the newcomers,
    /// the hashes of all of them, and its name.
    pub(crate) fn settle(&mut self, mut settle: impl FnMut(usize, &[u32], &str) -> PageId) {
        if self.new_hashes.is_empty() {
            return;
        }
        let newcomers = self.pages.iter_mut().filter(|page| **page == UNRESOLVED);
        for (page, (number, name)) in newcomers.zip(self.new_names.iter().enumerate()) {
            *page = settle(number, &self.new_hashes, name);
        }
    }
}

/// Names looked up together: enough that their waits for memory overlap, few
/// enough that they stay in the fastest cache until then.
const LOOKED_UP_TOGETHER: usize = 256;

/// A batch whose pages are looked up some at a time. Their names stay where they
/// were parsed.
pub(crate) struct NamedBatch<'a> {
    pub(crate) batch: Batch,
    known: Known<'a>,
    /// Names of the rows not looked up yet, and their hashes.
    names: Vec<Cow<'a, str>>,
    hashes: Vec<u32>,
}

impl<'a> NamedBatch<'a> {
    /// A batch with room for `rows` rows, whose pages are sought in `known`.
    pub(crate) fn with_capacity(rows: usize, known: Known<'a>) -> Self {
        Self {
            batch: Batch::with_capacity(rows),
            known,
            names: Vec::with_capacity(LOOKED_UP_TOGETHER),
            hashes: Vec::with_capacity(LOOKED_UP_TOGETHER),
        }
    }

    /// Adds a row of the page called `name`.
    #[inline]
    pub(crate) fn push(
        &mut self,
        name: Cow<'a, str>,
        line: u64,
        row: Row<'_>,
    ) -> Result<(), RowProblem> {
        if name.is_empty() {
            return Err(cell::empty(Column::Page));
        }
        self.hashes.push(hash(&name));
        self.names.push(name);
        self.batch.push_told(line, row);
        if self.names.len() == LOOKED_UP_TOGETHER {
            self.look_up();
        }
        Ok(())
    }

    /// Adds rows that stand one after the other from line 0 on and tell a page, a
    /// time and an outcome each; no name is empty.
    pub(crate) fn push_plain(
        &mut self,
        names: impl Iterator<Item = &'a str>,
        times: impl Iterator<Item = Timestamp>,
        outcomes: impl Iterator<Item = Outcome>,
    ) {
        self.batch.jumps.push((self.batch.rows() as u32, 0));
        self.batch.times.extend(times);
        self.batch.outcomes.extend(outcomes);
        for name in names {
            self.hashes.push(hash(name));
            self.names.push(Cow::Borrowed(name));
            if self.names.len() == LOOKED_UP_TOGETHER {
                self.look_up();
            }
        }
    }

    fn look_up(&mut self) {
        let Self {
            batch,
            known,
            names,
            hashes,
        } = self;
        let before = batch.pages.len();
        known.find_all(hashes, names, &mut batch.pages);
        let rows = batch.pages[before..].iter().zip(&*names).zip(&*hashes);
        for ((_, name), &hash) in rows.filter(|((page, _), _)| **page == UNRESOLVED) {
            batch.new_names.push(name);
            batch.new_hashes.push(hash);
        }
        names.clear();
        hashes.clear();
    }

    /// The batch, with the pages and sites that are known recognised.
    pub(crate) fn finish(mut self) -> Batch {
        self.look_up();
        self.batch.forget_known_sites(self.known);
        self.batch
    }
}
