//! `recrawl store compact`: the same in less room.

use clap::Args;
use recrawl_store::{DirectoryStore, OpenMode};
use serde::Serialize;

use crate::Answer;
use crate::args::{OutputArgs, StoreArgs};
use crate::output::{Columns, Output};

/// Seal the log to Parquet, merge small files, compact page rows.
#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Serialize)]
struct CompactRecord {
    sealed: usize,
    merged: usize,
    bytes_before: usize,
    bytes_after: usize,
}

pub(super) fn run(args: &CompactArgs) -> anyhow::Result<Answer> {
    let output = Output::open(&args.output)?;
    let mut store = DirectoryStore::open(&args.store.store, OpenMode::Existing)?;
    let compacted = store.compact()?;
    let record = CompactRecord {
        sealed: compacted.sealed,
        merged: compacted.merged,
        bytes_before: compacted.bytes_before as usize,
        bytes_after: compacted.bytes_after as usize,
    };
    let columns = Columns::new()
        .count("sealed", |record: &CompactRecord| record.sealed)
        .count("merged", |record| record.merged)
        .count("bytes_before", |record| record.bytes_before)
        .count("bytes_after", |record| record.bytes_after);
    let mut writer = output.records(columns)?;
    writer.write(&[record])?;
    writer.finish()?;
    Ok(Answer::Done)
}
