//! `recrawl store info`: what a store holds.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::Args;
use recrawl_model::{Outcome, Timestamp, format_span};
use recrawl_store::{CycleState, LogReader, LogSizes, Overview};
use serde::Serialize;

use crate::Answer;
use crate::args::{OutputArgs, StoreArgs};
use crate::output::{Output, Shape};

/// Pages, visits, cycle and size of a store.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Serialize)]
struct InfoRecord {
    store: String,
    format: u32,
    pages: BTreeMap<&'static str, u64>,
    sites: u64,
    observations: BTreeMap<&'static str, u64>,
    imported: u64,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    log: LogRecord,
    cycle: Option<CycleRecord>,
    outstanding: u64,
}

#[derive(Debug, Serialize)]
struct LogRecord {
    segments: u64,
    segment_bytes: u64,
    sealed: u64,
    sealed_bytes: u64,
}

#[derive(Debug, Serialize)]
struct CycleRecord {
    number: u64,
    began: Timestamp,
    ends: Timestamp,
    length: String,
    budget: f64,
    spent: f64,
    left: f64,
}

const OUTCOMES: [Outcome; 4] = [
    Outcome::First,
    Outcome::Changed,
    Outcome::Unchanged,
    Outcome::Unknown,
];

pub(super) fn run(args: &InfoArgs) -> anyhow::Result<Answer> {
    let mut output = Output::open(&args.output)?;
    if !matches!(output.shape(), Shape::Table | Shape::Json | Shape::Ndjson) {
        anyhow::bail!("store info is one document; take --format table, json or ndjson");
    }
    let mut log = LogReader::open(&args.store.store)?;
    let (format, sizes) = (log.format()?, log.sizes());
    let overview = Overview::read(|each| log.replay(each))?;
    let record = record(
        args.store.store.display().to_string(),
        format,
        sizes,
        &overview,
    );
    if output.shape().is_nested() {
        output.document(&record)?;
    } else {
        output.text(&table(&record)?)?;
        output.finish()?;
    }
    Ok(Answer::Done)
}

fn record(store: String, format: u32, sizes: LogSizes, overview: &Overview) -> InfoRecord {
    let pages = overview.pages.iter();
    let observations = OUTCOMES.iter().zip(overview.observations);
    InfoRecord {
        store,
        format,
        pages: pages
            .map(|(standing, &count)| (standing.name(), count))
            .collect(),
        sites: overview.sites,
        observations: observations
            .map(|(outcome, count)| (outcome.name(), count))
            .collect(),
        imported: overview.imported,
        from: overview.span.map(|(first, _)| first),
        to: overview.span.map(|(_, last)| last),
        log: LogRecord {
            segments: sizes.segments,
            segment_bytes: sizes.segment_bytes,
            sealed: sizes.sealed,
            sealed_bytes: sizes.sealed_bytes,
        },
        cycle: overview.resume.cycle.as_ref().map(cycle),
        outstanding: overview.resume.outstanding.len() as u64,
    }
}

fn cycle(cycle: &CycleState) -> CycleRecord {
    CycleRecord {
        number: cycle.number,
        began: cycle.at,
        ends: cycle.at.after(cycle.length),
        length: format_span(cycle.length),
        budget: cycle.budget.in_downloads(),
        spent: cycle.spent.in_downloads(),
        left: (cycle.budget - cycle.spent).in_downloads(),
    }
}

fn table(record: &InfoRecord) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let counts = |counts: &BTreeMap<&str, u64>| {
        let told: Vec<String> = counts
            .iter()
            .filter(|&(_, &count)| count > 0)
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        if told.is_empty() {
            "none".to_owned()
        } else {
            told.join(", ")
        }
    };
    writeln!(
        text,
        "store         {} (format {})",
        record.store, record.format
    )?;
    writeln!(text, "pages         {}", counts(&record.pages))?;
    writeln!(text, "sites         {}", record.sites)?;
    writeln!(text, "observations  {}", counts(&record.observations))?;
    if record.imported > 0 {
        writeln!(text, "              {} of them imported", record.imported)?;
    }
    if let (Some(from), Some(to)) = (record.from, record.to) {
        writeln!(text, "span          {from} to {to}")?;
    }
    let log = &record.log;
    writeln!(
        text,
        "log           {} open ({} bytes), {} sealed ({} bytes)",
        log.segments, log.segment_bytes, log.sealed, log.sealed_bytes
    )?;
    if let Some(cycle) = &record.cycle {
        writeln!(
            text,
            "cycle         {}, {} from {} to {}; {} of {} downloads left",
            cycle.number, cycle.length, cycle.began, cycle.ends, cycle.left, cycle.budget
        )?;
    }
    writeln!(text, "outstanding   {} visits", record.outstanding)?;
    Ok(text)
}
