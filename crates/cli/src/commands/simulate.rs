//! `recrawl simulate`: policies on worlds with known truth, side by side.

mod worlds;

use std::time::Duration;

use clap::Args;
use recrawl_model::Timestamp;
use recrawl_simulate::{CycleBudget, Divergence, Settings, WorldSource};

use crate::Answer;
use crate::args::span;
use crate::contest::{Contest, ContestArgs, MOST_CYCLES, WorldRecord, policies_help};
use worlds::{WorldArgs, WorldChoice};

/// Share of the pages a cycle visits where nobody says: that of Cho & Ntoulas,
/// 100,000 of 353,000.
const USUAL_SHARE: f64 = 0.28;

const AFTER_HELP: &str = "\
Worlds:
  --pages FILE --updates FILE [--sites FILE]   what really happened (Parquet or CSV)
  --synthetic SPEC.toml                        a recipe, see docs/simulate.md
  --world NAME                                 one of the papers:
      cho-ntoulas-two-sites   two sites of 100 pages, 70 and 20 change each cycle
      cho-ntoulas-normal      300 sites of 1,000 pages alike, rho normal(0.5, 0.3)
      cho-ntoulas-v           252 sites of 1,400 pages, most static or restless

Rules: all pages alive at the start are held and fresh. Changes accrue during a
cycle, then its visits happen at its end, batch by batch. A page born in a cycle
may be visited from its end on; that first visit is no change. Every policy sees
the same worlds.

Examples:
  recrawl simulate --world cho-ntoulas-v --policy greedy --policy round-robin --cycles 5
  recrawl simulate --world cho-ntoulas-normal --policy adaptive:confidence=0.9 --runs 20
  recrawl simulate --pages pages.parquet --updates updates.parquet --sites sites.parquet \\
      --cycle 7d --cycles 104 --budget-ratio 0.1 --plot by-cycle.png
  recrawl simulate --synthetic world.toml --format json --output cycles.parquet";

/// Policies on an update history or a synthetic world, scored side by side.
///
/// What wins here is, line for line, what `recrawl watch` runs.
#[derive(Debug, Args)]
#[command(after_long_help = policies_help(AFTER_HELP), after_help = "See --help for worlds, rules and examples.")]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    world: WorldArgs,

    /// Length of a cycle
    #[arg(long, value_name = "SPAN", default_value = "30d", value_parser = span)]
    cycle: Duration,

    /// How many cycles
    #[arg(long, value_name = "N", default_value = "12",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_CYCLES)))]
    cycles: u32,

    /// Repetitions: each draws a new world, or on histories a new seed
    #[arg(long, value_name = "K", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,

    #[command(flatten)]
    contest: ContestArgs,
}

pub(crate) fn run(args: &SimulateArgs) -> anyhow::Result<Answer> {
    args.contest.policies()?; // before files are read: a bad policy is told at once
    let choice = WorldChoice::open(&args.world, args.cycle, args.cycles, args.contest.seed)?;
    let budget = args
        .contest
        .budget()
        .or(choice.usual_budget.map(CycleBudget::Downloads))
        .unwrap_or(CycleBudget::Ratio(USUAL_SHARE));
    let settings = Settings {
        start: choice
            .window
            .map_or(Timestamp::from_seconds(0), |window| window.start),
        cycle: args.cycle,
        cycles: args.cycles,
        budget,
        reading: args.contest.changed,
        divergence: Divergence::UpdatesMissed,
    };
    let record = record(args, &choice, budget);
    let worlds: &WorldSource<'_> = &choice.worlds;
    let contest = Contest {
        worlds,
        pages: choice.pages,
        settings,
        runs: args.runs,
        record,
    };
    contest.run(&args.contest)
}

fn record(args: &SimulateArgs, choice: &WorldChoice, budget: CycleBudget) -> WorldRecord {
    let (fixed, ratio) = match budget {
        CycleBudget::Downloads(count) => (Some(count), None),
        CycleBudget::Ratio(share) => (None, Some(share)),
    };
    WorldRecord {
        name: choice.name.clone(),
        pages: choice.pages,
        sites: choice.sites,
        cycle: recrawl_model::format_span(args.cycle),
        cycles: args.cycles,
        budget: fixed,
        budget_ratio: ratio,
        changed: args.contest.changed.name(),
        runs: args.runs,
        seed: args.contest.seed,
        start: choice.window.map(|window| window.start.to_string()),
        end: choice.window.map(|window| window.end().to_string()),
        per: args.contest.unit().name(),
        note: choice.note.clone(),
        logged: None,
        has_bytes: choice.has_bytes,
    }
}
