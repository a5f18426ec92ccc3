//! Versions of pages in the tree.

use std::io;
use std::sync::{Mutex, PoisonError};

use recrawl_model::{PageId, Timestamp};
use zstd::bulk::Compressor;

use super::DirectoryStore;
use super::rows::Rows;
use crate::fields::{Fields, Malformed, PutFields};
use crate::{StoreError, Version, Versions};

/// zstd's fast level. On pages of 20 KB of text it comes within a twentieth of
/// the size of level 3, in two thirds of its time.
const LEVEL: i32 = 1;

/// Compresses versions one after another; making a compressor anew for each
/// would cost a fifth of the work.
pub(super) struct Packer(Mutex<Compressor<'static>>);

impl Packer {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self(Mutex::new(Compressor::new(LEVEL)?)))
    }

    fn pack(&self, version: &Version) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        bytes.put_time(version.at);
        bytes.put_optional_text(version.content_type.as_deref());
        let mut compressor = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend(compressor.compress(&version.body)?);
        Ok(bytes)
    }
}

/// Page number, then the time, both so that they sort: pages rising, and of a
/// page the newest first.
fn key(page: PageId, at: Timestamp) -> [u8; 12] {
    let rising = at.micros() as u64 ^ (1 << 63);
    let mut key = [0; 12];
    key[..4].copy_from_slice(&page.0.to_be_bytes());
    key[4..].copy_from_slice(&(!rising).to_be_bytes());
    key
}

fn decode(bytes: &[u8]) -> Result<Version, Malformed> {
    let mut fields = Fields(bytes);
    Ok(Version {
        at: fields.time("at")?,
        content_type: fields.optional_text("content type")?.map(str::to_owned),
        body: zstd::decode_all(fields.0).map_err(|_| Malformed::Value("body"))?,
    })
}

impl Rows {
    fn keep_version(&self, page: PageId, version: &Version, most: usize) -> Result<(), StoreError> {
        let packed = self.packer.pack(version);
        let bytes = packed.map_err(|error| self.refused()(error.into()))?;
        let new = key(page, version.at);
        self.versions.insert(new, bytes).map_err(self.refused())?;
        let kept = self.versions.prefix(page.0.to_be_bytes()).skip(most);
        for entry in kept.collect::<Vec<_>>() {
            let old = entry.key().map_err(self.refused())?;
            self.versions.remove(old).map_err(self.refused())?;
        }
        Ok(())
    }

    fn read_versions(&self, page: PageId) -> Result<Vec<Version>, StoreError> {
        let mut versions = Vec::new();
        for entry in self.versions.prefix(page.0.to_be_bytes()) {
            let bytes = entry.value().map_err(self.refused())?;
            versions.push(decode(&bytes).map_err(self.malformed())?);
        }
        Ok(versions)
    }
}

impl Versions for DirectoryStore {
    fn keep(&mut self, page: PageId, version: &Version, most: usize) -> Result<(), StoreError> {
        self.rows.keep_version(page, version, most)
    }

    fn versions(&self, page: PageId) -> Result<Vec<Version>, StoreError> {
        self.rows.read_versions(page)
    }
}
