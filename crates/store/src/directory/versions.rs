//! Versions of pages: bodies in files, where they stand in the tree.

use std::collections::BTreeMap;

use recrawl_model::{PageId, Timestamp};

use super::DirectoryStore;
use super::rows::Rows;
use super::version_files::Spot;
use super::version_frame::{Form, Stored};
use crate::fields::{Fields, Malformed, PutFields};
use crate::{Received, StoreError, Version, Versions};

/// Versions moved together.
pub(super) const TOGETHER: usize = 64;

/// A version of a page, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    at: Timestamp,
    spot: Spot,
}

/// The versions of a page, newest first, as the tree has them.
fn decode(bytes: &[u8]) -> Result<Vec<Kept>, Malformed> {
    let mut fields = Fields(bytes);
    let mut kept = Vec::new();
    while !fields.0.is_empty() {
        kept.push(Kept {
            at: fields.time("at")?,
            spot: Spot {
                file: fields.u32("file")?,
                offset: fields.u64("offset")?,
                length: fields.u32("length")?,
            },
        });
    }
    Ok(kept)
}

fn encode(kept: &[Kept]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(24 * kept.len());
    for version in kept {
        bytes.put_time(version.at);
        bytes.put_u32(version.spot.file);
        bytes.put_u64(version.spot.offset);
        bytes.put_u32(version.spot.length);
    }
    bytes
}

/// Where versions stand, as it will be, and bytes that count in the files.
pub(super) struct Moves<'a> {
    rows: &'a Rows,
    pages: BTreeMap<PageId, Vec<Kept>>,
    live: BTreeMap<u32, u64>,
}

impl<'a> Moves<'a> {
    pub(super) fn new(rows: &'a Rows) -> Self {
        Self {
            rows,
            pages: BTreeMap::new(),
            live: BTreeMap::new(),
        }
    }

    fn of(&mut self, page: PageId) -> Result<&mut Vec<Kept>, StoreError> {
        match self.pages.entry(page) {
            std::collections::btree_map::Entry::Occupied(known) => Ok(known.into_mut()),
            std::collections::btree_map::Entry::Vacant(place) => {
                Ok(place.insert(self.rows.kept_of(page)?))
            }
        }
    }

    /// A version is new; of its page none beyond the newest `most` counts.
    fn add(&mut self, page: PageId, new: Kept, most: usize) -> Result<(), StoreError> {
        let kept = self.of(page)?;
        let mut gone = Vec::new();
        gone.extend(kept.extract_if(.., |old| old.at == new.at));
        kept.push(new);
        kept.sort_by_key(|version| std::cmp::Reverse(version.at));
        gone.extend(kept.drain(most.min(kept.len())..));
        self.count(new.spot)?;
        gone.iter().try_for_each(|old| self.discount(old.spot))
    }

    /// Whether the version at a spot still counts.
    pub(super) fn counts(
        &mut self,
        page: PageId,
        at: Timestamp,
        spot: Spot,
    ) -> Result<bool, StoreError> {
        Ok(self.of(page)?.contains(&Kept { at, spot }))
    }

    fn count(&mut self, spot: Spot) -> Result<(), StoreError> {
        let live = self.live_of(spot.file)?;
        *live += u64::from(spot.length);
        Ok(())
    }

    fn discount(&mut self, spot: Spot) -> Result<(), StoreError> {
        let live = self.live_of(spot.file)?;
        *live = live.saturating_sub(u64::from(spot.length));
        Ok(())
    }

    fn live_of(&mut self, file: u32) -> Result<&mut u64, StoreError> {
        match self.live.entry(file) {
            std::collections::btree_map::Entry::Occupied(known) => Ok(known.into_mut()),
            std::collections::btree_map::Entry::Vacant(place) => {
                Ok(place.insert(self.rows.live_bytes(file)?))
            }
        }
    }

