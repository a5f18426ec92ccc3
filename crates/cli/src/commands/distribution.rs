//! `recrawl distribution`: how long versions of one page live.

mod chart;
mod record;
mod summary;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use recrawl_distribution::{AgeLaw, Bootstrap, Grid, Method, Samples, Study};
use recrawl_estimate::{Confidence, Estimator, MaximumLikelihood};
use recrawl_model::{History, HistorySet, PageId, TimeUnit, days};

use crate::Answer;
use crate::args::{LogArgs, OutputArgs, UnitArgs, confidence, page, span};
use crate::output::{Output, Shape};
use crate::plot::PlotFile;
use record::{Answered, StalenessRecord};

/// Resampled paths behind the intervals where nobody says how many.
const REPLICATES: usize = 200;
/// Visits times paths that are affordable: some seconds of work.
const AFFORDABLE: usize = REPLICATES * 20_000;
/// Fewer paths than this make no interval.
const LEAST_REPLICATES: usize = 20;

const AFTER_HELP: &str = "\
Methods (G is the distribution of the page's age, F that of its lifetimes):
  auto   npmle
  npmle  maximum likelihood under a falling density; any visits; uses dates
  m1     ages at the last visit before each change; dates; neither G nor F
  m2     ages at all visits; dates; G
  m3     lengths between seen changes; constant visits; neither G nor F
  m4     ages in whole visit intervals; constant visits; G
  m5     m4 from complete runs alone; constant visits; G
  gm4    m4 stretched to any visits; neither G nor F
  m6     share of pairs of visits with a change between; any visits; G

Examples:
  recrawl distribution visits.csv --page https://example.org/
  recrawl distribution visits.csv --page a --per hour --plot tails.svg
  recrawl distribution visits.csv --page a --target-staleness 0.05
  recrawl distribution visits.csv --page a --visit-interval 6h --format json
  recrawl distribution visits.csv --page a --method m6 --bin 0.05 --max 10";

/// How long versions of a page live: the whole distribution, not only a rate.
///
/// Reads observation logs (columns page, time, changed; also last_modified)
/// and prints, for one page, the distribution of its age at a random moment
/// (age_cdf) and of the time between its updates (update_cdf), with intervals,
/// fitted laws, and what they mean for the staleness of a copy.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP, after_help = "See --help for the methods and examples.")]
pub(crate) struct DistributionArgs {
    #[command(flatten)]
    logs: LogArgs,

    /// The page [default: the only one in the log]
    #[arg(long, value_name = "PAGE")]
    page: Option<String>,

    /// How to find the distribution: m1 to m6, gm4, npmle or auto
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    method: Method,

    /// Length between points, in units of --per [default: by the data]
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    bin: Option<f64>,

    /// Largest point, in units of --per [default: by the data]
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    max: Option<f64>,

    /// Add the longest visit interval that keeps the copy stale at most this
    /// share of the time
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    target_staleness: Option<f64>,

    /// Add how stale a copy is that is renewed every SPAN, as in 6h or 2d
    #[arg(long, value_name = "SPAN", value_parser = span, allow_hyphen_values = true)]
    visit_interval: Option<Duration>,

    /// Probability with which intervals hold the truth
    #[arg(long, default_value = "0.95", value_parser = confidence, allow_hyphen_values = true)]
    confidence: Confidence,

    /// Resampled paths behind the intervals, 0 for none [default: 200, fewer
    /// beyond 20,000 visits, none beyond 200,000]
    #[arg(long, value_name = "COUNT")]
    replicates: Option<usize>,

    /// Where random numbers start: the same seed gives the same answer
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Draw the tails with their intervals, as .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    unit: UnitArgs,

    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(args: &DistributionArgs) -> anyhow::Result<Answer> {
    args.check()?;
    let plot = args.plot.as_deref().map(PlotFile::new).transpose()?;
    let mut output = Output::open(&args.output)?;
    let set = args.logs.read()?;
    let page = args.page(&set)?;
    let unit = args.unit.unit;
    let samples = Samples::from_history(set.history(page), unit)?;
    let grid = Grid::for_samples(&samples, args.bin, args.max)?;
    let study = Study::new(args.method, &samples, &grid, args.bootstrap(&samples))?;
    let staleness = args.staleness(set.history(page), &study);
    let answered = Answered {
        page: set.name(page),
        site: set.site(page),
        unit,
        confidence: args.confidence.level(),
        samples: &samples,
        study: &study,
        staleness,
    };
    if let Some(plot) = plot {
        plot.write(&chart::tails(&answered, &grid))?;
    }
    if output.shape().is_nested() {
        output.document(&answered.record())?;
        return Ok(Answer::Done);
    }
    if output.shape() == Shape::Table {
        output.text(&summary::text(&answered))?;
    }
    for warning in &study.distribution.warnings {
        // If stderr is closed there is nobody to warn.
        let _ = writeln!(io::stderr(), "warning: {warning}");
    }
    let mut writer = output.records(record::columns())?;
    writer.write(&answered.points())?;
    writer.finish()?;
    Ok(Answer::Done)
}

impl DistributionArgs {
    /// Refuses what cannot be answered, before anything is read.
    fn check(&self) -> anyhow::Result<()> {
        if let Some(target) = self.target_staleness
            && !(target > 0.0 && target < 1.0)
        {
            bail!("--target-staleness {target} is no share of time: it must lie between 0 and 1");
        }
        if let Some(bin) = self.bin {
            // A max nobody gave is chosen to suit the bin.
            Grid::new(bin, self.max.unwrap_or(bin), self.unit.unit)?;
        } else if let Some(max) = self.max
            && !(max > 0.0 && max.is_finite())
        {
            bail!("--max {max} is no length: it must be finite and above zero");
        }
        Ok(())
    }

    /// The page asked for, or the only one there is.
    fn page(&self, set: &HistorySet) -> anyhow::Result<PageId> {
        if let Some(name) = &self.page {
            return page(set, name);
        }
        let mut pages = set.pages();
        match (pages.next(), pages.len()) {
            (Some(only), 0) => Ok(only),
            (None, _) => bail!("the log holds no page"),
            (Some(first), more) => bail!(
                "the log holds {} pages; name one with --page, as in --page '{}'",
                more + 1,
                set.name(first)
            ),
        }
    }

    fn bootstrap(&self, samples: &Samples) -> Bootstrap {
        let affordable = AFFORDABLE / samples.visits();
        let usual = match affordable.min(REPLICATES) {
            few if few < LEAST_REPLICATES => 0,
            enough => enough,
        };
        Bootstrap {
            replicates: self.replicates.unwrap_or(usual),
            confidence: self.confidence.level(),
            seed: self.seed,
        }
    }

    /// Staleness under the law found and under Poisson updates of the rate
    /// that maximum likelihood gives, as `recrawl estimate --method mle` does.
    fn staleness(&self, history: History<'_>, study: &Study) -> Option<StalenessRecord> {
        if self.visit_interval.is_none() && self.target_staleness.is_none() {
            return None;
        }
        let unit: TimeUnit = self.unit.unit;
        let rate = MaximumLikelihood::new(self.confidence)
            .estimate(history)
            .rate
            .map(|rate| rate.in_unit(unit));
        Some(StalenessRecord::new(
            study.distribution.law.as_ref(),
            rate.map(AgeLaw::exponential).as_ref(),
            self.visit_interval.map(|span| days(span) / unit.days()),
            self.target_staleness,
        ))
    }
}
