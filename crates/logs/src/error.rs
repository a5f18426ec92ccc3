//! Why a log could not be read: [`LogError`].

use std::fmt;
use std::io;
use std::sync::Arc;

use recrawl_model::Timestamp;
use thiserror::Error;

use crate::Column;

/// Why a log could not be read. Each message is one sentence that names the
/// file, the place in it and the way out.
#[derive(Debug, Error)]
pub enum LogError {
    /// No file of that name.
    #[error("`{file}` does not exist")]
    Missing {
        /// The file.
        file: String,
    },
    /// A directory where a file was expected.
    #[error("`{file}` is a directory, name the log files in it instead")]
    Directory {
        /// The directory.
        file: String,
    },
    /// The extension names no format.
    #[error(
        "`{file}` does not say its format: the name must end in .csv, .ndjson, .jsonl, .parquet \
         or .pq, the text formats also with .gz or .zst after that"
    )]
    UnknownExtension {
        /// The file.
        file: String,
    },
    /// The system could not read the file, or it is not compressed as it says.
    #[error("{file} cannot be read: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// Not a Parquet file, or a damaged one.
    #[error("{file} cannot be read as Parquet: {reason}")]
    Parquet {
        /// The file.
        file: String,
        /// What the decoder said.
        reason: String,
    },
    /// A needed column is not there.
    #[error("{file} has no column `{column}`, the columns found are {found}{hint}")]
    MissingColumn {
        /// The file.
        file: String,
        /// The column that is needed.
        column: Column,
        /// The columns that are there.
        found: String,
        /// What may be wrong, or nothing.
        hint: &'static str,
    },
    /// A known column stands twice.
    #[error("{file} has two columns `{column}`, rename the one that is not meant")]
    RepeatedColumn {
        /// The file.
        file: String,
        /// The column.
        column: Column,
    },
    /// A Parquet column whose type cannot hold what the column means.
    #[error("{file}: column `{column}` has type {found}, but must be {expected}")]
    ColumnType {
        /// The file.
        file: String,
        /// The column.
        column: Column,
        /// Its type.
        found: String,
        /// The types it may have.
        expected: &'static str,
    },
    /// A row that cannot be read.
    #[error("{place}: {problem}")]
    Row {
        /// Where it is.
        place: Place,
        /// What is wrong with it.
        problem: RowProblem,
    },
    /// A page that rows put in two sites.
    #[error(
        "{place}: page `{page}` is put in site `{second}`, but in site `{first}` before, \
         a page belongs to one site"
    )]
    TwoSites {
        /// Where the second site is named.
        place: Place,
        /// The page.
        page: String,
        /// The site named first.
        first: String,
        /// The other one.
        second: String,
    },
    /// Two rows of one page with the same time.
    #[error(
        "{second}: page `{page}` is observed at {at} a second time, the first is {first}; \
         keep one of the two"
    )]
    Duplicate {
        /// The page.
        page: String,
        /// The time of both.
        at: Timestamp,
        /// Where it was observed first.
        first: Place,
        /// Where again.
        second: Place,
    },
    /// Nothing to read in any of the files.
    #[error("no observations in {files}")]
    NoObservations {
        /// The files.
        files: String,
    },
}

/// What is wrong with one row.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RowProblem {
    /// A cell that is not what its column holds.
    #[error("column `{column}`: {reason}")]
    Cell {
        /// The column.
        column: Column,
        /// The value and what is expected instead.
        reason: String,
    },
    /// A CSV row with more or fewer fields than the header.
    #[error("{found} fields where the header has {expected}")]
    FieldCount {
        /// Fields of the row.
        found: usize,
        /// Fields of the header.
        expected: usize,
    },
    /// A quoted CSV field that goes on after its closing quote.
    #[error("text after a closing quote, a quote inside a quoted field is written twice")]
    TextAfterQuote,
    /// A quoted CSV field without an end.
    #[error("a quoted field is opened and never closed")]
    OpenQuote,
    /// A row too long to be one.
    #[error("the row is longer than {limit} bytes, is this a text file with line ends?")]
    TooLong {
        /// The longest row read.
        limit: usize,
    },
    /// A line that is not a JSON object.
    #[error("not a JSON object: {reason}")]
    Json {
        /// What the JSON parser said.
        reason: String,
    },
}

/// A place in a file: a line of text or a row of Parquet, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: Arc<str>,
    /// What is counted.
    pub unit: PlaceUnit,
    /// Which one it is.
    pub number: u64,
}

/// What places in a file are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceUnit {
    /// Lines of text.
    Line,
    /// Rows of a table.
    Row,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            PlaceUnit::Line => "line",
            PlaceUnit::Row => "row",
        };
        write!(f, "{} {unit} {}", self.file, self.number)
    }
}
