//! `recrawl export`: a store as an observation log.

use std::path::{Path, PathBuf};

use clap::Args;
use recrawl_model::{HistorySet, Observation, Outcome, PageId, Timestamp};
use recrawl_store::Include;
use serde::Serialize;

use crate::Answer;
use crate::args::{OutputArgs, OutputFormat, StoreArgs};
use crate::output::{Columns, Output};
use crate::progress::counting_bar;

/// Observations written together.
const TOGETHER: usize = 1 << 14;

const AFTER_HELP: &str = "\
Columns: page, time, changed, last_modified, site, weight, as every command reads
them. `changed` is empty where a visit failed or was the page's first. Failed
visits before a page ever answered are left out: read back, they would pass for
first visits. Pages without any observation are not in a log.

Examples:
  recrawl export --store crawl --output visits.parquet
  recrawl export --store crawl | head
  recrawl export --store crawl --format ndjson";

/// A store as an observation log.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP, after_help = "See --help for the columns, and examples.")]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    store: StoreArgs,

    /// The log to write: .csv, .ndjson or .parquet, `-` for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,

    /// How to write it [default: by the extension of --output, else csv]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<LogFormat>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum LogFormat {
    /// Comma-separated values with a header
    Csv,
    /// One object a line
    Ndjson,
}

#[derive(Debug, Serialize)]
struct VisitRecord<'a> {
    page: &'a str,
    time: Timestamp,
    changed: Option<bool>,
    last_modified: Option<Timestamp>,
    site: &'a str,
    weight: f64,
}

impl<'a> VisitRecord<'a> {
    fn new(set: &'a HistorySet, page: PageId, seen: Observation) -> Self {
        Self {
            page: set.name(page),
            time: seen.at,
            changed: match seen.outcome {
                Outcome::Changed => Some(true),
                Outcome::Unchanged => Some(false),
                Outcome::First | Outcome::Unknown => None,
            },
            last_modified: seen.last_modified,
            site: set.site(page),
            weight: set.weight(page),
        }
    }
}

fn columns<'a>() -> Columns<VisitRecord<'a>> {
    Columns::new()
        .held_text("page", |record: &VisitRecord<'_>| Some(record.page))
        .text("time", |record| Some(record.time.to_string()))
        .held_text("changed", |record| match record.changed {
            Some(true) => Some("1"),
            Some(false) => Some("0"),
            None => None,
        })
        .text("last_modified", |record| {
            record.last_modified.map(|at| at.to_string())
        })
        .held_text("site", |record| Some(record.site))
        .real("weight", |record| Some(record.weight))
}

pub(crate) fn run(args: &ExportArgs) -> anyhow::Result<Answer> {
    let output = Output::open(&args.output()?)?;
    let set = args.store.histories(Include::All)?;
    let bar = counting_bar("exporting", set.len());
    let mut writer = output.records(columns())?;
    let mut records = Vec::with_capacity(TOGETHER);
    for page in set.pages() {
        for seen in set.history(page).observations() {
            records.push(VisitRecord::new(&set, page, seen));
            if records.len() == TOGETHER {
                writer.write(&records)?;
                records.clear();
            }
        }
        bar.inc(1);
    }
    writer.write(&records)?;
    writer.finish()?;
    bar.finish_and_clear();
    Ok(Answer::Done)
}

impl ExportArgs {
    /// Where and how the log goes, in the words all commands share.
    fn output(&self) -> anyhow::Result<OutputArgs> {
        let file = Some(self.output.clone()).filter(|file| file != Path::new("-"));
        let format = match (self.format, &file) {
            (Some(LogFormat::Csv), _) | (None, None) => Some(OutputFormat::Csv),
            (Some(LogFormat::Ndjson), _) => Some(OutputFormat::Ndjson),
            (None, Some(file)) => {
                let extension = file.extension().and_then(|extension| extension.to_str());
                if !matches!(extension, Some("csv" | "ndjson" | "jsonl" | "parquet")) {
                    anyhow::bail!(
                        "{}: its extension tells no format of a log; end it in .csv, .ndjson or \
                         .parquet, or say --format",
                        file.display()
                    );
                }
                None
            }
        };
        Ok(OutputArgs {
            format,
            output: file,
        })
    }
}
