//! `recrawl store`: what a store holds, whether it is whole, and smaller.

mod check;
mod compact;
mod diff;
mod info;

use clap::{Args, Subcommand};

use crate::Answer;

const AFTER_HELP: &str = "\
A store is one directory: the log of all visits, and page rows made from it.
docs/store.md tells the format, byte by byte. `info` and `check` may be run while
another process has the store open; `compact` and `diff` may not.

Examples:
  recrawl store info
  recrawl store info --store crawl --format json
  recrawl store check --store crawl || echo damaged
  recrawl store compact --store crawl
  recrawl store diff https://example.org/prices";

/// What a store holds, whether it is whole, and smaller.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP, after_help = "See --help for examples.")]
pub(crate) struct StoreCommandArgs {
    #[command(subcommand)]
    command: StoreCommand,
}

#[derive(Debug, Subcommand)]
enum StoreCommand {
    /// Pages, visits, cycle and size
    Info(info::InfoArgs),
    /// Look at every byte; exit 1 with a list if some are damaged
    Check(check::CheckArgs),
    /// Seal the log to Parquet, merge small files, compact page rows
    Compact(compact::CompactArgs),
    /// What changed when a page last changed
    Diff(diff::DiffArgs),
}

pub(crate) fn run(args: &StoreCommandArgs) -> anyhow::Result<Answer> {
    match &args.command {
        StoreCommand::Info(args) => info::run(args),
        StoreCommand::Check(args) => check::run(args),
        StoreCommand::Compact(args) => compact::run(args),
        StoreCommand::Diff(args) => diff::run(args),
    }
}
