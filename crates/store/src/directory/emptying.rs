//! Making room: files of versions of which little counts are emptied.

use recrawl_model::PageId;

use super::DirectoryStore;
use super::version_files::VersionFiles;
use super::version_frame::{Form, pack};
use super::versions::{Moves, TOGETHER};
use crate::{StoreError, Version};

/// A file nothing is appended to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Finished {
    number: u32,
    bytes: u64,
    /// Those that count.
    live: u64,
}

/// The files to empty so that at least half of the bytes kept count: those of
/// which nothing does, which costs nothing, and then as few others as will do,
/// those with the least to move first. A file of which little counts may soon
/// have nothing that does, so none is emptied before it has to be.
fn to_empty(mut files: Vec<Finished>) -> Vec<Finished> {
    files.sort_by(|a, b| {
        let shares = |a: &Finished, b: &Finished| u128::from(a.live) * u128::from(b.bytes);
        shares(a, b).cmp(&shares(b, a))
    });
    let mut bytes: u64 = files.iter().map(|file| file.bytes).sum();
    let live: u64 = files.iter().map(|file| file.live).sum();
    files
        .into_iter()
        .take_while(|file| {
            let wanted = file.live == 0 || bytes / 2 > live && file.live < file.bytes;
            bytes -= file.bytes.saturating_sub(file.live);
            wanted
        })
        .collect()
}

impl DirectoryStore {
    /// Empties the files that have to be.
    pub(super) fn empty_some(&mut self) -> Result<(), StoreError> {
        let files = to_empty(self.finished_files()?);
        self.empty(&files)
    }

    /// The finished files, and how many bytes of each count.
    fn finished_files(&self) -> Result<Vec<Finished>, StoreError> {
        let files = self.version_files.finished().into_iter();
        let counted = files.map(|(number, bytes)| {
            let live = self.rows.live_bytes(number)?;
            Ok(Finished {
                number,
                bytes,
                live,
            })
        });
        counted.collect()
    }

    /// Moves, packed, the versions that still count out of files, and removes
    /// these.
    fn empty(&mut self, files: &[Finished]) -> Result<(), StoreError> {
        let mut emptied = Vec::new();
        for file in files {
            if file.live == 0 || self.move_versions(file.number)? {
                emptied.push(file.number);
            }
        }
        if emptied.is_empty() {
            return Ok(());
        }
        // What points elsewhere now must not point back after a power cut.
        self.version_files.sync_all_but(&emptied)?;
        self.rows.persist()?;
        for file in emptied {
            self.version_files.remove(file)?;
            self.rows.forget_file(file)?;
        }
        Ok(())
    }

    /// Moves what counts out of a file; false if it is damaged and has to stay.
    fn move_versions(&mut self, file: u32) -> Result<bool, StoreError> {
        let files = VersionFiles::list(self.path(), self.settings.version_file_bytes)?;
        let mut waiting: Vec<(PageId, Version)> = Vec::new();
        let whole = files.scan(file, &mut |spot, stored| {
            if Moves::new(&self.rows).counts(stored.page, stored.at, spot)? {
                let packed = match stored.form {
                    Form::Packed => Ok(stored.body.to_vec()),
                    Form::AsItCame => pack(stored.body),
                };
                let body = packed.map_err(|error| self.rows.refused()(error.into()))?;
                let version = Version {
                    at: stored.at,
                    content_type: stored.content_type.map(str::to_owned),
                    body,
                };
                waiting.push((stored.page, version));
            }
            if waiting.len() >= TOGETHER {
                self.keep_packed(&mut waiting)?;
            }
            Ok(())
        })?;
        self.keep_packed(&mut waiting)?;
        Ok(whole)
    }

    /// Packs all versions, and drops the room of those that count no more.
    pub(super) fn compact_versions(&mut self) -> Result<(), StoreError> {
        if self.version_files.bytes() == 0 {
            return Ok(());
        }
        self.version_files.finish()?;
        let all = self.finished_files()?;
        self.empty(&all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directory::versions::tests::version;
    use crate::{OpenMode, StoreSettings, Versions};

    fn with_small_files(path: &std::path::Path) -> DirectoryStore {
        let settings = StoreSettings {
            version_file_bytes: 20_000,
            ..StoreSettings::default()
        };
        DirectoryStore::open_with(path, OpenMode::CreateIfMissing, settings).expect("a store")
    }

    fn emptied(files: &[(u64, u64)]) -> Vec<u32> {
        let files = (1..).zip(files).map(|(number, &(bytes, live))| Finished {
            number,
            bytes,
            live,
        });
        let emptied = to_empty(files.collect());
        emptied.iter().map(|file| file.number).collect()
    }

    #[test]
    fn files_with_the_least_to_move_are_emptied_and_no_more_than_needed() {
        assert_eq!(emptied(&[]), [0; 0]);
        assert_eq!(emptied(&[(100, 0), (100, 100)]), [1]);
        assert_eq!(emptied(&[(100, 1), (100, 100)]), [0; 0], "half counts");
        assert_eq!(emptied(&[(100, 40), (100, 20), (100, 60)]), [2]);
        assert_eq!(emptied(&[(100, 20), (100, 30), (100, 40)]), [1, 2]);
        assert_eq!(emptied(&[(100, 5), (1000, 4), (100, 95)]), [2]);
    }

    #[test]
    fn nothing_is_packed_where_all_pages_change_in_turn() {
        let directory = tempfile::tempdir().expect("room");
        let mut store = with_small_files(directory.path());
        let mut bytes = Vec::new();
        for round in 0..10 {
            for place in 0..300 {
                // Another order each round.
                let page = place * [1, 7, 11, 13][round as usize % 4] % 300;
                let body = format!("page {page} round {round} ").repeat(20);
                let version = version(round, &body);
                store.keep(PageId(page), &version, 1).expect("room");
            }
            bytes.push(store.version_files.bytes());
        }
        for (file, _) in store.version_files.finished() {
            let scanned = store.version_files.scan(file, &mut |_, stored| {
                assert_eq!(stored.form, Form::AsItCame);
                Ok(())
            });
            assert!(scanned.expect("a file"));
        }
        let most = bytes.iter().max().expect("rounds");
        assert!(*most <= 2 * bytes[0] + 40_000, "{bytes:?}");
    }

    #[test]
    fn files_stay_small_however_often_pages_change() {
        let directory = tempfile::tempdir().expect("room");
        let mut store = with_small_files(directory.path());
        // One page in ten never changes again: those have to be moved.
        let body = |page: u32, round: i64| format!("page {page} round {round} ").repeat(30);
        for round in 0..20 {
            for page in (0..30).filter(|page| round < 2 || page % 10 != 0) {
                let version = version(round, &body(page, round));
                store.keep(PageId(page), &version, 2).expect("room");
            }
        }
        let check = |store: &DirectoryStore| {
            for page in 0..30 {
                let last = if page % 10 == 0 { 1 } else { 19 };
                let expected = [last, last - 1].map(|round| version(round, &body(page, round)));
                assert_eq!(store.versions(PageId(page)).expect("versions"), expected);
            }
        };
        check(&store);
        let bytes = store.version_files.bytes();
        assert!(bytes < 5 * 30 * 2 * 500, "{bytes}"); // 600 versions have 300,000
        store.compact().expect("room");
        check(&store);
        assert!(store.version_files.bytes() < 8_000, "packed");
        drop(store);
        let reopened = DirectoryStore::open(directory.path(), OpenMode::Existing);
        check(&reopened.expect("a store"));
    }
}
