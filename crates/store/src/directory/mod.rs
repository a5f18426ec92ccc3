//! The store in a directory: [`DirectoryStore`].

mod changes;
mod check;
mod compact;
mod emptying;
mod files;
mod fresh;
mod log_reader;
mod place;
mod recover;
mod rows;
mod sealed;
mod settings;
mod version_files;
mod version_frame;
mod versions;

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::JoinHandle;

use recrawl_model::PageId;

use crate::resume::Checked;
use crate::segment::{HEADER_BYTES, SegmentWriter};
use crate::{Glance, PageRow, Record, Refusal, Resume, Store, StoreError};
pub use check::{Damage, check, segment_damage};
pub use compact::Compacted;
use files::{Form, Listing};
use fresh::Fresh;
pub use log_reader::{LogReader, LogSizes};
use place::Place;
pub use place::{NEWEST_FORMAT, OpenMode};
use rows::{Position, Rows};
pub use settings::StoreSettings;
use version_files::VersionFiles;

/// A store in one directory, held by one process. `docs/store.md` tells what is
/// in it, byte by byte.
///
/// The log is the truth: segments that are only appended to, sealed to Parquet
/// when they are full. Page rows are in a tree beside it that follows the log.
pub struct DirectoryStore {
    rows: Rows,
    version_files: VersionFiles,
    writer: SegmentWriter,
    /// The number of the segment appended to.
    segment: u32,
    /// What pages hold that the rows do not have yet.
    fresh: Fresh,
    resume: Resume,
    settings: StoreSettings,
    /// Finished segments on their way into sealed files.
    sealing: Option<JoinHandle<Result<(), StoreError>>>,
    /// Last, so that the lock goes when all else is closed.
    place: Place,
}

impl DirectoryStore {
    /// Opens the store in `path`.
    ///
    /// # Errors
    /// [`StoreError`]: there is none, another process has it, it is of a newer
    /// format, it is damaged, or what the operating system said.
    pub fn open(path: &Path, mode: OpenMode) -> Result<Self, StoreError> {
        Self::open_with(path, mode, StoreSettings::default())
    }

    /// As [`Self::open`], with settings.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(
        path: &Path,
        mode: OpenMode,
        settings: StoreSettings,
    ) -> Result<Self, StoreError> {
        let place = Place::open(path, mode)?;
        let listing = Listing::read(path)?;
        listing.tidy(path)?;
        let rows = Rows::open(path, &settings)?;
        let recover::Recovered { resume, mut fresh } = recover::recover(&listing, &rows)?;
        let open = listing.files.last();
        let open = open.filter(|file| file.form == Form::Segment);
        let (segment, writer) = if let Some(file) = open {
            (*file.segments.start(), recover::open_segment(file)?)
        } else {
            let next = listing.next_segment();
            (next, recover::create_segment(path, next, &mut fresh)?)
        };
        let mut store = Self {
            rows,
            version_files: VersionFiles::list(path, settings.version_file_bytes)?,
            writer,
            segment,
            fresh,
            resume,
            settings,
            sealing: None,
            place,
        };
        store.take_over_versions()?;
        Ok(store)
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    fn check_group(&self, records: &[Record]) -> Result<(), StoreError> {
        let mut checked = Checked::after(&self.resume);
        let mut new_urls = BTreeMap::new();
        for record in records {
            checked.check(record)?;
            if let Record::PageAdded { page, url, .. } = record {
                let known = new_urls.insert(url.as_str(), *page);
                if let Some(page) =
                    known.map_or_else(|| self.rows.find(url), |page| Ok(Some(page)))?
                {
                    let url = url.clone();
                    return Err(Refusal::UrlTaken { url, page }.into());
                }
            }
        }
        Ok(())
    }

    /// Appends to a new segment from here on.
    fn begin_segment(&mut self) -> Result<(), StoreError> {
        let next = self.segment + 1;
        self.writer = recover::create_segment(self.place.path(), next, &mut self.fresh)?;
        self.segment = next;
        Ok(())
    }

    /// Makes durable, at the beginning of a segment, all that the segments
    /// before it told: they need not be read again when the store is opened, and
    /// may be sealed.
    fn set_checkpoint(&mut self) -> Result<(), StoreError> {
        let here = Position {
            segment: self.segment,
            offset: HEADER_BYTES,
        };
        self.version_files.sync()?;
        self.rows.take_over(&self.fresh)?;
        self.rows.set_checkpoint(here, &self.resume)?;
        self.fresh.clear(self.segment);
        Ok(())
    }

    /// Seals finished segments, as a rule one, while the next one fills.
    fn seal_in_background(&mut self) {
        let (store, open) = (self.path().to_owned(), self.segment);
        let seal = move || compact::seal_before(&store, open).map(drop);
        // Without a thread it stays a segment, which is read all the same.
        self.sealing = std::thread::Builder::new()
            .name("recrawl-seal".to_owned())
            .spawn(seal)
            .ok();
    }

    /// Waits for the segment that is being sealed.
    fn finish_sealing(&mut self) -> Result<(), StoreError> {
        match self.sealing.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(sealed)) => sealed,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    }
}

impl Store for DirectoryStore {
    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        self.check_group(records)?;
        if records.is_empty() {
            return Ok(());
        }
        let mut checkpoint = Ok(());
        if self.writer.length() >= self.settings.segment_bytes {
            self.finish_sealing()?;
            self.begin_segment()?;
            checkpoint = self
                .set_checkpoint()
                .map_err(|error| self.rows.behind(error));
            if checkpoint.is_ok() {
                self.seal_in_background();
            }
        }
        for &(page, place) in self.writer.append(records)? {
            self.fresh.note(page, self.segment, place);
        }
        for record in records {
            self.resume.take_in(record);
        }
        let end = Position {
            segment: self.segment,
            offset: self.writer.length(),
        };
        self.rows.apply(records, end)?;
        checkpoint
    }

    fn rows(&self, pages: &[PageId]) -> Result<Vec<Option<PageRow>>, StoreError> {
        let row = |&page| self.rows.row(page, self.fresh.read(page)?);
        pages.iter().map(row).collect()
    }

    fn find(&self, url: &str) -> Result<Option<PageId>, StoreError> {
        self.rows.find(url)
    }

    fn glance(&self, each: &mut dyn FnMut(PageId, Glance<'_>)) -> Result<(), StoreError> {
        self.rows.glance(each)
    }

    fn replay(&self, each: &mut dyn FnMut(&Record)) -> Result<(), StoreError> {
        LogReader::open(self.path())?.replay(each)
    }

    fn resume(&self) -> &Resume {
        &self.resume
    }
}

impl Drop for DirectoryStore {
    fn drop(&mut self) {
        // A segment that could not be sealed is still a segment; `compact` and
        // the next one that fills try again.
        let _ = self.finish_sealing();
    }
}
