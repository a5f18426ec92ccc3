//! A data directory of changedetection.io.
//!
//! Watches stand in `url-watches.json`, or each in a `watch.json` of its own
//! directory. The `history.txt` there has a line `seconds,file` for each
//! snapshot: the first, and every change since that was not trimmed. Checks
//! without a change are only counted (`check_count`), but the last is dated.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use recrawl_model::{Outcome, Timestamp, format_span};
use serde::Deserialize;

use crate::ImportError;
use crate::found::{Found, Gather};
use crate::schedule::Schedule;

/// Prefix of URLs whose source, not text, is compared.
const SOURCE: &str = "source:";

/// The file of all watches, in older versions.
#[derive(Debug, Deserialize)]
struct Watches {
    watching: BTreeMap<String, Watch>,
}

/// What is used of a watch; it has many more fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Watch {
    url: String,
    check_count: Option<u64>,
    last_checked: Option<f64>,
    last_error: serde_json::Value,
}

impl Watch {
    fn failed(&self) -> bool {
        use serde_json::Value;
        !matches!(self.last_error, Value::Null | Value::Bool(false))
    }
}

/// Reads a data directory. With a schedule, unchanged checks are put between
/// the changes.
///
/// # Errors
/// [`ImportError`] names the file.
pub fn read(directory: &Path, every: Option<Duration>) -> Result<Found, ImportError> {
    let watches = read_watches(directory)?;
    let mut gather = Gather::default();
    let mut schedule = every.map(Schedule::new);
    let (mut checks, mut recovered, mut empty) = (0u64, 0u64, 0u64);
    for (uuid, watch) in &watches {
        let mut seen = read_history(&directory.join(uuid).join("history.txt"))?;
        checks += watch.check_count.unwrap_or_default();
        if seen.is_empty() {
            empty += 1;
            continue;
        }
        let last = last_check(directory, watch, &seen)?;
        if let Some((at, outcome)) = last {
            seen.insert(at, outcome);
        }
        if let Some(schedule) = &mut schedule {
            schedule.fill(&mut seen, None)?;
        }
        recovered += seen.len() as u64;
        let url = watch.url.strip_prefix(SOURCE).unwrap_or(&watch.url);
        let name = if gather.has(url) {
            format!("{url}#watch-{uuid}") // two watches of one URL see other parts of it
        } else {
            url.to_owned()
        };
        let page = gather.page(&name);
        gather.push(page, &seen);
    }
    gather.finish(notes(
        watches.len() as u64 - empty,
        empty,
        checks,
        recovered,
        schedule.as_ref().zip(every),
    ))
}

fn notes(
    watches: u64,
    empty: u64,
    checks: u64,
    recovered: u64,
    schedule: Option<(&Schedule, Duration)>,
) -> Vec<String> {
    let mut notes = vec![format!(
        "{watches} watches: first snapshot, changes and the last check of each; snapshots that \
         were trimmed are lost"
    )];
    if empty > 0 {
        notes.push(format!("{empty} watches without a snapshot were left out"));
    }
    match schedule {
        Some((schedule, every)) => notes.push(format!(
            "{} unchanged checks were assumed, one every {}, of {checks} counted",
            schedule.added(),
            format_span(every)
        )),
        None => notes.push(format!(
            "{checks} checks were counted and {recovered} are dated: rates will look higher than \
             they are; --schedule puts the others between them"
        )),
    }
    notes
}

fn read_watches(directory: &Path) -> Result<BTreeMap<String, Watch>, ImportError> {
    let all = directory.join("url-watches.json");
    if all.exists() {
        return Ok(parse::<Watches>(&all)?.watching);
    }
    let mut watches = BTreeMap::new();
    let entries = fs::read_dir(directory).map_err(ImportError::unreadable(directory))?;
    for entry in entries {
        let entry = entry.map_err(ImportError::unreadable(directory))?;
        let file = entry.path().join("watch.json");
        if file.exists() {
            let uuid = entry.file_name().to_string_lossy().into_owned();
            watches.insert(uuid, parse(&file)?);
        }
    }
    Ok(watches)
}

fn parse<T: for<'a> Deserialize<'a>>(file: &Path) -> Result<T, ImportError> {
    let text = fs::read(file).map_err(ImportError::unreadable(file))?;
    serde_json::from_slice(&text).map_err(|error| ImportError::malformed(file, error.to_string()))
}

/// The snapshots of a watch: the first, then changes.
fn read_history(file: &Path) -> Result<BTreeMap<Timestamp, Outcome>, ImportError> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(ImportError::unreadable(file)(error)),
    };
    let mut seen = BTreeMap::new();
    for (row, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let time = line.split(',').next().unwrap_or_default();
        let at = Timestamp::parse(time)
            .map_err(|error| ImportError::malformed(file, format!("line {}: {error}", row + 1)))?;
        seen.insert(at, Outcome::Changed);
    }
    if let Some(mut first) = seen.first_entry() {
        *first.get_mut() = Outcome::First;
    }
    Ok(seen)
}

/// The last check, where it came after the last snapshot: it saw no change, or
/// failed.
fn last_check(
    directory: &Path,
    watch: &Watch,
    seen: &BTreeMap<Timestamp, Outcome>,
) -> Result<Option<(Timestamp, Outcome)>, ImportError> {
    let Some(seconds) = watch.last_checked.filter(|&seconds| seconds > 0.0) else {
        return Ok(None);
    };
    let at = Timestamp::from_fractional_seconds(seconds)
        .map_err(|error| ImportError::malformed(directory, format!("last_checked: {error}")))?;
    let outcome = if watch.failed() {
        Outcome::Unknown
    } else {
        Outcome::Unchanged
    };
    // A snapshot carries the second in which its check began.
    let second = Duration::from_secs(1);
    let last = seen.last_key_value().map(|(&last, _)| last);
    Ok(last
        .filter(|last| at > last.after(second))
        .map(|_| (at, outcome)))
}
