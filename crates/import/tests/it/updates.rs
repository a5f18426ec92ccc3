use std::fs;
use std::path::Path;
use std::time::Duration;

use recrawl_histories::Files;
use recrawl_import::{Kind, history_files, read_updates, recognise};
use recrawl_model::Outcome;

use crate::hours;

fn files(path: &Path) -> Files {
    let pages = "page_id,site,path,born,died\n1,docs,a.md,0,\n2,docs,b.md,3600,18000\n";
    let updates = "page_id,t\n1,7200\n1,9000\n1,36000\n2,10000\n";
    fs::write(path.join("pages.csv"), pages).expect("room");
    fs::write(path.join("updates.csv"), updates).expect("room");
    Files {
        pages: path.join("pages.csv"),
        updates: path.join("updates.csv"),
        sites: None,
    }
}

#[test]
fn every_update_is_a_change() {
    let directory = tempfile::tempdir().expect("a directory");
    let files = files(directory.path());
    assert_eq!(
        recognise(directory.path()).expect("a source"),
        Kind::Histories
    );
    assert_eq!(history_files(directory.path()).expect("tables"), files);
    let found = read_updates(&files, None).expect("histories");
    assert_eq!(
        hours(&found, "docs/a.md"),
        [
            (0, Outcome::First),
            (2, Outcome::Changed),
            (2, Outcome::Changed),
            (10, Outcome::Changed)
        ]
    );
    let page = found.set.find("docs/b.md").expect("a page");
    assert_eq!(found.set.site(page), "docs");
}

#[test]
fn a_schedule_sees_several_updates_as_one_change() {
    let directory = tempfile::tempdir().expect("a directory");
    let every = Duration::from_secs(3 * 3_600);
    let found = read_updates(&files(directory.path()), Some(every)).expect("histories");
    assert_eq!(
        hours(&found, "docs/a.md"),
        [
            (0, Outcome::First),
            (3, Outcome::Changed),
            (6, Outcome::Unchanged),
            (9, Outcome::Unchanged)
        ]
    );
    assert_eq!(
        hours(&found, "docs/b.md"),
        [(1, Outcome::First), (4, Outcome::Changed)],
        "it died before its next visit"
    );
}

#[test]
fn a_path_that_lives_again_is_the_same_page_born_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut files = files(directory.path());
    let pages = "page_id,site,path,born,died\n1,docs,a.md,0,7200\n2,docs,a.md,7200,\n";
    files.pages = directory.path().join("again.csv");
    fs::write(&files.pages, pages).expect("room");
    fs::write(&files.updates, "page_id,t\n1,7200\n2,10800\n").expect("room");
    let found = read_updates(&files, None).expect("histories");
    assert_eq!(
        hours(&found, "docs/a.md"),
        [
            (0, Outcome::First),
            (2, Outcome::First),
            (3, Outcome::Changed)
        ]
    );
}
