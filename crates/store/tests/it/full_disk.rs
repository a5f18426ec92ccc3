//! A disk that fills up: a small file system in memory, where one may be
//! mounted.

use std::path::Path;
use std::process::Command;

use recrawl_store::{DirectoryStore, OpenMode, Store, StoreError, StoreSettings};

use crate::support::{added, records};

/// A file system of so many KiB, gone when dropped.
struct Mounted<'a>(&'a Path);

impl<'a> Mounted<'a> {
    fn new(path: &'a Path, kibibytes: u32) -> Option<Self> {
        let size = format!("size={kibibytes}k");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(path)
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self(path))
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg("-l").arg(self.0).status();
        assert!(unmounted.is_ok_and(|status| status.success()));
    }
}

#[test]
fn a_store_on_a_full_disk_stops_clearly_and_is_whole_when_there_is_room() {
    let directory = tempfile::tempdir().expect("a directory");
    let Some(_mounted) = Mounted::new(directory.path(), 80 << 10) else {
        eprintln!("SKIPPED: no file system may be mounted here, so none was filled");
        return;
    };
    let path = directory.path().join("store");
    let ballast = directory.path().join("ballast");
    let settings = || StoreSettings {
        segment_bytes: 1 << 16,
        ..StoreSettings::default()
    };
    let open = || DirectoryStore::open_with(&path, OpenMode::CreateIfMissing, settings());
    let mut store = open().expect("there is room");
    store.append(&[added(0)]).expect("there is room");
    // All the room there is, but a little for a few more groups.
    fill(&ballast);
    let mut acknowledged = 1;
    let refused = loop {
        let group: Vec<_> = (acknowledged..acknowledged + 100).map(added).collect();
        match store.append(&group) {
            Ok(()) => acknowledged += 100,
            Err(error) => break error,
        }
        assert!(acknowledged < 1_000_000, "the disk never filled up");
    };
    let full = refused.to_string();
    assert!(full.contains("No space left on device"), "{full}");
    let in_log = matches!(refused, StoreError::Rows { .. });
    drop(store);
    std::fs::remove_file(&ballast).expect("it is there");
    assert_eq!(recrawl_store::check(&path).expect("a store"), []);
    let mut store = open().expect("there is room again");
    let expected = acknowledged + if in_log { 100 } else { 0 };
    assert_eq!(store.resume().next_page, expected);
    assert_eq!(records(&store).len(), expected as usize);
    store
        .append(&[added(expected)])
        .expect("there is room again");
}

fn fill(ballast: &Path) {
    let mut bytes = vec![0u8; 1 << 20];
    let mut file = std::fs::File::create(ballast).expect("room");
    while bytes.len() > 512 {
        if std::io::Write::write_all(&mut file, &bytes).is_err() {
            bytes.truncate(bytes.len() / 2);
        }
    }
    let length = file.metadata().expect("a file").len();
    file.set_len(length - (64 << 10)).expect("shorter");
}
