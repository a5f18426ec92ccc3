//! `recrawl import`: histories of other tools into a store.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::{Args, ValueEnum};
use recrawl_histories::Files;
use recrawl_import::{Found, Kind, Merged};
use recrawl_logs::Source;
use recrawl_model::Timestamp;
use recrawl_store::{DirectoryStore, OpenMode};
use serde::Serialize;

use crate::Answer;
use crate::args::{OutputArgs, StoreArgs, span};
use crate::output::{Columns, Output};
use crate::progress::ByteBar;

const AFTER_HELP: &str = "\
What FILE is, is seen from what is in it, or said by --from:
  log              an observation log, as every command reads and export writes
  histories        a directory of update histories: pages, updates, maybe sites
  changedetection  the data directory of changedetection.io
  urlwatch         the cache of urlwatch (.db); --urls names its list of jobs
  git              a repository of recorded pages, such as Open Terms Archive's
Update histories come by --pages and --updates too. Most tools write down changes
only; --schedule 12h puts the visits between them that saw none, and without it
rates look higher than they are.

Importing the same again adds nothing. What contradicts the store, or cannot be
read, is told, and nothing is imported.

Examples:
  recrawl import visits.csv --store crawl
  recrawl import datastore/ --store crawl --schedule 3h
  recrawl import cache.db --urls urls.yaml --schedule 1h
  recrawl import contrib-versions/ --schedule 12h";

/// Histories of other tools into a store.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP, after_help = "See --help for what can be imported, and examples.")]
pub(crate) struct ImportArgs {
    /// What to import: logs, directories, caches; `-` for CSV on standard input
    #[arg(value_name = "FILE", required_unless_present = "pages")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    store: StoreArgs,

    /// What FILE is [default: seen from what is in it]
    #[arg(long, value_enum, value_name = "KIND")]
    from: Option<KindArg>,

    /// Update histories: the table of pages
    #[arg(
        long,
        value_name = "FILE",
        requires = "updates",
        conflicts_with = "files"
    )]
    pages: Option<PathBuf>,

    /// Update histories: the table of updates
    #[arg(long, value_name = "FILE", requires = "pages")]
    updates: Option<PathBuf>,

    /// Update histories: where the histories of sites stop
    #[arg(long, value_name = "FILE", requires = "pages")]
    sites: Option<PathBuf>,

    /// How often the other tool visited, as in 12h
    #[arg(long, value_name = "SPAN", value_parser = span)]
    schedule: Option<Duration>,

    /// The list of jobs of urlwatch, which tells their URLs
    #[arg(long, value_name = "FILE")]
    urls: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KindArg {
    Log,
    Histories,
    Changedetection,
    Urlwatch,
    Git,
}

#[derive(Debug, Serialize)]
struct ImportRecord {
    pages: usize,
    observations: usize,
    known: usize,
    notes: Vec<String>,
}

pub(crate) fn run(args: &ImportArgs) -> anyhow::Result<Answer> {
    let output = Output::open(&args.output)?;
    let found = args.read()?; // all of it, before the store is touched
    let mut store = DirectoryStore::open(&args.store.store, OpenMode::CreateIfMissing)?;
    let merged = recrawl_import::merge(&mut store, &found.set, now()?)?;
    if !output.shape().is_nested() {
        for note in &found.notes {
            writeln!(io::stderr(), "note: {note}")?;
        }
    }
    write(output, merged, found.notes)?;
    Ok(Answer::Done)
}

/// The present, as new pages are added then.
#[expect(
    clippy::disallowed_methods,
    reason = "the command is the driver: here the present comes in"
)]
fn now() -> anyhow::Result<Timestamp> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    Ok(Timestamp::from_seconds(0).after(since))
}

fn write(output: Output, merged: Merged, notes: Vec<String>) -> anyhow::Result<()> {
    let record = ImportRecord {
        pages: merged.pages,
        observations: merged.observations,
        known: merged.known,
        notes,
    };
    if output.shape().is_nested() {
        return output.document(&record);
    }
    let columns = Columns::new()
        .count("pages", |record: &ImportRecord| record.pages)
        .count("observations", |record| record.observations)
        .count("known", |record| record.known);
    let mut writer = output.records(columns)?;
    writer.write(&[record])?;
    writer.finish()
}

impl ImportArgs {
    fn read(&self) -> anyhow::Result<Found> {
        if let (Some(pages), Some(updates)) = (&self.pages, &self.updates) {
            let files = Files {
                pages: pages.clone(),
                updates: updates.clone(),
                sites: self.sites.clone(),
            };
            return Ok(recrawl_import::read_updates(&files, self.schedule)?);
        }
        let mut logs = Vec::new();
        let mut sources = Vec::new();
        for file in &self.files {
            match self.kind(file)? {
                Kind::Log => logs.push(Source::parse(file)),
                Kind::Histories => {
                    let tables = recrawl_import::history_files(file)?;
                    sources.push(recrawl_import::read_updates(&tables, self.schedule)?);
                }
                Kind::ChangeDetection => {
                    sources.push(recrawl_import::read_changedetection(file, self.schedule)?);
                }
                Kind::Urlwatch => {
                    let urls = self.urls.as_deref();
                    sources.push(recrawl_import::read_urlwatch(file, urls, self.schedule)?);
                }
                Kind::Git => sources.push(recrawl_import::read_git(file, self.schedule)?),
            }
        }
        if !logs.is_empty() {
            let bar = ByteBar::new("reading", recrawl_logs::total_bytes(&logs));
            let set = recrawl_logs::read(&logs, &bar)?;
            bar.finish();
            let notes = Vec::new();
            sources.push(Found { set, notes });
        }
        match (sources.pop(), sources.is_empty()) {
            (Some(only), true) => Ok(only),
            (last, _) => {
                sources.extend(last);
                Ok(Found::join(sources)?)
            }
        }
    }

    fn kind(&self, file: &Path) -> anyhow::Result<Kind> {
        Ok(match self.from {
            None => recrawl_import::recognise(file)?,
            Some(KindArg::Log) => Kind::Log,
            Some(KindArg::Histories) => Kind::Histories,
            Some(KindArg::Changedetection) => Kind::ChangeDetection,
            Some(KindArg::Urlwatch) => Kind::Urlwatch,
            Some(KindArg::Git) => Kind::Git,
        })
    }
}
