//! `recrawl replay`: what each policy would have caught of a log's changes.

use std::time::Duration;

use anyhow::bail;
use clap::Args;
use recrawl_model::format_span;
use recrawl_simulate::{
    CycleBudget, Divergence, DrawnWorlds, LoggedVisits, Membership, Purpose, RecordedWorld,
    Settings, Window, World, run_seed,
};

use crate::Answer;
use crate::args::{LogArgs, span};
use crate::contest::{Contest, ContestArgs, LoggedRecord, MOST_CYCLES, WorldRecord, policies_help};

/// Said with every answer: the log does not tell when pages changed.
const DRAWN: &str = "a log tells between which visits a page changed, not when: change times are \
                     drawn from each page's fitted rate, given a change, once a run";

const AFTER_HELP: &str = "\
The log becomes a world: a page joins at its first observation, leaves when the log
would have looked again, and changes where the log saw a change. When exactly is drawn from the page's fitted
rate (or taken from last_modified), anew in every run, so that scores have an
interval over draws. Without --budget every policy gets as many visits a cycle as
the log spent on average.

Examples:
  recrawl replay visits.csv
  recrawl replay visits.parquet --cycle 7d --policy greedy --policy nutch-adaptive
  recrawl replay visits.csv --budget 500 --runs 50 --format json";

/// What each policy, and the rules of well-known crawlers, would have caught of
/// the changes in your own log.
#[derive(Debug, Args)]
#[command(after_long_help = policies_help(AFTER_HELP), after_help = "See --help for what is drawn and examples.")]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    logs: LogArgs,

    /// Length of a cycle
    #[arg(long, value_name = "SPAN", default_value = "1d", value_parser = span)]
    cycle: Duration,

    /// How many cycles, the last of the log [default: as many as fit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cycles: Option<u32>,

    /// Draws of the times at which pages changed
    #[arg(long, value_name = "K", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,

    #[command(flatten)]
    contest: ContestArgs,
}

pub(crate) fn run(args: &ReplayArgs) -> anyhow::Result<Answer> {
    args.contest.policies()?; // before files are read: a bad policy is told at once
    let set = args.logs.read()?;
    let drawn = DrawnWorlds::new(&set);
    let (window, logged) = window(args, &drawn)?;
    let draw = |run: u32| -> anyhow::Result<RecordedWorld> {
        let histories = drawn.draw(run_seed(args.contest.seed, run, Purpose::World))?;
        Ok(RecordedWorld::new(
            &histories,
            window,
            Membership::Everyone,
        )?)
    };
    let first = draw(0)?;
    let worlds = |run| -> Box<dyn World> {
        Box::new(draw(run).unwrap_or_else(|_| first.clone())) // all draws share their pages
    };
    let population = std::sync::Arc::clone(first.population());
    let visits = logged.visits.div_ceil(u64::from(window.cycles)).max(1);
    let usual = CycleBudget::Downloads(visits.min(population.len() as u64));
    let settings = Settings {
        start: window.start,
        cycle: window.cycle,
        cycles: window.cycles,
        budget: args.contest.budget().unwrap_or(usual),
        reading: args.contest.changed,
        divergence: Divergence::UpdatesMissed,
    };
    let contest = Contest {
        worlds: &worlds,
        pages: population.len(),
        record: record(args, &settings, window, logged, &population),
        settings,
        runs: args.runs,
    };
    contest.run(&args.contest)
}

/// The last cycles that fit in the log, and what its visits in them came to.
fn window(args: &ReplayArgs, drawn: &DrawnWorlds<'_>) -> anyhow::Result<(Window, LoggedVisits)> {
    let Some((first, last)) = drawn.span() else {
        bail!("the log holds no observation");
    };
    let fit = last.since(first).as_micros() / args.cycle.as_micros();
    if fit == 0 {
        bail!(
            "a cycle of {} is longer than the log, which spans {}; choose a shorter --cycle",
            format_span(args.cycle),
            format_span(last.since(first))
        );
    }
    let fit = u32::try_from(fit).unwrap_or(u32::MAX).min(MOST_CYCLES);
    let cycles = args.cycles.unwrap_or(fit);
    if cycles > fit {
        bail!(
            "{cycles} cycles of {} are longer than the log, in which {fit} fit",
            format_span(args.cycle)
        );
    }
    let window = Window::ending(last, args.cycle, cycles);
    Ok((window, drawn.logged(window.start)))
}

fn record(
    args: &ReplayArgs,
    settings: &Settings,
    window: Window,
    logged: LoggedVisits,
    population: &recrawl_simulate::Population,
) -> WorldRecord {
    let (fixed, ratio) = match settings.budget {
        CycleBudget::Downloads(count) => (Some(count), None),
        CycleBudget::Ratio(share) => (None, Some(share)),
    };
    WorldRecord {
        name: args.logs.names(),
        pages: population.len(),
        sites: population.sites(),
        cycle: format_span(window.cycle),
        cycles: window.cycles,
        budget: fixed,
        budget_ratio: ratio,
        changed: args.contest.changed.name(),
        runs: args.runs,
        seed: args.contest.seed,
        start: Some(window.start.to_string()),
        end: Some(window.end().to_string()),
        per: args.contest.unit().name(),
        note: Some(DRAWN.to_owned()),
        logged: Some(LoggedRecord {
            visits: logged.visits,
            changed: logged.changed,
            change_ratio: (logged.visits > 0).then(|| logged.changed as f64 / logged.visits as f64),
        }),
        has_bytes: false,
    }
}
