//! A git repository in which each recorded page is a file and each change of it
//! a commit, such as those of Open Terms Archive.
//!
//! Commits that only re-extract what was recorded before ("technical or
//! declaration upgrade", older: "Refilter") are no changes of the page.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use recrawl_model::{Outcome, Timestamp, format_span};

use crate::ImportError;
use crate::found::{Found, Gather};
use crate::schedule::Schedule;

/// Subjects of commits that re-extract.
const RE_EXTRACTIONS: [&str; 2] = ["Apply technical or declaration upgrade", "Refilter"];

/// Stands before each commit in what git is asked to print.
const COMMIT: char = '\u{1}';

/// Settings git is run with: paths as they are, and nothing of the repository's
/// own settings that would start another program.
const SETTINGS: [&str; 6] = [
    "-c",
    "core.quotePath=false",
    "-c",
    "log.showSignature=false",
    "-c",
    "core.fsmonitor=false",
];

/// Reads a repository: files are pages, directories are sites. With a schedule,
/// unchanged visits are put between the commits.
///
/// # Errors
/// [`ImportError`] if git fails, or prints what it should not.
pub fn read(repository: &Path, every: Option<Duration>) -> Result<Found, ImportError> {
    let log = git_log(repository)?;
    let mut files: BTreeMap<&str, BTreeMap<Timestamp, Outcome>> = BTreeMap::new();
    let (mut re_extractions, mut last_commit) = (0usize, None);
    for commit in log.split(COMMIT).skip(1) {
        let (head, changes) = commit.split_once('\n').unwrap_or((commit, ""));
        let (time, subject) = head.split_once(' ').unwrap_or((head, ""));
        let at = Timestamp::parse(time).map_err(|error| {
            ImportError::malformed(repository, format!("a commit's time: {error}"))
        })?;
        last_commit = last_commit.max(Some(at));
        if RE_EXTRACTIONS
            .iter()
            .any(|start| subject.starts_with(start))
        {
            re_extractions += 1;
            continue;
        }
        for change in changes.lines() {
            let Some((status, path)) = change.split_once('\t') else {
                continue;
            };
            let outcome = match status {
                "A" => Outcome::First,
                "M" | "T" => Outcome::Changed,
                _ => continue, // deleted: nothing was seen
            };
            if is_page(path) {
                files.entry(path).or_default().insert(at, outcome);
            }
        }
    }
    finish(files, re_extractions, last_commit, every)
}

/// Files about the repository are not pages.
fn is_page(path: &str) -> bool {
    let about = ["README", "LICENSE", "CHANGELOG", "CONTRIBUTING"];
    let hidden = path.split('/').any(|part| part.starts_with('.'));
    let at_root = !path.contains('/');
    let is_about = at_root && about.iter().any(|about| path.starts_with(about));
    !hidden && !is_about
}

fn finish(
    files: BTreeMap<&str, BTreeMap<Timestamp, Outcome>>,
    re_extractions: usize,
    last_commit: Option<Timestamp>,
    every: Option<Duration>,
) -> Result<Found, ImportError> {
    let mut gather = Gather::default();
    let mut schedule = every.map(Schedule::new);
    let count = files.len();
    for (path, mut seen) in files {
        if let Some(schedule) = &mut schedule {
            schedule.fill(&mut seen, last_commit)?;
        }
        let page = gather.page(path);
        let site = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        gather.set_site(page, site);
        gather.push(page, &seen);
    }
    let mut notes = vec![format!(
        "{count} files as pages, a change for each commit; runs that failed left no trace"
    )];
    if re_extractions > 0 {
        notes.push(format!(
            "{re_extractions} commits that only re-extract what was recorded before were left out"
        ));
    }
    notes.push(match schedule.zip(every) {
        Some((schedule, every)) => format!(
            "{} unchanged visits were assumed, one every {}, up to the last commit",
            schedule.added(),
            format_span(every)
        ),
        None => "visits that saw no change were never committed: rates will look higher than they \
                 are; --schedule puts them in"
            .to_owned(),
    });
    gather.finish(notes)
}

/// All commits, oldest first: a line with time and subject, then a line with
/// status and path for each file.
fn git_log(repository: &Path) -> Result<String, ImportError> {
    let failed = |message: String| ImportError::Git {
        path: repository.to_owned(),
        message,
    };
    let output = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args(SETTINGS)
        .args(["log", "--reverse", "--no-merges", "--no-renames"])
        .args(["--no-ext-diff", "--no-textconv", "--name-status"])
        .arg(format!("--format={COMMIT}%at %s"))
        .env("LC_ALL", "C") // what it says may reach people and tests
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        let line = told.lines().next().unwrap_or("it says nothing");
        return Err(failed(line.to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
