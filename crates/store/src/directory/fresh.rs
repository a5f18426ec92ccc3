//! What is held of pages and stands in the log only: [`Fresh`].

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use recrawl_model::PageId;

use crate::StoreError;
use crate::segment::HeldPlace;

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

    /// What is held of a page as its row would have it; `None` if that is in its
    /// row.
    pub(crate) fn read(&self, page: PageId) -> Result<Option<Vec<u8>>, StoreError> {
        let Some((segment, place)) = self.places.get(&page) else {
            return Ok(None);
        };
        let Some((path, handle)) = self.segments.get(segment) else {
            return Ok(None); // not reached: records come from segments that were opened
        };
        let bytes = read_at(handle, *place).map_err(StoreError::io("read", path))?;
        Ok(Some(bytes))
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
    use super::*;

    #[test]
    fn a_page_takes_20_bytes() {
        assert_eq!(size_of::<(PageId, (u32, HeldPlace))>(), 20);
    }
}
