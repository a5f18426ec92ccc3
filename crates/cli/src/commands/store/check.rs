//! `recrawl store check`: every byte of the log.

use clap::Args;
use serde::Serialize;

use crate::Answer;
use crate::args::{OutputArgs, StoreArgs};
use crate::output::{Columns, Output, Shape};

/// Look at every byte of the log; exit 1 with a list if some are damaged.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Serialize)]
struct DamageRecord {
    file: String,
    offset: u64,
    what: String,
}

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Answer> {
    let mut output = Output::open(&args.output)?;
    let damages = recrawl_store::check(&args.store.store)?;
    if damages.is_empty() && output.shape() == Shape::Table {
        output.text(&format!("{} is whole\n", args.store.store.display()))?;
        output.finish()?;
        return Ok(Answer::Done);
    }
    let records: Vec<DamageRecord> = damages
        .into_iter()
        .map(|damage| DamageRecord {
            file: damage.file.display().to_string(),
            offset: damage.offset,
            what: damage.what,
        })
        .collect();
    let columns = Columns::new()
        .held_text("file", |record: &DamageRecord| Some(&record.file))
        .count("offset", |record| record.offset as usize)
        .held_text("what", |record| Some(&record.what));
    let mut writer = output.records(columns)?;
    writer.write(&records)?;
    writer.finish()?;
    Ok(if records.is_empty() {
        Answer::Done
    } else {
        Answer::No
    })
}
