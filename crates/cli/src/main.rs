//! The `recrawl` command: arguments, output and exit codes. No logic.

mod args;
mod commands;
mod contest;
mod output;
mod plot;
mod progress;
mod serving;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;
use recrawl_store::StoreError;

/// A watcher takes and gives back the bytes of a page thousands of times a
/// second, for which the system's allocator takes longer.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Learn how often remote things change, and spend a limited number of visits
/// where they catch the most.
#[derive(Debug, Parser)]
#[command(
    name = "recrawl",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 done, 1 the answer is no, 2 something failed or bad usage."
)]
struct Recrawl {
    #[command(subcommand)]
    command: commands::Command,
}

/// What a command that ended well has to say to the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Done: exit 0.
    Done,
    /// The answer is no: exit 1.
    No,
}

fn main() -> ExitCode {
    match Recrawl::parse().command.run() {
        Ok(Answer::Done) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // If stderr is closed too there is nobody left to tell.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            if let Some(hint) = hint(&error) {
                let _ = writeln!(io::stderr(), "hint: {hint}");
            }
            ExitCode::from(2)
        }
    }
}

/// A way out, where the error knows one.
fn hint(error: &anyhow::Error) -> Option<&'static str> {
    error
        .chain()
        .find_map(|cause| cause.downcast_ref::<StoreError>()?.hint())
}

/// Whether the reader of our output went away, as `head` does: not a failure.
fn closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
