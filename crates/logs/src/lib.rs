//! Observation logs as people bring them, CSV, NDJSON and Parquet, read into a
//! [`recrawl_model::HistorySet`].
//!
//! [`read`] takes [`Source`]s (files by extension, or standard input) and gives
//! the histories of all pages; [`read_from`] does the same with any stream.
//! What cannot be read is a [`LogError`] that names file, line, column and
//! value: nothing is dropped silently. A [`Progress`] hears how far it is.
//!
//! Text is cut into blocks at line ends, blocks are parsed on all cores against
//! the pages known so far, and the results are joined in the order of the file;
//! no file is ever held as a whole. `ARCHITECTURE.md` tells where to begin.
//!
//! ```
//! use recrawl_logs::{Format, ReadSettings, read_from};
//!
//! let log = "page,time,changed\n\
//!            https://example.org/,2026-01-01T00:00:00Z,\n\
//!            https://example.org/,2026-01-02T00:00:00Z,1\n";
//! let set = read_from(log.as_bytes(), Format::Csv, "log.csv", &ReadSettings::default())?;
//! assert_eq!((set.len(), set.observations()), (1, 2));
//! let page = set.find("https://example.org/").expect("it is in the log");
//! assert_eq!(set.site(page), "example.org");
//!
//! let bad = "page,time,changed\na,soon,1\n";
//! let refused = read_from(bad.as_bytes(), Format::Csv, "log.csv", &ReadSettings::default());
//! let message = refused.expect_err("`soon` is no time").to_string();
//! assert!(message.starts_with("log.csv line 2: column `time`: `soon` is neither"));
//! # Ok::<(), recrawl_logs::LogError>(())
//! ```

mod batch;
mod blocks;
mod cell;
mod column;
mod csv;
mod error;
mod gather;
mod ndjson;
mod page_table;
mod parquet;
mod progress;
mod read;
mod source;
mod text;

pub use column::Column;
pub use error::{LogError, Place, PlaceUnit, RowProblem};
pub use progress::{Progress, Silent};
pub use read::{ReadSettings, read, read_from};
pub use source::{Format, Source, total_bytes};
