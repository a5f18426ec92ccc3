//! Arguments that several commands share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use recrawl_estimate::{Confidence, Placement};
use recrawl_logs::Source;
use recrawl_model::{HistorySet, PageId, TimeUnit, Timestamp, parse_span};
use recrawl_store::{Include, LogReader};

use crate::progress::ByteBar;

/// The logs a command reads.
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// Observation logs: .csv, .ndjson or .parquet (.gz and .zst too), `-` for
    /// CSV on standard input
    #[arg(value_name = "LOG", required_unless_present = "store")]
    logs: Vec<PathBuf>,

    /// Read the log of this store in place of LOG, also while it is in use
    #[arg(long, value_name = "DIR", conflicts_with = "logs")]
    store: Option<PathBuf>,
}

/// The store a command works on.
#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    /// The store, a directory
    #[arg(long, value_name = "DIR", default_value = DEFAULT_STORE)]
    pub(crate) store: PathBuf,
}

/// Where the store is if nobody says.
pub(crate) const DEFAULT_STORE: &str = "./recrawl-store";

impl StoreArgs {
    /// The histories of its pages; the store may be in use.
    pub(crate) fn histories(&self, include: Include) -> anyhow::Result<HistorySet> {
        store_histories(&self.store, include)
    }
}

fn store_histories(store: &Path, include: Include) -> anyhow::Result<HistorySet> {
    let mut log = LogReader::open(store)?;
    Ok(recrawl_store::histories(include, |each| log.replay(each))?)
}

impl LogArgs {
    /// The logs as they were named.
    pub(crate) fn names(&self) -> String {
        if let Some(store) = &self.store {
            return store.display().to_string();
        }
        let names: Vec<String> = self
            .logs
            .iter()
            .map(|log| log.display().to_string())
            .collect();
        names.join(", ")
    }

    /// Reads all logs into histories, with a progress bar on a terminal.
    pub(crate) fn read(&self) -> anyhow::Result<HistorySet> {
        self.read_pages(Include::All)
    }

    /// As [`Self::read`], but of a store only the pages that are watched now.
    pub(crate) fn read_watched(&self) -> anyhow::Result<HistorySet> {
        self.read_pages(Include::Watched)
    }

    fn read_pages(&self, include: Include) -> anyhow::Result<HistorySet> {
        if let Some(store) = &self.store {
            return store_histories(store, include);
        }
        let sources: Vec<Source> = self.logs.iter().map(Source::parse).collect();
        let bar = ByteBar::new("reading", recrawl_logs::total_bytes(&sources));
        let set = recrawl_logs::read(&sources, &bar)?;
        bar.finish();
        Ok(set)
    }
}

/// How answers are written.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// How to write the answer [default: table, or by the extension of --output]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<OutputFormat>,

    /// Write to FILE (.json, .ndjson, .csv or .parquet) instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The formats of `--format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Columns for reading
    Table,
    /// One document
    Json,
    /// One object a line
    Ndjson,
    /// Comma-separated values with a header
    Csv,
}

/// The unit rates and spans are told in.
#[derive(Debug, Args)]
pub(crate) struct UnitArgs {
    /// Unit of rates and spans: second, minute, hour, day, week, month (30 days)
    /// or year (365 days)
    #[arg(long = "per", value_name = "UNIT", default_value_t = TimeUnit::Day)]
    pub(crate) unit: TimeUnit,
}

/// Reads `90s`, `15m`, `6h`, `7d`, `2w`.
pub(crate) fn span(text: &str) -> Result<Duration, String> {
    parse_span(text).map_err(|error| error.to_string())
}

/// Where an update without a date is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlacementArg {
    Middle,
    End,
}

impl From<PlacementArg> for Placement {
    fn from(arg: PlacementArg) -> Self {
        match arg {
            PlacementArg::Middle => Self::Middle,
            PlacementArg::End => Self::End,
        }
    }
}

/// A span together with how the user wrote it.
#[derive(Debug, Clone)]
pub(crate) struct NamedSpan {
    pub(crate) text: String,
    pub(crate) span: Duration,
}

/// Reads a span and keeps its text.
pub(crate) fn named_span(text: &str) -> Result<NamedSpan, String> {
    Ok(NamedSpan {
        text: text.trim().to_owned(),
        span: span(text)?,
    })
}

/// Reads a confidence between 0 and 1.
pub(crate) fn confidence(text: &str) -> Result<Confidence, String> {
    let level: f64 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    Confidence::new(level).map_err(|error| error.to_string())
}

/// Reads a moment, or a date alone as its midnight in UTC.
pub(crate) fn moment(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text)
        .or_else(|refused| Timestamp::parse(&format!("{text}T00:00:00Z")).map_err(|_| refused))
        .map_err(|error| error.to_string())
}

/// How many near matches an error names.
const NEAR_MATCHES: usize = 3;

/// The page of that name, or an error with the names most like it.
pub(crate) fn page(set: &HistorySet, name: &str) -> anyhow::Result<PageId> {
    if let Some(page) = set.find(name) {
        return Ok(page);
    }
    let mut near: Vec<(f64, &str)> = set
        .pages()
        .map(|page| set.name(page))
        .map(|known| (strsim::jaro_winkler(known, name), known))
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let names: Vec<String> = near
        .iter()
        .take(NEAR_MATCHES)
        .map(|(_, known)| format!("`{known}`"))
        .collect();
    anyhow::bail!(
        "there is no page `{name}` in the log; the nearest are {}",
        names.join(", ")
    )
}
