//! `recrawl windows`: consistent windows, local rates, the next update.

mod record;

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use recrawl_estimate::{Confidence, Direction, LocalRates, Reading, Settings, Variant, Windowing};
use recrawl_model::{HistorySet, PageId, Timestamp};

use crate::Answer;
use crate::args::{LogArgs, OutputArgs, PlacementArg, UnitArgs, confidence, moment};
use crate::output::Output;
use crate::progress::counting_bar;
use record::{PageRecord, WindowRow};

/// Pages worked on between two writes.
const TOGETHER: usize = 8_192;

const AFTER_HELP: &str = "\
A window is a stretch of updates in which the rate stays constant, rises or
falls (Singh, IJCAI 2007). Rates of weibull and duane are those at the last
update of the window. mse is the mean square difference between 1/rate and the
gaps between updates, in squared units of --per. Tables show one row for each
window and method, and `next` rows with the predicted update; JSON nests them.

Examples:
  recrawl windows visits.csv --page https://example.org/
  recrawl windows visits.csv --between 2026-01-01..2026-02-01 --per week
  recrawl windows visits.csv --direction backward --threshold 2 --format json";

/// Consistent windows of a page's history, local rates, and the next update.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP, after_help = "See --help for what a window is, and examples.")]
pub(crate) struct WindowsArgs {
    #[command(flatten)]
    logs: LogArgs,

    /// Only this page
    #[arg(long, value_name = "PAGE")]
    page: Option<String>,

    /// Only the visits that enclose this stretch of time: FROM..TO, dates or times
    #[arg(long, value_name = "FROM..TO", value_parser = stretch)]
    between: Option<Stretch>,

    /// Discrepancy at which a window ends, in mean visit intervals
    #[arg(long, default_value = "3", allow_hyphen_values = true)]
    threshold: f64,

    /// Whether the discrepancies of a window add up or count each alone
    #[arg(long, value_enum, default_value = "running-sum")]
    reading: ReadingArg,

    /// Grow windows from the first three updates, or back from the last three
    #[arg(long, value_enum, default_value = "forward")]
    direction: DirectionArg,

    /// Probability with which intervals hold the rate and the next update
    #[arg(long, default_value = "0.95", value_parser = confidence, allow_hyphen_values = true)]
    confidence: Confidence,

    /// A form of a method: raw (last-modified), hat, tilde, check, bar (weibull),
    /// cumulative, instantaneous, two-point (duane)
    #[arg(long = "variant", value_name = "NAME")]
    variants: Vec<Variant>,

    /// Where an update without a date is placed in its interval
    #[arg(long, value_enum, default_value = "middle")]
    update_points: PlacementArg,

    #[command(flatten)]
    unit: UnitArgs,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReadingArg {
    RunningSum,
    PerPoint,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DirectionArg {
    Forward,
    Backward,
}

#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: Timestamp,
    to: Timestamp,
}

/// Reads `2026-01-01..2026-02-01`.
fn stretch(text: &str) -> Result<Stretch, String> {
    let (from, to) = text
        .split_once("..")
        .ok_or("write FROM..TO, as in 2026-01-01..2026-02-01")?;
    let (from, to) = (moment(from)?, moment(to)?);
    if from >= to {
        return Err(format!("{from} does not come before {to}"));
    }
    Ok(Stretch { from, to })
}

pub(crate) fn run(args: &WindowsArgs) -> anyhow::Result<Answer> {
    let rates = LocalRates::new(args.windowing()?, args.settings())?;
    let output = Output::open(&args.output)?;
    let set = args.logs.read()?;
    let pages = match &args.page {
        Some(name) => vec![crate::args::page(&set, name)?],
        None => set.pages().collect(),
    };
    let report = |page: PageId| args.record(&set, &rates, page);
    let nested = output.shape().is_nested();
    let bar = counting_bar("windowing", pages.len());
    if nested {
        let mut writer = output.records(record::no_columns())?;
        for chunk in pages.chunks(TOGETHER) {
            let records: Vec<PageRecord<'_>> = chunk.par_iter().map(|&page| report(page)).collect();
            writer.write(&records)?;
            bar.inc(chunk.len() as u64);
        }
        writer.finish()?;
    } else {
        let mut writer = output.records(record::columns())?;
        for chunk in pages.chunks(TOGETHER) {
            let rows: Vec<WindowRow> = chunk
                .par_iter()
                .flat_map_iter(|&page| report(page).into_rows())
                .collect();
            writer.write(&rows)?;
            bar.inc(chunk.len() as u64);
        }
        writer.finish()?;
    }
    bar.finish_and_clear();
    Ok(Answer::Done)
}

impl WindowsArgs {
    fn windowing(&self) -> anyhow::Result<Windowing> {
        if !self.threshold.is_finite() || self.threshold < 0.0 {
            anyhow::bail!(
                "--threshold {} is not possible: it must be 0 or more",
                self.threshold
            );
        }
        Ok(Windowing {
            threshold: self.threshold,
            reading: match self.reading {
                ReadingArg::RunningSum => Reading::RunningSum,
                ReadingArg::PerPoint => Reading::PerPoint,
            },
            direction: match self.direction {
                DirectionArg::Forward => Direction::Forward,
                DirectionArg::Backward => Direction::Backward,
            },
        })
    }

    fn settings(&self) -> Settings {
        let mut settings = Settings {
            confidence: self.confidence,
            placement: self.update_points.into(),
            ..Settings::default()
        };
        for variant in &self.variants {
            variant.apply(&mut settings);
        }
        settings
    }

    fn record<'a>(&self, set: &'a HistorySet, rates: &LocalRates, page: PageId) -> PageRecord<'a> {
        let mut history = set.history(page);
        if let Some(stretch) = self.between {
            history = history.enclosing(stretch.from, stretch.to);
        }
        let unit = self.unit.unit;
        PageRecord::new(
            set.name(page),
            set.site(page),
            history,
            rates.report(history),
            unit,
        )
    }
}
