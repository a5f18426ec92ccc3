//! The cache of urlwatch: a SQLite file with a table `CacheEntry`.
//!
//! A row (`guid`, `timestamp`, `data`, `tries`) is written when a job is new, has
//! changed, has failed (`tries` above 0), or works again. `guid` is the SHA-1 of
//! the job's location, so the locations are taken from the list of jobs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use recrawl_model::{Outcome, Timestamp, format_span};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use sha1::{Digest, Sha1};

use crate::ImportError;
use crate::found::{Found, Gather};
use crate::schedule::Schedule;

/// Names of the fields of a job that tell its location.
const LOCATIONS: [&str; 3] = ["url:", "navigate:", "command:"];

/// Reads a cache; `jobs` is the list of jobs (`urls.yaml`, or one URL a line).
/// With a schedule, unchanged runs are put between what was written.
///
/// # Errors
/// [`ImportError`] names the file.
pub fn read(
    cache: &Path,
    jobs: Option<&Path>,
    every: Option<Duration>,
) -> Result<Found, ImportError> {
    let failed = |error: rusqlite::Error| ImportError::malformed(cache, error.to_string());
    let locations = jobs.map(read_locations).transpose()?.unwrap_or_default();
    let database =
        Connection::open_with_flags(cache, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
    let mut query = database
        .prepare("SELECT guid, timestamp, data, tries FROM CacheEntry ORDER BY guid, timestamp, id")
        .map_err(failed)?;
    let mut rows = query.query([]).map_err(failed)?;
    let mut jobs: BTreeMap<String, Job> = BTreeMap::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let guid: String = row.get(0).map_err(failed)?;
        let seconds: f64 = row.get(1).map_err(failed)?;
        let tries: Option<i64> = row.get(3).map_err(failed)?;
        let at = Timestamp::from_fractional_seconds(seconds)
            .map_err(|error| ImportError::malformed(cache, format!("job {guid}: {error}")))?;
        let data = bytes(row.get_ref(2).map_err(failed)?);
        let job = jobs.entry(guid).or_default();
        job.take_in(at, data, tries.unwrap_or_default() > 0);
    }
    finish(jobs, &locations, every)
}

fn bytes(value: ValueRef<'_>) -> &[u8] {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        _ => &[],
    }
}

/// What is known of a job.
#[derive(Default)]
struct Job {
    seen: BTreeMap<Timestamp, Outcome>,
    /// Of what the last run that did not fail gave.
    last: Option<[u8; 20]>,
}

impl Job {
    fn take_in(&mut self, at: Timestamp, data: &[u8], failed: bool) {
        if failed {
            self.seen.insert(at, Outcome::Unknown);
            return;
        }
        let digest = Sha1::digest(data).into();
        let outcome = match self.last.replace(digest) {
            None => Outcome::First,
            Some(before) if before == digest => Outcome::Unchanged,
            Some(_) => Outcome::Changed,
        };
        self.seen.insert(at, outcome);
    }
}

fn finish(
    jobs: BTreeMap<String, Job>,
    locations: &BTreeMap<String, String>,
    every: Option<Duration>,
) -> Result<Found, ImportError> {
    let mut gather = Gather::default();
    let mut schedule = every.map(Schedule::new);
    let mut nameless = 0;
    let count = jobs.len();
    for (guid, mut job) in jobs {
        if let Some(schedule) = &mut schedule {
            schedule.fill(&mut job.seen, None)?;
        }
        let location = locations.get(&guid);
        nameless += usize::from(location.is_none());
        let name = location
            .cloned()
            .unwrap_or_else(|| format!("urlwatch:{guid}"));
        let page = gather.page(&name);
        gather.push(page, &job.seen);
    }
    let mut notes = vec![format!(
        "{count} jobs: new, changed and failed runs; what `--gc-cache` deleted is lost"
    )];
    if nameless > 0 {
        notes.push(format!(
            "{nameless} jobs have no location in the cache and are called urlwatch:GUID; --urls \
             names the list of jobs that tells them"
        ));
    }
    notes.push(match schedule.zip(every) {
        Some((schedule, every)) => format!(
            "{} unchanged runs were assumed, one every {}",
            schedule.added(),
            format_span(every)
        ),
        None => {
            "runs that saw no change were never written down: rates will look higher than they \
                 are; --schedule puts them in"
                .to_owned()
        }
    });
    gather.finish(notes)
}

/// Locations of jobs by the name urlwatch gives them.
fn read_locations(file: &Path) -> Result<BTreeMap<String, String>, ImportError> {
    let text = fs::read_to_string(file).map_err(ImportError::unreadable(file))?;
    let mut locations = BTreeMap::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches("- ");
        let field = LOCATIONS.iter().find_map(|name| line.strip_prefix(name));
        let plain = (line.contains("://") && !line.contains(' ')).then_some(line);
        let Some(location) = field.or(plain) else {
            continue;
        };
        let location = location.trim().trim_matches(['"', '\'']);
        let guid = format!("{:x}", Sha1::digest(location.as_bytes()));
        locations.insert(guid, location.to_owned());
    }
    Ok(locations)
}
