//! `recrawl plan`: what to visit next under a budget, and why.

mod marginal;
mod record;

use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use recrawl_engine::{PolicyError, Scheduler};
use recrawl_model::{Budget, HistorySet, Timestamp, Visit, VisitKind, format_span};
use recrawl_policy::{DEFAULT_POLICY, Policy};

use crate::Answer;
use crate::args::{LogArgs, OutputArgs, moment, span};
use crate::contest::{ObjectiveArg, policies_help, takes_objective, with_objective};
use crate::output::{Output, Shape};
use record::PlanRecord;

/// Visits explained between two writes.
const TOGETHER: usize = 8_192;

/// The cycle of a log in which no page was visited twice.
const USUAL_CYCLE: Duration = Duration::from_secs(86_400);

const AFTER_HELP: &str = "\
The log is replayed through the policy in order of time, cycle by cycle, then the
policy is asked for the visits of one cycle at --at. They come in the order of
visiting, no page twice, as far as can be said before any of them is answered: a
policy that samples first would go on by what its samples teach.

The score is the policy's claim for the page, in a unit of its own. JSON carries as
`why` the tree of numbers the score was made from; --explain prints it, and adds
the last ten observations of each page.

--marginal answers another question: with each page's rate as the log makes
it likely, what is the best that nine tenths of the budget, the budget, and a tenth
more can buy in the long run? One row for each: changes found a cycle, mean freshness,
mean age in days (none where a page that changes is left alone), the difference to
the budget's row in what --objective asks for, and what one visit a cycle more
would be worth in it. Pages count by their weights.

The policies `oracle` and `rate-oracle` know what only a simulation knows, and are
refused here.

Examples:
  recrawl plan visits.csv --budget 10
  recrawl plan visits.csv --budget 10 --explain
  recrawl plan visits.csv --budget 10 --policy frequency --format json
  recrawl plan visits.csv --budget 10 --marginal --objective freshness
  recrawl plan visits.csv --budget 10 --cycle 1d --output next.parquet";

/// What to visit next under a budget, and why.
#[derive(Debug, Args)]
#[command(after_long_help = policies_help(AFTER_HELP), after_help = "See --help for what is answered, the policies, and examples.")]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    logs: LogArgs,

    /// Visits of the cycle that is planned
    #[arg(long, value_name = "N")]
    budget: u64,

    /// The policy that decides, NAME[:key=value,…]
    #[arg(long, value_name = "POLICY", default_value = DEFAULT_POLICY)]
    policy: String,

    /// What visits are to achieve, for policies that take an objective
    /// [default: the policy's own; changes for --marginal]
    #[arg(long, value_enum)]
    objective: Option<ObjectiveArg>,

    /// Say for each page what its score was made from, down to its last observations
    #[arg(long)]
    explain: bool,

    /// Say instead what a tenth more or fewer visits a cycle would buy
    #[arg(long, conflicts_with = "explain")]
    marginal: bool,

    /// The moment to plan for: a date or time, not before the log's last
    /// observation [default: one cycle after it]
    #[arg(long, value_name = "TIME", value_parser = moment, allow_hyphen_values = true)]
    at: Option<Timestamp>,

    /// Length of the cycle the budget is for [default: the median time between
    /// two visits of a page, 1d where none was visited twice]
    #[arg(long, value_name = "SPAN", value_parser = span)]
    cycle: Option<Duration>,

    /// Where all chance comes from: the same seed gives the same answer
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(args: &PlanArgs) -> anyhow::Result<Answer> {
    let policy = args.policy()?; // before files are read: a bad policy is told at once
    if args.budget == 0 {
        bail!("--budget is 0; a plan needs one visit at least");
    }
    let output = Output::open(&args.output)?;
    let set = args.logs.read_watched()?;
    args.check_budget(&set)?;
    let cycle = args.cycle(&set);
    if args.marginal {
        return marginal::run(&set, args.objective, args.budget, cycle, output);
    }
    let at = args.moment(&set, cycle)?;
    let mut scheduler = Scheduler::replay_in_cycles(policy.as_ref(), args.seed, &set, cycle, at)?;
    let visits = scheduler.plan(Budget::downloads(args.budget), at)?;
    args.talk(visits.len(), at, cycle, output.shape())?;
    args.write(&set, &scheduler, &visits, at, output)?;
    Ok(Answer::Done)
}

impl PlanArgs {
    fn policy(&self) -> anyhow::Result<Box<dyn Policy>> {
        let text = with_objective(&self.policy, self.objective);
        let policy =
            recrawl_policy::parse(&text).with_context(|| format!("--policy {}", self.policy))?;
        if policy.needs_truth() {
            let policy = policy.name().to_owned();
            return Err(PolicyError::NeedsTruth { policy }.into());
        }
        Ok(policy)
    }

    fn check_budget(&self, set: &HistorySet) -> anyhow::Result<()> {
        if self.budget > set.len() as u64 {
            bail!(
                "--budget {} is more than the {} pages there are, and a plan visits none twice; \
                 take fewer",
                self.budget,
                set.len()
            );
        }
        Ok(())
    }

    fn cycle(&self, set: &HistorySet) -> Duration {
        let usual = || set.median_visit_interval().unwrap_or(USUAL_CYCLE);
        self.cycle.unwrap_or_else(usual)
    }

    /// When the visits are to be made.
    fn moment(&self, set: &HistorySet, cycle: Duration) -> anyhow::Result<Timestamp> {
        let last = set
            .last_observed()
            .context("the log holds no observation")?;
        match self.at {
            Some(at) if at < last => bail!(
                "--at {at} is before {last}, the last observation of the log; plan for a later moment"
            ),
            Some(at) => Ok(at),
            None => Ok(last.after(cycle)),
        }
    }

    /// What a reader should know of the plan; on standard error.
    fn talk(
        &self,
        visits: usize,
        at: Timestamp,
        cycle: Duration,
        shape: Shape,
    ) -> anyhow::Result<()> {
        let mut talk = io::stderr().lock();
        let (policy, budget) = (&self.policy, self.budget);
        if self.objective.is_some() && !takes_objective(policy) {
            writeln!(talk, "note: {policy} takes no objective; it keeps its own")?;
        }
        if shape != Shape::Table {
            return Ok(());
        }
        let cycle = format_span(cycle);
        writeln!(
            talk,
            "note: planned for {at}, cycles of {cycle}, by {policy}"
        )?;
        if (visits as u64) < budget {
            writeln!(
                talk,
                "note: the policy asks for {visits} of the {budget} visits"
            )?;
        }
        Ok(())
    }

    fn write(
        &self,
        set: &HistorySet,
        scheduler: &Scheduler,
        visits: &[Visit],
        at: Timestamp,
        mut output: Output,
    ) -> anyhow::Result<()> {
        let record = |&visit: &Visit| -> anyhow::Result<PlanRecord<'_>> {
            let why = scheduler.explain(visit.page, at)?;
            Ok(PlanRecord::new(set, visit, why, self.explain))
        };
        if self.explain && output.shape() == Shape::Table {
            for (place, visit) in (1..).zip(visits) {
                output.text(&record(visit)?.text(place))?;
            }
            return output.finish();
        }
        let samples = visits.iter().any(|visit| visit.kind == VisitKind::Sample);
        let mut writer = output.records(record::columns(samples, self.explain))?;
        for chunk in visits.chunks(TOGETHER) {
            let records: anyhow::Result<Vec<_>> = chunk.iter().map(record).collect();
            writer.write(&records?)?;
        }
        writer.finish()
    }
}
