//! A store made small: [`DirectoryStore::compact`].

use std::path::Path;

use super::files::{Form, Listing, LogFile};
use super::sealed::Replacement;
use super::{DirectoryStore, StoreError};
use crate::segment::HEADER_BYTES;

/// Sealed files are merged up to so many bytes; a larger one is left alone.
const MERGED_BYTES: u64 = 256 << 20;

/// What compacting did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Compacted {
    /// Segments sealed.
    pub sealed: usize,
    /// Sealed files that became parts of larger ones.
    pub merged: usize,
    /// Bytes on disk before.
    pub bytes_before: u64,
    /// Bytes on disk after.
    pub bytes_after: u64,
}

impl DirectoryStore {
    /// Seals all segments, merges small sealed files and compacts page rows.
    ///
    /// # Errors
    /// [`StoreError`]; the store is whole all the same.
    pub fn compact(&mut self) -> Result<Compacted, StoreError> {
        self.finish_sealing()?; // it takes files away that would be counted
        let bytes_before = self.disk_bytes()?;
        if self.writer.length() > HEADER_BYTES {
            self.begin_segment()?;
        }
        self.set_checkpoint()?;
        let sealed = seal_before(self.path(), self.segment)?;
        let merged = self.merge_small()?;
        self.compact_versions()?;
        self.rows.compact()?;
        Ok(Compacted {
            sealed,
            merged,
            bytes_before,
            bytes_after: self.disk_bytes()?,
        })
    }

    /// Merges neighbouring sealed files as long as they stay small together.
    fn merge_small(&self) -> Result<usize, StoreError> {
        let mut merged = 0;
        let mut group: Vec<LogFile> = Vec::new();
        let mut group_bytes = 0;
        let mut groups = Vec::new();
        for file in Listing::read(self.path())?.files {
            if file.form != Form::Sealed {
                continue;
            }
            let bytes = size(&file)?;
            if group_bytes + bytes > MERGED_BYTES {
                groups.push(std::mem::take(&mut group));
                group_bytes = 0;
            }
            group.push(file);
            group_bytes += bytes;
        }
        groups.push(group);
        for group in groups.iter().filter(|group| group.len() > 1) {
            if let Some(replacement) = Replacement::merge(self.path(), group) {
                replacement.run()?;
                merged += group.len();
            }
        }
        Ok(merged)
    }

    /// Bytes the store takes on disk.
    ///
    /// # Errors
    /// What the disk said.
    pub fn disk_bytes(&self) -> Result<u64, StoreError> {
        let mut bytes = self.rows.disk_bytes()? + self.version_files.bytes();
        for file in Listing::read(self.path())?.files {
            bytes += size(&file)?;
        }
        Ok(bytes)
    }
}

/// Seals every segment before the one of this number, which is appended to, and
/// says how many that were.
pub(super) fn seal_before(store: &Path, open: u32) -> Result<usize, StoreError> {
    let mut sealed = 0;
    for file in Listing::read(store)?.files {
        let number = *file.segments.start();
        if file.form == Form::Segment && number < open {
            Replacement::seal(store, number).run()?;
            sealed += 1;
        }
    }
    Ok(sealed)
}

fn size(file: &LogFile) -> Result<u64, StoreError> {
    let metadata = std::fs::metadata(&file.path);
    let metadata = metadata.map_err(StoreError::io("read", &file.path))?;
    Ok(metadata.len())
}
