//! `recrawl serve`: API, dashboard and metrics over a store.

use std::io::{self, Write};
use std::sync::Arc;

use clap::Args;
use recrawl_policy::DEFAULT_POLICY;
use recrawl_serve::{Board, Mode};
use recrawl_store::{DirectoryStore, OpenMode, Tapped};
use recrawl_watch::{Attendant, SystemClock, commands};
use tokio_util::sync::CancellationToken;

use super::watch::{block_on, stop_on_ctrl_c};
use crate::Answer;
use crate::args::StoreArgs;
use crate::contest::{ObjectiveArg, policies_help, with_objective};
use crate::serving::AccessArgs;

/// Show what a store knows in a browser, and answer programs.
///
/// Nothing is visited: `recrawl watch --serve ADDR` does both. A crawler of any
/// kind may push what it saw (POST /api/v1/observations) and ask what to visit
/// next (POST /api/v1/plan); GET /api/v1/openapi.json describes all of it.
#[derive(Debug, Args)]
#[command(after_long_help = policies_help("\
Examples:
  recrawl serve                                   (http://127.0.0.1:8417)
  recrawl serve --store archive --address :9000
  recrawl serve --address 0.0.0.0:8417 --token-file token.txt --host archive.example
  recrawl serve --store new --create              (for a crawler that pushes)

  curl http://127.0.0.1:8417/api/v1/overview
  curl http://127.0.0.1:8417/metrics"), after_help = "See --help for policies and examples.")]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    store: StoreArgs,

    /// Where to listen, HOST:PORT or :PORT; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8417")]
    address: String,

    /// Make the store if there is none
    #[arg(long)]
    create: bool,

    /// The policy whose plans are shown
    #[arg(long, value_name = "POLICY", default_value = DEFAULT_POLICY)]
    policy: String,

    /// What visits are to achieve, for policies that take an objective
    #[arg(long, value_enum)]
    objective: Option<ObjectiveArg>,

    #[command(flatten)]
    access: AccessArgs,
}

pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<Answer> {
    let policy = with_objective(&args.policy, args.objective);
    if recrawl_policy::parse(&policy)?.needs_truth() {
        let policy = args.policy.clone();
        return Err(recrawl_policy::PolicyError::NeedsTruth { policy }.into());
    }
    let bound =
        args.access
            .at(&args.address)
            .bind(Mode::Serve, &policy, Some(&args.store.store))?;
    let mode = if args.create {
        OpenMode::CreateIfMissing
    } else {
        OpenMode::Existing
    };
    let store = DirectoryStore::open(&args.store.store, mode)?;
    let board = Board::open(&store)?;
    let store = Tapped::new(store, board.listener());
    let (commander, mut commands) = commands();
    let clock = Arc::new(SystemClock);
    let running = bound.serve(board, commander, clock.clone())?;
    writeln!(io::stderr(), "serving http://{}/", running.address())?;
    let stop = CancellationToken::new();
    let mut attendant = Attendant::new(store, clock);
    block_on(stop_on_ctrl_c(&stop, attendant.run(&mut commands, &stop)))?;
    running.stop();
    Ok(Answer::Done)
}
