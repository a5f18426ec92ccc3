//! A store somebody listens to: [`Tapped`].

use recrawl_model::PageId;

use crate::{Glance, PageRow, Received, Record, Resume, Store, StoreError, Version, Versions};

/// Who is told what was appended.
type Listener = Box<dyn FnMut(&[Record]) + Send>;

/// A store that tells a listener what was appended, once it is durable: what
/// the log tells a reader later, it tells the listener now.
///
/// ```
/// use std::sync::mpsc;
/// use recrawl_store::{MemoryStore, Record, Store, Tapped};
///
/// let (tell, heard) = mpsc::channel();
/// let listener = move |records: &[Record]| tell.send(records.len()).unwrap_or_default();
/// let mut store = Tapped::new(MemoryStore::new(), listener);
/// store.append(&[Record::Setting { name: "a".to_owned(), value: "b".to_owned() }])?;
/// assert_eq!(heard.recv(), Ok(1));
/// # Ok::<(), recrawl_store::StoreError>(())
/// ```
pub struct Tapped<S> {
    store: S,
    listener: Listener,
}

impl<S> Tapped<S> {
    /// Tells `listener` of every append from now on. It is called on the thread
    /// that appends and must not wait.
    pub fn new(store: S, listener: impl FnMut(&[Record]) + Send + 'static) -> Self {
        Self {
            store,
            listener: Box::new(listener),
        }
    }
}

impl<S: Store> Store for Tapped<S> {
    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        self.store.append(records)?;
        (self.listener)(records);
        Ok(())
    }

    fn rows(&self, pages: &[PageId]) -> Result<Vec<Option<PageRow>>, StoreError> {
        self.store.rows(pages)
    }

    fn find(&self, url: &str) -> Result<Option<PageId>, StoreError> {
        self.store.find(url)
    }

    fn glance(&self, each: &mut dyn FnMut(PageId, Glance<'_>)) -> Result<(), StoreError> {
        self.store.glance(each)
    }

    fn replay(&self, each: &mut dyn FnMut(&Record)) -> Result<(), StoreError> {
        self.store.replay(each)
    }

    fn resume(&self) -> &Resume {
        self.store.resume()
    }
}

impl<S: Versions> Versions for Tapped<S> {
    fn keep_all(&mut self, versions: &[Received<'_>], most: usize) -> Result<(), StoreError> {
        self.store.keep_all(versions, most)
    }

    fn versions(&self, page: PageId) -> Result<Vec<Version>, StoreError> {
        self.store.versions(page)
    }
}
