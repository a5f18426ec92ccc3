//! One command, one file.

mod estimate;
mod windows;

use clap::Subcommand;

use crate::Answer;

/// What `recrawl` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Change rates of pages, from the little that visits reveal
    Estimate(estimate::EstimateArgs),
    /// Consistent windows, local rates and the next update
    Windows(windows::WindowsArgs),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<Answer> {
        match self {
            Self::Estimate(args) => estimate::run(&args),
            Self::Windows(args) => windows::run(&args),
        }
    }
}
