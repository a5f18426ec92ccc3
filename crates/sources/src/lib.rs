//! Lists other people write: URL lists, sitemaps and feeds to pages with hints.
//!
//! Everything here is a pure function of bytes, bounded in time and memory
//! whatever the bytes are. Start at [`url_list`], [`sitemap`] and [`feed`];
//! [`sniff`] tells which of them a response is for.
//!
//! ```
//! let list = recrawl_sources::url_list(
//!     "# shops\nhttps://shop.example/prices weight=3\nsitemap:https://shop.example/sitemap.xml\n",
//! )?;
//! assert_eq!(list[0].url.as_str(), "https://shop.example/prices");
//! assert_eq!(list[0].weight.get(), 3.0);
//! assert_eq!(list[1].kind, recrawl_sources::EntryKind::Sitemap);
//! # Ok::<(), recrawl_sources::ListError>(())
//! ```

mod address;
mod date;
mod error;
mod feed;
mod list;
mod sitemap;
mod sniff;
mod unpack;

pub use address::{AddressError, page_url};
pub use error::SourceError;
pub use feed::{Feed, feed};
pub use list::{Entry, EntryKind, ListError, url_list};
pub use sitemap::{Sitemap, sitemap};
pub use sniff::{Kind, sniff};

use recrawl_model::Timestamp;
use url::Url;

/// A page a source names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its address.
    pub url: Url,
    /// When the source says it was last modified: a hint, not an observation.
    pub last_modified: Option<Timestamp>,
}

/// Pages taken from one source; the sitemap protocol allows as many.
pub const MAX_PAGES: usize = 50_000;

/// Largest source that is read, decompressed, in bytes: 50 MiB, as the sitemap
/// protocol allows.
pub const MAX_SOURCE_BYTES: usize = 50 << 20;
