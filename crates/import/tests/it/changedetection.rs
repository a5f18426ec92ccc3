use std::fs;
use std::path::Path;
use std::time::Duration;

use recrawl_import::{Kind, read_changedetection, recognise};
use recrawl_model::Outcome;

use crate::hours;

const HISTORY: &str = "0,a.txt\n36000,b.txt.br\n\n43200,c.txt\n";

fn old_layout(path: &Path) {
    let watches = r#"{"note": "x", "watching": {
        "u1": {"url": "https://a.example/", "check_count": 9, "last_checked": 86400, "last_error": false},
        "u2": {"url": "source:https://b.example/", "check_count": 3, "last_checked": 7200.5, "last_error": "timed out"},
        "u3": {"url": "https://a.example/", "check_count": 1, "last_checked": 0},
        "u4": {"url": "https://never.example/", "check_count": 5}
    }}"#;
    fs::write(path.join("url-watches.json"), watches).expect("room");
    for (uuid, history) in [("u1", HISTORY), ("u2", "0,a.txt\n"), ("u3", "3600,a.txt\n")] {
        fs::create_dir(path.join(uuid)).expect("room");
        fs::write(path.join(uuid).join("history.txt"), history).expect("room");
    }
}

#[test]
fn snapshots_are_changes_and_the_last_check_is_a_visit() {
    let directory = tempfile::tempdir().expect("a directory");
    old_layout(directory.path());
    assert_eq!(
        recognise(directory.path()).expect("a source"),
        Kind::ChangeDetection
    );
    let found = read_changedetection(directory.path(), None).expect("histories");
    assert_eq!(
        hours(&found, "https://a.example/"),
        [
            (0, Outcome::First),
            (10, Outcome::Changed),
            (12, Outcome::Changed),
            (24, Outcome::Unchanged)
        ]
    );
    assert_eq!(
        hours(&found, "https://b.example/"),
        [(0, Outcome::First), (2, Outcome::Unknown)]
    );
    assert_eq!(
        hours(&found, "https://a.example/#watch-u3"),
        [(1, Outcome::First)]
    );
    assert_eq!(found.set.len(), 3);
    let told = found.notes.join("\n");
    assert!(
        told.contains("18 checks were counted and 7 are dated"),
        "{told}"
    );
    assert!(told.contains("1 watches without a snapshot"), "{told}");
}

#[test]
fn a_schedule_fills_in_the_checks_that_saw_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    old_layout(directory.path());
    let every = Duration::from_secs(4 * 3_600);
    let found = read_changedetection(directory.path(), Some(every)).expect("histories");
    let seen: Vec<i64> = hours(&found, "https://a.example/")
        .iter()
        .map(|&(hour, _)| hour)
        .collect();
    assert_eq!(seen, [0, 4, 8, 10, 12, 16, 20, 24]);
}

#[test]
fn the_newer_layout_is_read_too() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("changedetection.json"), "{}").expect("room");
    let watch = directory.path().join("5f9c");
    fs::create_dir(&watch).expect("room");
    fs::write(watch.join("watch.json"), r#"{"url": "https://a.example/"}"#).expect("room");
    fs::write(watch.join("history.txt"), HISTORY).expect("room");
    let found = read_changedetection(directory.path(), None).expect("histories");
    assert_eq!(hours(&found, "https://a.example/").len(), 3);
}

#[test]
fn a_bad_line_is_named() {
    let directory = tempfile::tempdir().expect("a directory");
    old_layout(directory.path());
    fs::write(directory.path().join("u2/history.txt"), "0,a\nsoon,b\n").expect("room");
    let refused = read_changedetection(directory.path(), None).expect_err("a bad line");
    let told = refused.to_string();
    assert!(
        told.contains("u2/history.txt: line 2: `soon` is neither"),
        "{told}"
    );
}
