//! Page rows on disk: [`Rows`]. A cache of the log in a fjall tree.

use std::path::{Path, PathBuf};

use std::collections::BTreeMap;

use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions, PersistMode};
use recrawl_model::PageId;

use super::changes::{Changes, StoredPage};
use super::fresh::Fresh;
use super::place::rows_directory;
use super::settings::StoreSettings;
use crate::codec::{decode_held, encode_held};
use crate::fields::{Fields, Malformed, PutFields};
use crate::{Glance, Held, PageRow, Record, Resume, StoreError, resume_codec};

const MARK: &str = "applied";
const CHECKPOINT: &str = "checkpoint";

/// Where versions were in format 1.
const OLD_VERSIONS: &str = "versions";

/// A place in the log: a segment and a byte in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) segment: u32,
    pub(crate) offset: u64,
}

/// The tree. What it says is what the log says up to its mark; what it says is held
/// of pages, up to the checkpoint.
pub(crate) struct Rows {
    database: Database,
    /// Page number, big-endian, to [`StoredPage`].
    pub(super) pages: Keyspace,
    /// Page number to what is held of it.
    pub(super) held: Keyspace,
    /// Hash of a URL to the numbers of the pages with that hash.
    pub(super) urls: Keyspace,
    /// Page number to where its versions stand; see `versions.rs`.
    pub(super) kept: Keyspace,
    meta: Keyspace,
    directory: PathBuf,
}

impl Rows {
    pub(crate) fn open(store: &Path, settings: &StoreSettings) -> Result<Self, StoreError> {
        let directory = rows_directory(store);
        let open = || {
            let database = Database::builder(&directory)
                .cache_size(settings.cache_bytes)
                .max_journaling_size(settings.journal_bytes)
                // Written and soon forgotten: compressing it costs more than the bytes.
                .journal_compression(CompressionType::None)
                // With two, one hands compactions back and forth while the other is busy.
                .worker_threads(1)
                .open()?;
            let options =
                || KeyspaceCreateOptions::default().max_memtable_size(settings.memtable_bytes);
            Ok(Self {
                pages: database.keyspace("pages", || options().expect_point_read_hits(true))?,
                held: database.keyspace("held", options)?,
                urls: database.keyspace("urls", options)?,
                kept: database.keyspace("kept", options)?,
                meta: database.keyspace("meta", options)?,
                database,
                directory: directory.clone(),
            })
        };
        open().map_err(|error| refused(&directory, &error))
    }

    /// What the tree said, as an error of the store.
    pub(super) fn refused(&self) -> impl Fn(fjall::Error) -> StoreError {
        |error| refused(&self.directory, &error)
    }

    /// An error that left the rows behind the log, as one of the rows: what was
    /// appended counts all the same.
    pub(super) fn behind(&self, error: StoreError) -> StoreError {
        match error {
            StoreError::Rows { .. } => error,
            other => StoreError::Rows {
                directory: self.directory.clone(),
                message: other.to_string(),
            },
        }
    }

    pub(super) fn malformed(&self) -> impl Fn(Malformed) -> StoreError {
        |error| StoreError::Rows {
            directory: self.directory.clone(),
            message: format!("a row cannot be understood: {error}"),
        }
    }

    /// Up to where the log is in the rows; `None` if nothing is.
    pub(crate) fn mark(&self) -> Result<Option<Position>, StoreError> {
        let Some(bytes) = self.meta.get(MARK).map_err(self.refused())? else {
            return Ok(None);
        };
        let mut fields = Fields(&bytes);
        let mut read = || {
            Ok(Position {
                segment: fields.u32("segment")?,
                offset: fields.u64("offset")?,
            })
        };
        read().map(Some).map_err(self.malformed())
    }

