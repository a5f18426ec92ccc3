//! What other watchers remember, brought into a store.
//!
//! Each source has a file: observation logs, update histories,
//! changedetection.io, urlwatch, and git repositories of recorded pages. All give
//! a [`Found`]: histories, and notes on what could not be recovered. [`merge`]
//! brings them into a store; what is there already is passed over, and nothing is
//! changed if anything contradicts it.
//!
//! ```
//! use recrawl_import::merge;
//! use recrawl_logs::{Format, ReadSettings, read_from};
//! use recrawl_model::Timestamp;
//! use recrawl_store::{MemoryStore, Store};
//!
//! let log = "page,time,changed\nhttps://example.org/,0,\nhttps://example.org/,86400,1\n";
//! let set = read_from(log.as_bytes(), Format::Csv, "log.csv", &ReadSettings::default())?;
//! let mut store = MemoryStore::new();
//! let now = Timestamp::from_seconds(90_000);
//! assert_eq!(merge(&mut store, &set, now)?.observations, 2);
//! assert_eq!(merge(&mut store, &set, now)?.known, 2);
//! assert_eq!(store.resume().next_page, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod changedetection;
mod error;
mod found;
mod git;
mod kind;
mod merge;
mod schedule;
mod updates;
mod urlwatch;

pub use changedetection::read as read_changedetection;
pub use error::ImportError;
pub use found::Found;
pub use git::read as read_git;
pub use kind::{Kind, history_files, recognise};
pub use merge::{Merged, merge};
pub use schedule::MOST_VISITS;
pub use updates::read as read_updates;
pub use urlwatch::read as read_urlwatch;
