//! The traits drivers use: [`Store`] and [`Versions`].

use recrawl_model::{PageId, Timestamp};

use crate::{Glance, PageRow, Record, Resume, StoreError};

/// Pages and the log of what became of them. The live watcher appends before
/// each visit and after it, and reads everything once when it starts; commands
/// only read. [`DirectoryStore`](crate::DirectoryStore) keeps it in a directory,
/// [`MemoryStore`](crate::MemoryStore) is its twin for tests and the demo.
pub trait Store: Send {
    /// Appends records, in order. Durable when it returns: all of it or, after
    /// a crash, a whole prefix of it.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if a record cannot follow what is there (a page
    /// number never given, a visit seen twice): nothing is appended.
    /// Otherwise what the disk said: nothing of the group counts, unless it is
    /// [`StoreError::Rows`], which names a group that is in the log and whose
    /// rows will be right when the store is opened again.
    fn append(&mut self, records: &[Record]) -> Result<(), StoreError>;

    /// The rows of pages, `None` for numbers never given.
    ///
    /// # Errors
    /// What the disk said.
    fn rows(&self, pages: &[PageId]) -> Result<Vec<Option<PageRow>>, StoreError>;

    /// The page with this URL, whatever its standing.
    ///
    /// # Errors
    /// What the disk said.
    fn find(&self, url: &str) -> Result<Option<PageId>, StoreError>;

    /// All pages in order of their numbers, at a glance: cheap for a million.
    ///
    /// # Errors
    /// What the disk said.
    fn glance(&self, each: &mut dyn FnMut(PageId, Glance<'_>)) -> Result<(), StoreError>;

    /// All records in order, with `held` always `None`.
    ///
    /// # Errors
    /// What the disk said, or [`StoreError::Damaged`].
    fn replay(&self, each: &mut dyn FnMut(&Record)) -> Result<(), StoreError>;

    /// Where a driver takes up again, kept up to date by every append.
    fn resume(&self) -> &Resume;

    /// All rows in order of page number. [`Self::glance`] is cheaper where it
    /// is enough.
    ///
    /// # Errors
    /// What the disk said.
    fn scan(&self, each: &mut dyn FnMut(PageId, PageRow)) -> Result<(), StoreError> {
        let mut first = 0;
        while first < self.resume().next_page {
            let end = self.resume().next_page.min(first + ROWS_TOGETHER);
            let pages: Vec<PageId> = (first..end).map(PageId).collect();
            for (page, row) in pages.iter().zip(self.rows(&pages)?) {
                if let Some(row) = row {
                    each(*page, row);
                }
            }
            first = end;
        }
        Ok(())
    }
}

/// Rows read together by [`Store::scan`]: few enough to cost no memory.
const ROWS_TOGETHER: u32 = 1 << 10;

/// A body of a page as it once was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// When it was received.
    pub at: Timestamp,
    /// The `Content-Type` header as received.
    pub content_type: Option<String>,
    /// The body, decoded.
    pub body: Vec<u8>,
}

/// A body on its way to the [`Versions`] of its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Received<'a> {
    /// The page.
    pub page: PageId,
    /// When it was received.
    pub at: Timestamp,
    /// The `Content-Type` header as received.
    pub content_type: Option<&'a str>,
    /// The body, decoded.
    pub body: &'a [u8],
}

/// The last bodies of pages, so that a change can be shown. They are a
/// convenience: after a power cut the newest may be missing.
pub trait Versions {
    /// Keeps versions, and of each of their pages none beyond the newest `most`.
    /// A few dozen together cost much less than one by one.
    ///
    /// # Errors
    /// What the disk said.
    fn keep_all(&mut self, versions: &[Received<'_>], most: usize) -> Result<(), StoreError>;

    /// Keeps a version, and of this page none beyond the newest `most`.
    ///
    /// # Errors
    /// What the disk said.
    fn keep(&mut self, page: PageId, version: &Version, most: usize) -> Result<(), StoreError> {
        let received = Received {
            page,
            at: version.at,
            content_type: version.content_type.as_deref(),
            body: &version.body,
        };
        self.keep_all(&[received], most)
    }

    /// The versions kept of a page, newest first.
    ///
    /// # Errors
    /// What the disk said.
    fn versions(&self, page: PageId) -> Result<Vec<Version>, StoreError>;
}
