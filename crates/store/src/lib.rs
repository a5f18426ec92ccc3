//! The store: pages, the log of their visits, and versions, nothing lost.
//!
//! A driver speaks to a [`Store`]: it appends [`Record`]s, which are durable
//! when `append` returns, and after a restart reads where it was ([`Resume`]),
//! which pages there are ([`Store::glance`]) and what is known of them
//! ([`Store::replay`]). [`DirectoryStore`] keeps all of it in one directory, which
//! one process holds at a time; [`LogReader`] reads its log meanwhile. [`MemoryStore`]
//! is the twin for tests and the demo. `docs/store.md` tells the format.
//!
//! ```
//! use recrawl_model::{Cost, Outcome, PageId, Timestamp, Weight};
//! use recrawl_store::{MemoryStore, Record, Store};
//!
//! let mut store = MemoryStore::new();
//! let (page, at) = (PageId(0), Timestamp::from_seconds(1_800_000_000));
//! let url = "https://example.org/".to_owned();
//! let site = "example.org".to_owned();
//! store.append(&[Record::PageAdded { page, at, url, site, weight: Weight::ONE }])?;
//!
//! // Paid for before the request leaves; what it taught comes after.
//! let visit = store.resume().next_visit;
//! store.append(&[Record::Asked { visit, page, at, cost: Cost::DOWNLOAD }])?;
//! assert_eq!(store.resume().outstanding.len(), 1);
//! let (outcome, last_modified, note, held) = (Outcome::First, None, None, None);
//! store.append(&[Record::Seen { visit, page, at, outcome, last_modified, note, held }])?;
//! assert!(store.resume().outstanding.is_empty());
//! # Ok::<(), recrawl_store::StoreError>(())
//! ```

mod codec;
mod directory;
mod error;
mod fields;
mod histories;
mod memory;
mod overview;
mod record;
mod resume;
mod resume_codec;
mod row;
mod segment;
mod store;
mod tapped;

pub use directory::{
    Compacted, Damage, DirectoryStore, LogReader, LogSizes, NEWEST_FORMAT, OpenMode, StoreSettings,
    check, segment_damage,
};
pub use error::{Refusal, StoreError};
pub use histories::{Include, histories};
pub use memory::MemoryStore;
pub use overview::Overview;
pub use record::{Held, Note, Record, Standing};
pub use resume::{CycleState, Outstanding, Resume};
pub use row::{Glance, PageRow};
pub use store::{Received, Store, Version, Versions};
pub use tapped::Tapped;
