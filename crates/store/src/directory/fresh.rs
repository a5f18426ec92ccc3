//! What is held of pages and stands in the log only: [`Fresh`].

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use recrawl_model::PageId;

use crate::codec::decode_held;
use crate::fields::Fields;
use crate::segment::HeldPlace;
use crate::{Held, StoreError};

/// Pages of which something new is held since the last checkpoint. It is written
/// once, to the log, and read from there; at the next checkpoint the newest of
/// each page goes into the rows.
#[derive(Debug, Default)]
pub(crate) struct Fresh {
    places: HashMap<PageId, (u32, HeldPlace)>,
    segments: BTreeMap<u32, (PathBuf, File)>,
}

impl Fresh {
    /// A segment whose records may come, and a handle to read it.
    pub(crate) fn add_segment(&mut self, number: u32, path: &Path, handle: File) {
        self.segments.insert(number, (path.to_owned(), handle));
    }

    /// A page holds what stands at this place of a segment.
    pub(crate) fn note(&mut self, page: PageId, segment: u32, place: HeldPlace) {
        self.places.insert(page, (segment, place));
    }

    /// What is held of a page; `None` if that is in its row.
    pub(crate) fn read(&self, page: PageId) -> Result<Option<Held>, StoreError> {
        let Some((segment, place)) = self.places.get(&page) else {
            return Ok(None);
        };
        let Some((path, handle)) = self.segments.get(segment) else {
            return Ok(None); // not reached: records come from segments that were added
        };
        let bytes = read_at(handle, *place).map_err(StoreError::io("read", path))?;
        // What went bad on the disk since it was checked is left out: the row may
        // have an older response, or the next visit asks without conditions.
        Ok(decode_held(&mut Fields(&bytes)).ok())
    }

    /// The pages in order.
    pub(crate) fn pages(&self) -> Vec<PageId> {
        let mut pages: Vec<PageId> = self.places.keys().copied().collect();
        pages.sort_unstable();
        pages
    }

    /// The rows have it all; only the segment of this number is written to.
    pub(crate) fn clear(&mut self, segment: u32) {
        self.places = HashMap::new();
        self.segments.retain(|number, _| *number >= segment);
    }
}

fn read_at(mut handle: &File, place: HeldPlace) -> io::Result<Vec<u8>> {
    let HeldPlace { offset, length } = place;
    handle.seek(SeekFrom::Start(offset))?;
    let mut bytes = vec![0; length as usize];
    handle.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use recrawl_model::{Outcome, Timestamp, Weight};

    use super::*;
    use crate::{DirectoryStore, OpenMode, Record, Store, StoreSettings};

    fn added(page: u32) -> Record {
        Record::PageAdded {
            page: PageId(page),
            at: Timestamp::from_seconds(0),
            url: format!("https://a.example/{page}"),
            site: "a.example".to_owned(),
            weight: Weight::ONE,
        }
    }

    fn seen(page: u32, second: i64) -> Record {
        let at = Timestamp::from_seconds(second);
        Record::Seen {
            visit: 0,
            page: PageId(page),
            at,
            outcome: Outcome::Changed,
            last_modified: None,
            note: None,
            held: Some(Held {
                at,
                etag: None,
                last_modified: None,
                location: None,
                memory: Vec::new(),
            }),
        }
    }

    #[test]
    fn several_segments_may_wait_for_a_checkpoint() {
        let directory = tempfile::tempdir().expect("room");
        let open = || DirectoryStore::open(directory.path(), OpenMode::CreateIfMissing);
        let mut store = open().expect("a store");
        for page in 0..3 {
            store.append(&[added(page)]).expect("room");
        }
        let held_since = |store: &DirectoryStore| -> Vec<Option<i64>> {
            let rows = store.rows(&[PageId(0), PageId(1), PageId(2)]);
            let rows = rows.expect("rows").into_iter().flatten();
            rows.map(|row| row.held.map(|held| held.at.micros() / 1_000_000))
                .collect()
        };
        store.append(&[seen(0, 10), seen(1, 11)]).expect("room");
        store.begin_segment().expect("room"); // its checkpoint failed
        store.append(&[seen(1, 20), seen(2, 21)]).expect("room");
        let expected = [Some(10), Some(20), Some(21)];
        assert_eq!(held_since(&store), expected);
        drop(store);
        let mut store = open().expect("a store");
        assert_eq!(held_since(&store), expected);
        store.begin_segment().expect("room");
        store.set_checkpoint().expect("room");
        assert!(store.fresh.pages().is_empty());
        assert_eq!(held_since(&store), expected);
    }

    #[test]
    fn a_group_counts_though_the_checkpoint_before_it_failed() {
        let directory = tempfile::tempdir().expect("room");
        let path = directory.path();
        let settings = StoreSettings {
            segment_bytes: 100,
            ..StoreSettings::default()
        };
        let mut store =
            DirectoryStore::open_with(path, OpenMode::CreateIfMissing, settings).expect("a store");
        store.append(&[added(0), seen(0, 10)]).expect("room");
        // The disk lost what is held of the page.
        let segment = path.join("log/00000001.seg");
        let file = std::fs::OpenOptions::new().write(true).open(segment);
        file.and_then(|file| file.set_len(60)).expect("cut");
        let told = store.append(&[added(1)]);
        assert!(matches!(told, Err(StoreError::Rows { .. })), "{told:?}");
        assert_eq!(store.resume().next_page, 2);
        let row = store.rows(&[PageId(1)]).expect("rows");
        assert!(row[0].is_some());
    }

    #[test]
    fn a_page_takes_20_bytes() {
        assert_eq!(size_of::<(PageId, (u32, HeldPlace))>(), 20);
    }
}
