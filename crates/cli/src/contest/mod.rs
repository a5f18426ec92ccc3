//! What `simulate` and `replay` share: policies side by side on some worlds.

mod args;
mod chart;
mod cycles;
mod document;
mod watcher;

use std::io::{self, Write};

use anyhow::bail;
use recrawl_simulate::{CycleBudget, Settings, Standing, WorldSource, compare};

pub(crate) use args::{ContestArgs, ObjectiveArg, policies_help, takes_objective, with_objective};
use document::{Document, ResultRecord, columns};
pub(crate) use document::{LoggedRecord, WorldRecord};
use watcher::Screen;

use crate::Answer;
use crate::args::OutputFormat;
use crate::output::Output;

/// Most cycles of one run: their scores are all kept, a few hundred bytes each.
pub(crate) const MOST_CYCLES: u32 = 1_000_000;

/// Worlds, and what is said about them.
pub(crate) struct Contest<'a> {
    pub(crate) worlds: &'a WorldSource<'a>,
    /// Pages that ever live in a world, to judge a budget by.
    pub(crate) pages: usize,
    pub(crate) settings: Settings,
    pub(crate) runs: u32,
    pub(crate) record: WorldRecord,
}

impl Contest<'_> {
    /// Runs every policy and writes what was asked for; after Ctrl-C, what is
    /// finished.
    pub(crate) fn run(self, args: &ContestArgs) -> anyhow::Result<Answer> {
        self.check_budget()?;
        let policies = args.policies()?;
        let plot = args.plot_file()?;
        let answer = Output::open(&args.answer())?;
        let cycles_file = args
            .cycles_file()
            .map(|file| Output::open(&file))
            .transpose()?;
        let texts = args.policy_texts();
        let cycles = self.settings.cycles as usize;
        let screen = Screen::new(policies.len() * self.runs as usize * cycles)?;
        let standings = compare(
            self.worlds,
            &policies,
            &self.settings,
            self.runs,
            args.seed,
            &screen,
        )?;
        let interrupted = screen.finish();
        if let Some(output) = cycles_file {
            let has_bytes = self.record.has_bytes;
            let unit = args.unit();
            cycles::write(output, &texts, &standings, &self.settings, unit, has_bytes)?;
        }
        if let Some(plot) = plot {
            plot.write(&chart::figure(&texts, &standings, &self.record))?;
        }
        self.tell(args, &texts, &standings, answer)?;
        if let Some(done) = interrupted {
            bail!("stopped by Ctrl-C after {done}; the answer holds what was finished");
        }
        Ok(Answer::Done)
    }

    fn check_budget(&self) -> anyhow::Result<()> {
        match self.settings.budget {
            CycleBudget::Downloads(0) => bail!("--budget is 0; a cycle needs one visit at least"),
            CycleBudget::Downloads(budget) if budget > self.pages as u64 => bail!(
                "--budget {budget} is more than the {} pages there are; take fewer, or --budget-ratio 1",
                self.pages
            ),
            CycleBudget::Ratio(share) if !(share > 0.0 && share.is_finite()) => {
                bail!("--budget-ratio is {share}; it must be above 0")
            }
            _ => Ok(()),
        }
    }

    fn tell(
        self,
        args: &ContestArgs,
        texts: &[String],
        standings: &[Standing],
        answer: Output,
    ) -> anyhow::Result<()> {
        let has_bytes = self.record.has_bytes;
        let results: Vec<ResultRecord> = texts
            .iter()
            .zip(standings)
            .map(|(text, standing)| {
                ResultRecord::new(text, standing, &self.settings, args.unit(), has_bytes)
            })
            .collect();
        if args.format() == OutputFormat::Json {
            let document = Document {
                world: self.record,
                results,
            };
            let mut out = io::stdout().lock();
            serde_json::to_writer(&mut out, &document)?;
            writeln!(out)?;
            return Ok(out.flush()?);
        }
        if args.format() == OutputFormat::Table {
            self.record.talk()?;
        }
        let mut writer = answer.records(columns())?;
        writer.write(&results)?;
        writer.finish()
    }
}
