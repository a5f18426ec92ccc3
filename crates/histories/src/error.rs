//! Why histories cannot be read: [`ReadError`].

use recrawl_model::Timestamp;
use thiserror::Error;

/// What is wrong with a file of histories. Rows count from 1; in CSV they are
/// lines, the header being the first.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be opened or its bytes make no sense.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What was found.
        reason: String,
    },
    /// A name that says neither CSV nor Parquet.
    #[error("{0}: the name must end in .csv or .parquet")]
    UnknownFormat(String),
    /// A column that must be there is not.
    #[error("{file} has no column `{column}`; it has {found}")]
    MissingColumn {
        /// The file.
        file: String,
        /// The column.
        column: String,
        /// The columns it has.
        found: String,
    },
    /// A value that is none of its column.
    #[error("{place}: column `{column}`: {reason}")]
    BadCell {
        /// File and row.
        place: String,
        /// The column.
        column: String,
        /// What was read and what is expected.
        reason: String,
    },
    /// Two rows for one page.
    #[error("{place}: page_id {page} stands in {file} twice")]
    DoublePage {
        /// File and row of the second.
        place: String,
        /// The page.
        page: u64,
        /// The file.
        file: String,
    },
    /// An update of a page that is not among the pages.
    #[error("{place}: page_id {page} is not in {pages}")]
    UnknownPage {
        /// File and row.
        place: String,
        /// The page.
        page: u64,
        /// The file of pages.
        pages: String,
    },
    /// An update of a page that was not there yet.
    #[error("{place}: page {page} is updated at {at}, not after it was born at {born}")]
    BeforeBirth {
        /// File and row.
        place: String,
        /// The page.
        page: u64,
        /// Time of the update.
        at: Timestamp,
        /// Time of the birth.
        born: Timestamp,
    },
    /// An update of a page that was gone.
    #[error("{place}: page {page} is updated at {at}, after it died at {died}")]
    AfterDeath {
        /// File and row.
        place: String,
        /// The page.
        page: u64,
        /// Time of the update.
        at: Timestamp,
        /// Time of the death.
        died: Timestamp,
    },
    /// The same update twice.
    #[error("{place}: page {page} is updated at {at} twice")]
    DoubleUpdate {
        /// File and row of the second.
        place: String,
        /// The page.
        page: u64,
        /// Time of both.
        at: Timestamp,
    },
    /// A site of a page that the file of sites does not know.
    #[error("{place}: site `{site}` is not in {sites}")]
    UnknownSite {
        /// File and row.
        place: String,
        /// The site.
        site: String,
        /// The file of sites.
        sites: String,
    },
    /// Files without a single page.
    #[error("{0} holds no page")]
    NoPages(String),
}
