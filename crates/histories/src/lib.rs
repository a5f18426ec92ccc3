//! Update histories as people bring them: when pages were born, updated and
//! deleted, in three tables of Parquet or CSV, read into
//! [`recrawl_simulate::Histories`].
//!
//! [`read`] takes the [`Files`]; what cannot be read is a [`ReadError`] that
//! names file, row and column. Nothing is dropped silently.
//!
//! | file | columns |
//! |---|---|
//! | pages | `page_id`, `site`, `path`, `born`, `died`; optional `weight`, `bytes` |
//! | updates | `page_id`, `t` |
//! | sites | `site`, `end` |
//!
//! Times are seconds since 1970 or RFC 3339; an empty `died` or `end` means
//! never. Rows may come in any order.

mod assemble;
mod columns;
mod error;
mod table;

use std::path::PathBuf;

use recrawl_simulate::Histories;

pub use error::ReadError;

/// Where the tables are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// The pages.
    pub pages: PathBuf,
    /// Their updates.
    pub updates: PathBuf,
    /// Where the histories of sites stop.
    pub sites: Option<PathBuf>,
}

/// Which pages are sampled together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Grouping {
    /// Those of one `site`.
    #[default]
    Site,
    /// Those of one site whose `path` differs only in its last part.
    Directory,
    /// Those with the same value of a column of `pages`.
    Column(String),
}

/// Reads a collection's histories.
///
/// # Errors
/// [`ReadError`] says which file, row and column cannot be read and why.
pub fn read(files: &Files, grouping: &Grouping) -> Result<Histories, ReadError> {
    assemble::read(files, grouping)
}

/// What the files call a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageName {
    /// Its site.
    pub site: String,
    /// Its path there.
    pub path: String,
}

/// Reads what the files call the pages, in the order of [`Histories`].
///
/// # Errors
/// As [`read`].
pub fn names(files: &Files) -> Result<Vec<PageName>, ReadError> {
    assemble::names(files)
}