    /// The state of the log at the beginning of a segment, and that segment.
    pub(crate) fn checkpoint(&self) -> Result<Option<(u32, Resume)>, StoreError> {
        let Some(bytes) = self.meta.get(CHECKPOINT).map_err(self.refused())? else {
            return Ok(None);
        };
        let mut fields = Fields(&bytes);
        let mut read = || {
            let segment = fields.u32("segment")?;
            let resume = resume_codec::decode(Fields(fields.0))?;
            Ok((segment, resume))
        };
        read().map(Some).map_err(self.malformed())
    }

    /// Remembers the state of the log at a place, durably, so that what stands
    /// before it need not be read again.
    pub(crate) fn set_checkpoint(&self, at: Position, resume: &Resume) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        bytes.put_u32(at.segment);
        resume_codec::encode(resume, &mut bytes);
        let mut batch = self.database.batch();
        batch.insert(&self.meta, CHECKPOINT, bytes);
        batch.insert(&self.meta, MARK, mark_bytes(at));
        batch.commit().map_err(self.refused())?;
        self.persist()
    }

    /// Returns when everything in the rows is on the disk.
    pub(crate) fn persist(&self) -> Result<(), StoreError> {
        self.database
            .persist(PersistMode::SyncAll)
            .map_err(self.refused())
    }

    /// Brings records into the rows, and the mark to where they end. Nothing is
    /// written if none of them touches a row: the mark may lag behind.
    pub(crate) fn apply(&self, records: &[Record], end: Position) -> Result<(), StoreError> {
        let mut changes = Changes::default();
        for record in records {
            changes.take_in(self, record)?;
        }
        if changes.is_empty() {
            return Ok(());
        }
        let mut batch = self.database.batch();
        changes.put(self, &mut batch);
        batch.insert(&self.meta, MARK, mark_bytes(end));
        batch.commit().map_err(self.refused())
    }

    /// Takes over what pages hold that only the log has so far: durable when it
    /// returns, without a detour through the tree's own log.
    pub(crate) fn take_over(&self, fresh: &Fresh) -> Result<(), StoreError> {
        let pages = fresh.pages();
        if pages.is_empty() {
            return Ok(());
        }
        let mut held = self.held.start_ingestion().map_err(self.refused())?;
        for page in pages {
            if let Some(newest) = fresh.read(page)? {
                let mut bytes = Vec::new();
                encode_held(&newest, &mut bytes);
                held.write(page.0.to_be_bytes(), bytes)
                    .map_err(self.refused())?;
            }
        }
        held.finish().map_err(self.refused())
    }

    /// The row of a page, given what is held of it if only the log has that.
    pub(crate) fn row(
        &self,
        page: PageId,
        fresh: Option<Held>,
    ) -> Result<Option<PageRow>, StoreError> {
        let key = page.0.to_be_bytes();
        let Some(bytes) = self.pages.get(key).map_err(self.refused())? else {
            return Ok(None);
        };
        let stored = StoredPage::decode(&bytes).map_err(self.malformed())?;
        let held = match fresh {
            Some(held) => Some(held),
            None => match self.held.get(key).map_err(self.refused())? {
                Some(bytes) => Some(decode_held(&mut Fields(&bytes)).map_err(self.malformed())?),
                None => None,
            },
        };
        Ok(Some(PageRow {
            url: stored.url.to_owned(),
            site: stored.site.to_owned(),
            weight: stored.weight,
            added: stored.added,
            standing: stored.standing,
            held,
        }))
    }

    /// The page with this URL.
    pub(crate) fn find(&self, url: &str) -> Result<Option<PageId>, StoreError> {
        let Some(pages) = self.urls.get(url_key(url)).map_err(self.refused())? else {
            return Ok(None);
        };
        let (numbers, _) = pages.as_chunks();
        for number in numbers {
            let row = self.pages.get(*number).map_err(self.refused())?;
            let Some(bytes) = row else { continue };
            let stored = StoredPage::decode(&bytes).map_err(self.malformed())?;
            if stored.url == url {
                return Ok(Some(PageId(u32::from_be_bytes(*number))));
            }
        }
        Ok(None)
    }

    /// All pages in order, at a glance.
    pub(crate) fn glance(
        &self,
        each: &mut dyn FnMut(PageId, Glance<'_>),
    ) -> Result<(), StoreError> {
        for entry in self.pages.iter() {
            let (key, bytes) = entry.into_inner().map_err(self.refused())?;
            let number = key.first_chunk().copied();
            let page = number.ok_or(Malformed::Short("page"));
            let page = page.map_err(self.malformed())?;
            let glance = StoredPage::glance(&bytes).map_err(self.malformed())?;
            each(PageId(u32::from_be_bytes(page)), glance);
        }
        Ok(())
    }

    /// Writes down where versions of pages stand, and how many bytes of files
    /// count.
    pub(super) fn set_kept(
        &self,
        pages: impl Iterator<Item = (PageId, Vec<u8>)>,
        live: &BTreeMap<u32, u64>,
    ) -> Result<(), StoreError> {
        let mut batch = self.database.batch();
        for (page, bytes) in pages {
            batch.insert(&self.kept, page.0.to_be_bytes(), bytes);
        }
        for (&file, bytes) in live {
            batch.insert(&self.meta, live_key(file), bytes.to_le_bytes());
        }
        batch.commit().map_err(self.refused())
    }

    /// Bytes of a file of versions that count.
    pub(super) fn live_bytes(&self, file: u32) -> Result<u64, StoreError> {
        let bytes = self.meta.get(live_key(file)).map_err(self.refused())?;
        bytes.map_or(Ok(0), |bytes| {
            Fields(&bytes).u64("bytes").map_err(self.malformed())
        })
    }

    /// A file of versions is no more.
    pub(super) fn forget_file(&self, file: u32) -> Result<(), StoreError> {
        self.meta.remove(live_key(file)).map_err(self.refused())
    }

    /// The versions of a store of format 1, if there are any.
    pub(super) fn old_versions(&self) -> Result<Option<Keyspace>, StoreError> {
        if !self.database.keyspace_exists(OLD_VERSIONS) {
            return Ok(None);
        }
        let old = self
            .database
            .keyspace(OLD_VERSIONS, KeyspaceCreateOptions::default);
        old.map(Some).map_err(self.refused())
    }

    /// Those versions are elsewhere now.
    pub(super) fn drop_old_versions(&self, old: Keyspace) -> Result<(), StoreError> {
        self.database.delete_keyspace(old).map_err(self.refused())
    }

    /// Compacts all trees.
    pub(crate) fn compact(&self) -> Result<(), StoreError> {
        let keyspaces = [&self.pages, &self.held, &self.urls, &self.kept, &self.meta];
        for keyspace in keyspaces {
            keyspace
                .rotate_memtable_and_wait()
                .and_then(|()| keyspace.major_compact())
                .map_err(self.refused())?;
        }
        self.persist()
    }

    /// Bytes of the rows on disk.
    pub(crate) fn disk_bytes(&self) -> Result<u64, StoreError> {
        self.database.disk_space().map_err(self.refused())
    }
}

fn live_key(file: u32) -> Vec<u8> {
    [b"live", &file.to_be_bytes()[..]].concat()
}

fn mark_bytes(at: Position) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.put_u32(at.segment);
    bytes.put_u64(at.offset);
    bytes
}

/// The key of a URL: FNV-1a in 64 bits, which is the same on every machine and
/// in every version. Pages with one key are told apart by their rows.
pub(crate) fn url_key(url: &str) -> [u8; 8] {
    let hash = url.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    hash.to_be_bytes()
}

/// fjall shows its errors as they are in memory; people get the cause.
fn refused(directory: &Path, error: &fjall::Error) -> StoreError {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let message = match error {
        fjall::Error::Poisoned => "an earlier write failed; open the store again".to_owned(),
        fjall::Error::Locked => "they are in use by another process".to_owned(),
        _ => cause.to_string(),
    };
    StoreError::Rows {
        directory: directory.to_owned(),
        message,
    }
}