    fn commit(self) -> Result<(), StoreError> {
        let pages = self.pages.iter();
        let pages = pages.map(|(&page, kept)| (page, encode(kept)));
        self.rows.set_kept(pages, &self.live)
    }
}

impl Rows {
    /// The versions of a page, newest first.
    fn kept_of(&self, page: PageId) -> Result<Vec<Kept>, StoreError> {
        let bytes = self
            .kept
            .get(page.0.to_be_bytes())
            .map_err(self.refused())?;
        bytes.map_or_else(
            || Ok(Vec::new()),
            |bytes| decode(&bytes).map_err(self.malformed()),
        )
    }
}

impl DirectoryStore {
    /// Appends versions to the files and counts them.
    fn keep_stored(&mut self, versions: &[Stored<'_>], most: usize) -> Result<(), StoreError> {
        let spots = self.version_files.append(versions)?;
        let mut moves = Moves::new(&self.rows);
        for (version, spot) in versions.iter().zip(spots) {
            let at = version.at;
            moves.add(version.page, Kept { at, spot }, most)?;
        }
        moves.commit()
    }

    /// Appends versions that are packed already.
    pub(super) fn keep_packed(
        &mut self,
        waiting: &mut Vec<(PageId, Version)>,
    ) -> Result<(), StoreError> {
        let stored: Vec<Stored<'_>> = waiting
            .iter()
            .map(|(page, version)| packed(*page, version))
            .collect();
        if !stored.is_empty() {
            self.keep_stored(&stored, usize::MAX)?;
        }
        if self.version_files.is_full() {
            self.version_files.finish()?;
        }
        waiting.clear();
        Ok(())
    }

    /// Takes the versions a store of format 1 has in its tree over into files.
    pub(super) fn take_over_versions(&mut self) -> Result<(), StoreError> {
        let Some(old) = self.rows.old_versions()? else {
            return Ok(());
        };
        let mut waiting = Vec::new();
        for entry in old.iter() {
            let (key, value) = entry.into_inner().map_err(self.rows.refused())?;
            let page = key.first_chunk().copied().ok_or(Malformed::Short("page"));
            let page = PageId(u32::from_be_bytes(page.map_err(self.rows.malformed())?));
            let mut fields = Fields(&value);
            let mut read = || -> Result<Version, Malformed> {
                Ok(Version {
                    at: fields.time("at")?,
                    content_type: fields.optional_text("content type")?.map(str::to_owned),
                    body: fields.0.to_vec(),
                })
            };
            // A version nobody can read is not worth a store nobody can open.
            let Ok(version) = read() else { continue };
            waiting.push((page, version));
            if waiting.len() >= TOGETHER {
                self.keep_packed(&mut waiting)?;
            }
        }
        self.keep_packed(&mut waiting)?;
        self.version_files.sync()?;
        self.rows.persist()?;
        self.rows.drop_old_versions(old)
    }
}

/// A version whose body is packed already.
fn packed(page: PageId, version: &Version) -> Stored<'_> {
    Stored {
        page,
        form: Form::Packed,
        at: version.at,
        content_type: version.content_type.as_deref(),
        body: &version.body,
    }
}

