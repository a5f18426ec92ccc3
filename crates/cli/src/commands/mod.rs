//! One command, one file.

mod demo;
mod distribution;
mod estimate;
mod export;
mod import;
mod plan;
mod replay;
mod reproduce;
mod serve;
mod simulate;
mod store;
mod watch;
mod windows;

use clap::Subcommand;

use crate::Answer;

/// What `recrawl` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The whole system on this machine, nothing else needed
    Demo(demo::DemoArgs),
    /// Watch pages under a budget, and look where it pays most
    Watch(Box<watch::WatchArgs>),
    /// API, dashboard and metrics over a store
    Serve(serve::ServeArgs),
    /// Change rates of pages, from the little that visits reveal
    Estimate(estimate::EstimateArgs),
    /// How long versions of a page live: the whole distribution
    Distribution(distribution::DistributionArgs),
    /// Consistent windows, local rates and the next update
    Windows(windows::WindowsArgs),
    /// What to visit next under a budget, and why
    Plan(plan::PlanArgs),
    /// Policies on an update history or a synthetic world, scored side by side
    Simulate(simulate::SimulateArgs),
    /// What each policy would have caught of the changes in your own log
    Replay(replay::ReplayArgs),
    /// Each table and figure of the papers, ours beside the published number
    Reproduce(reproduce::ReproduceArgs),
    /// What a store holds, whether it is whole, and smaller
    Store(store::StoreCommandArgs),
    /// A store as an observation log
    Export(export::ExportArgs),
    /// Histories of other tools into a store
    Import(import::ImportArgs),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<Answer> {
        match self {
            Self::Demo(args) => demo::run(&args),
            Self::Watch(args) => watch::run(&args),
            Self::Serve(args) => serve::run(&args),
            Self::Estimate(args) => estimate::run(&args),
            Self::Distribution(args) => distribution::run(&args),
            Self::Windows(args) => windows::run(&args),
            Self::Plan(args) => plan::run(&args),
            Self::Simulate(args) => simulate::run(&args),
            Self::Replay(args) => replay::run(&args),
            Self::Reproduce(args) => reproduce::run(&args),
            Self::Store(args) => store::run(&args),
            Self::Export(args) => export::run(&args),
            Self::Import(args) => import::run(&args),
        }
    }
}
