//! Stores that are damaged or in use.

use std::path::Path;
use std::process::{Command, Output};

use recrawl_store::{DirectoryStore, OpenMode};

fn recrawl(arguments: &[&str], store: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_recrawl"))
        .args(arguments)
        .arg("--store")
        .arg(store)
        .output()
        .expect("the command runs")
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_damaged_store_is_told_and_checked_with_exit_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("crawl");
    let log = "../../data/sample/visits.csv";
    assert_eq!(recrawl(&["import", log], &store).status.code(), Some(0));
    let segment = store.join("log/00000001.seg");
    let mut bytes = std::fs::read(&segment).expect("a segment");
    bytes[100] ^= 1; // in the first group, which another follows
    std::fs::write(&segment, &bytes).expect("room");

    let checked = recrawl(&["store", "check", "--format", "json"], &store);
    assert_eq!(checked.status.code(), Some(1));
    let damage: serde_json::Value = serde_json::from_slice(&checked.stdout).expect("JSON");
    assert_eq!(damage.as_array().map(Vec::len), Some(1));
    assert_eq!(damage[0]["what"], "a record's checksum does not match");

    let refused = recrawl(&["store", "compact"], &store);
    assert_eq!(refused.status.code(), Some(2));
    let told = said(&refused.stderr);
    assert!(told.contains("00000001.seg is damaged at byte"), "{told}");
    assert!(told.contains("hint: `recrawl store check`"), "{told}");
    assert_eq!(std::fs::read(&segment).expect("a segment"), bytes);
}

#[test]
fn a_store_in_use_can_be_read_but_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("crawl");
    let log = "../../data/sample/visits.csv";
    recrawl(&["import", log], &store);
    let held = DirectoryStore::open(&store, OpenMode::Existing).expect("a store");
    let refused = recrawl(&["import", log], &store);
    assert_eq!(refused.status.code(), Some(2));
    let expected = format!("is in use by another process (pid {})", std::process::id());
    let told = said(&refused.stderr);
    assert!(told.contains(&expected), "{told}");
    for reading in [
        &["store", "info"][..],
        &["store", "check"],
        &["export"],
        &["estimate"],
    ] {
        let read = recrawl(reading, &store);
        assert_eq!(read.status.code(), Some(0), "{}", said(&read.stderr));
    }
    drop(held);
}