impl Versions for DirectoryStore {
    fn keep_all(&mut self, versions: &[Received<'_>], most: usize) -> Result<(), StoreError> {
        if versions.is_empty() {
            return Ok(());
        }
        let stored = versions.iter().map(|version| Stored {
            page: version.page,
            form: Form::AsItCame,
            at: version.at,
            content_type: version.content_type,
            body: version.body,
        });
        self.keep_stored(&stored.collect::<Vec<_>>(), most)?;
        if self.version_files.is_full() {
            self.version_files.finish()?;
            self.empty_some()?;
        }
        Ok(())
    }

    fn versions(&self, page: PageId) -> Result<Vec<Version>, StoreError> {
        let mut versions = Vec::new();
        for Kept { at, spot } in self.rows.kept_of(page)? {
            versions.extend(self.version_files.read(page, at, spot)?);
        }
        Ok(versions)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use fjall::{Database, KeyspaceCreateOptions};

    use super::*;
    use crate::OpenMode;
    use crate::directory::place::rows_directory;
    use crate::directory::version_frame::pack;

    pub(in crate::directory) fn version(second: i64, body: &str) -> Version {
        Version {
            at: Timestamp::from_seconds(second),
            content_type: Some("text/html".to_owned()),
            body: body.as_bytes().to_vec(),
        }
    }

    #[test]
    fn versions_of_format_1_are_taken_over() {
        let directory = tempfile::tempdir().expect("room");
        let path = directory.path();
        let open = || DirectoryStore::open(path, OpenMode::CreateIfMissing).expect("a store");
        drop(open());
        let old = [version(20, "newer"), version(10, "older")];
        {
            let database = Database::builder(rows_directory(path))
                .open()
                .expect("rows");
            let tree = database.keyspace("versions", KeyspaceCreateOptions::default);
            let tree = tree.expect("a tree");
            for version in &old {
                let rising = version.at.micros() as u64 ^ (1 << 63);
                let key = [&7u32.to_be_bytes()[..], &(!rising).to_be_bytes()].concat();
                let mut value = Vec::new();
                value.put_time(version.at);
                value.put_optional_text(version.content_type.as_deref());
                value.extend(pack(&version.body).expect("zstd"));
                tree.insert(key, value).expect("room");
            }
        }
        std::fs::write(path.join("FORMAT"), "recrawl store format 1\n").expect("room");
        for _ in 0..2 {
            assert_eq!(open().versions(PageId(7)).expect("versions"), old);
        }
        let format = std::fs::read_to_string(path.join("FORMAT")).expect("a format");
        assert_eq!(format, "recrawl store format 3\n");
        assert!(open().rows.old_versions().expect("rows").is_none());
    }

    #[test]
    fn a_version_that_is_not_whole_is_left_out() {
        let directory = tempfile::tempdir().expect("room");
        let path = directory.path();
        let mut store = DirectoryStore::open(path, OpenMode::CreateIfMissing).expect("a store");
        let (older, newer) = (version(10, "older"), version(20, "newer"));
        for version in [&older, &newer] {
            store.keep(PageId(0), version, 2).expect("room");
        }
        let file = path.join("versions/00000001.ver");
        let whole = std::fs::read(&file).expect("a file");
        std::fs::write(&file, &whole[..whole.len() - 1]).expect("room");
        assert_eq!(
            store.versions(PageId(0)).expect("versions"),
            std::slice::from_ref(&older)
        );
        let mut flipped = whole;
        *flipped.last_mut().expect("bytes") ^= 1;
        std::fs::write(&file, &flipped).expect("room");
        assert_eq!(store.versions(PageId(0)).expect("versions"), [older]);
    }

    #[test]
    fn what_a_crash_left_is_cut_off_before_more_is_kept() {
        let directory = tempfile::tempdir().expect("room");
        let path = directory.path();
        let open = || DirectoryStore::open(path, OpenMode::CreateIfMissing).expect("a store");
        let (older, newer) = (version(10, "older"), version(20, "newer"));
        open().keep(PageId(0), &older, 2).expect("room");
        let file = path.join("versions/00000001.ver");
        let whole = std::fs::read(&file).expect("a file");
        let torn = [&whole[..], &whole[16..whole.len() - 3]].concat();
        std::fs::write(&file, torn).expect("room");
        open().keep(PageId(0), &newer, 2).expect("room");
        let store = open();
        assert_eq!(store.versions(PageId(0)).expect("versions"), [newer, older]);
        let all_read = store.version_files.scan(1, &mut |_, _| Ok(()));
        assert!(
            all_read.expect("a file"),
            "nothing stands in the way of emptying it"
        );
    }
}
