use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use recrawl_import::{Kind, read_git, recognise};
use recrawl_model::Outcome;

use crate::hours;

fn git(repository: &Path, hour: i64, arguments: &[&str]) {
    let time = format!("@{} +0000", hour * 3_600);
    let status = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args(["-c", "user.name=a", "-c", "user.email=a@a.example"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null") // neither hooks nor names of whoever runs this
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_DATE", &time)
        .env("GIT_COMMITTER_DATE", &time)
        .status()
        .expect("git is there");
    assert!(status.success(), "{arguments:?}");
}

fn commit(repository: &Path, hour: i64, subject: &str, file: &str, text: &str) {
    let path = repository.join(file);
    fs::create_dir_all(path.parent().expect("a directory")).expect("room");
    fs::write(path, text).expect("room");
    git(repository, hour, &["add", "-A"]);
    git(repository, hour, &["commit", "-q", "-m", subject]);
}

fn repository(path: &Path) {
    git(path, 0, &["init", "-q"]);
    commit(path, 0, "Initial commit", "README.md", "about");
    let terms = "Größe & Co/Terms of Service.md";
    commit(path, 100, "First record of Terms of Service", terms, "one");
    commit(
        path,
        136,
        "Record new changes of Terms of Service",
        terms,
        "two",
    );
    commit(
        path,
        140,
        "Apply technical or declaration upgrade on Terms",
        terms,
        "two, better",
    );
    commit(path, 160, "Update Terms of Service", terms, "three");
    commit(path, 172, "Start tracking Privacy", "B/Privacy.md", "one");
}

#[test]
fn commits_are_changes_but_re_extractions_are_not() {
    let directory = tempfile::tempdir().expect("a directory");
    repository(directory.path());
    assert_eq!(recognise(directory.path()).expect("a source"), Kind::Git);
    let found = read_git(directory.path(), None).expect("histories");
    let terms = "Größe & Co/Terms of Service.md";
    assert_eq!(
        hours(&found, terms),
        [
            (100, Outcome::First),
            (136, Outcome::Changed),
            (160, Outcome::Changed)
        ]
    );
    assert_eq!(hours(&found, "B/Privacy.md"), [(172, Outcome::First)]);
    assert_eq!(found.set.len(), 2);
    let page = found.set.find(terms).expect("a page");
    assert_eq!(found.set.site(page), "Größe & Co");
    assert!(found.notes.iter().any(|note| note.starts_with("1 commits")));
}

#[test]
fn a_schedule_fills_in_the_visits_that_saw_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    repository(directory.path());
    let every = Duration::from_secs(12 * 3_600);
    let found = read_git(directory.path(), Some(every)).expect("histories");
    let seen: Vec<i64> = hours(&found, "Größe & Co/Terms of Service.md")
        .iter()
        .map(|&(hour, _)| hour)
        .collect();
    assert_eq!(seen, [100, 112, 124, 136, 148, 160, 172]);
}

#[test]
fn a_directory_that_is_no_repository_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let refused = read_git(directory.path(), None).expect_err("no repository");
    assert!(
        refused.to_string().starts_with("git could not read"),
        "{refused}"
    );
    let unknown = recognise(directory.path()).expect_err("nothing known");
    assert!(unknown.to_string().ends_with("say --from"), "{unknown}");
}
