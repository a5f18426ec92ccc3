use std::path::Path;

use recrawl_import::{Kind, read_urlwatch, recognise};
use recrawl_model::Outcome;
use rusqlite::Connection;

use crate::hours;

/// `printf https://a.example/ | sha1sum`
const GUID: &str = "b8de1c4d08fa3849331e9b41b2507202aa9ad22b";

fn cache(path: &Path, guid: &str) {
    let database = Connection::open(path).expect("a database");
    database
        .execute_batch(
            "CREATE TABLE CacheEntry (guid TEXT, timestamp INTEGER, data TEXT, tries INTEGER, \
             etag TEXT, id INTEGER PRIMARY KEY)",
        )
        .expect("a table");
    let rows = [
        (0, "one", Some(0)),
        (3_600, "two", None),
        (7_200, "two", Some(1)),
        (10_800, "two", Some(2)),
        (14_400, "two", Some(0)),
        (18_000, "three", Some(0)),
    ];
    for (timestamp, data, tries) in rows {
        database
            .execute(
                "INSERT INTO CacheEntry (guid, timestamp, data, tries) VALUES (?1, ?2, ?3, ?4)",
                (guid, timestamp, data, tries),
            )
            .expect("a row");
    }
}

#[test]
fn rows_are_changes_failures_and_recoveries() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("cache.db");
    cache(&file, "abc");
    assert_eq!(recognise(&file).expect("a source"), Kind::Urlwatch);
    let found = read_urlwatch(&file, None, None).expect("histories");
    assert_eq!(
        hours(&found, "urlwatch:abc"),
        [
            (0, Outcome::First),
            (1, Outcome::Changed),
            (2, Outcome::Unknown),
            (3, Outcome::Unknown),
            (4, Outcome::Unchanged),
            (5, Outcome::Changed)
        ]
    );
    assert!(found.notes.iter().any(|note| note.contains("--urls")));
}

#[test]
fn the_list_of_jobs_tells_the_urls() {
    let directory = tempfile::tempdir().expect("a directory");
    let (file, jobs) = (
        directory.path().join("cache.db"),
        directory.path().join("urls.yaml"),
    );
    cache(&file, GUID);
    let list = "name: A\nurl: \"https://a.example/\"\n---\nurl: https://b.example/\n";
    std::fs::write(&jobs, list).expect("room");
    let found = read_urlwatch(&file, Some(&jobs), None).expect("histories");
    assert_eq!(hours(&found, "https://a.example/").len(), 6);
}

#[test]
fn a_database_of_something_else_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("other.db");
    let database = Connection::open(&file).expect("a database");
    database
        .execute_batch("CREATE TABLE songs (name TEXT)")
        .expect("a table");
    let refused = read_urlwatch(&file, None, None).expect_err("no cache");
    assert!(refused.to_string().contains("no such table"), "{refused}");
}
