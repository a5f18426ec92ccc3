//! `recrawl estimate`: change rates per page or per site.

mod record;

use clap::{Args, ValueEnum};
use recrawl_estimate::{
    Advisor, Confidence, Drift, Estimator, GammaFilter, Method, Settings, Variant,
};
use recrawl_model::{History, HistorySet, PageId, TimeUnit, days};
use std::time::Duration;

use crate::Answer;
use crate::args::{
    LogArgs, NamedSpan, OutputArgs, PlacementArg, UnitArgs, confidence, named_span, span,
};
use crate::output::Output;
use crate::progress::counting_bar;
use record::{EstimateRecord, Extras};

const AFTER_HELP: &str = "\
Methods:
  auto           the best the data allow; the note says which and why
  naive          changes seen over time watched; too low where visits hide changes
  cho            Cho & Garcia-Molina, corrected for hidden changes, any visits
  matloff        -ln(1 - share changed), regular visits only
  mle            maximum likelihood on any visits
  last-modified  from the dates the source tells
  category       the likeliest of a few classes (--categories)
  gamma          posterior mean under a prior (--prior), forgetting (--half-life)
  weibull        a rate that rises or falls as a power of time, at the last update
  duane          the same by Duane's plot

Examples:
  recrawl estimate visits.csv
  recrawl estimate visits.parquet --method cho --method mle --format json
  recrawl estimate visits.csv --by site --per week
  recrawl estimate visits.csv --advise --relative-error 0.2
  recrawl estimate visits.csv --drift --method gamma --half-life 30d
  zcat visits.csv.gz | recrawl estimate - --output rates.parquet";

/// Change rates of pages, from the little that visits reveal.
///
/// Reads observation logs (columns page, time, changed; also last_modified,
/// site, weight) and prints the rate of change of each page with an interval
/// that holds it with the confidence asked for.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP, after_help = "See --help for the methods and examples.")]
pub(crate) struct EstimateArgs {
    #[command(flatten)]
    logs: LogArgs,

    /// How to estimate; may be given several times
    #[arg(long = "method", value_name = "METHOD", default_value = "auto")]
    methods: Vec<Method>,

    /// Probability with which the interval holds the rate
    #[arg(long, default_value = "0.95", value_parser = confidence, allow_hyphen_values = true)]
    confidence: Confidence,

    /// One estimate for each page, or one for all pages of a site together
    #[arg(long, value_enum, default_value = "page")]
    by: By,

    /// Add the visit interval that would estimate the rate best, and the visits it takes
    #[arg(long)]
    advise: bool,

    /// Relative error that --advise aims at
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "0.1",
        allow_hyphen_values = true
    )]
    relative_error: f64,

    /// Add a test whether the rate has changed over the history, and since when
    #[arg(long)]
    drift: bool,

    /// A form of a method: raw (last-modified), hat, tilde, check, bar (weibull),
    /// cumulative, instantaneous, two-point (duane)
    #[arg(long = "variant", value_name = "NAME")]
    variants: Vec<Variant>,

    /// Where an update without a date is placed in its interval
    #[arg(long, value_enum, default_value = "middle")]
    update_points: PlacementArg,

    /// Classes of `category` by mean time between changes
    #[arg(long, value_name = "SPAN,…", value_delimiter = ',', value_parser = named_span,
          default_value = "1d,7d,30d,365d", allow_hyphen_values = true)]
    categories: Vec<NamedSpan>,

    /// Prior weight of each class of `category` [default: all alike]
    #[arg(
        long,
        value_name = "WEIGHT,…",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    category_prior: Option<Vec<f64>>,

    /// Prior of `gamma`: its shape, and its weight in units of --per or as a
    /// span [default: 0.5 and half the page's mean interval]
    #[arg(long, value_name = "SHAPE,WEIGHT", allow_hyphen_values = true)]
    prior: Option<String>,

    /// Time in which `gamma` forgets half of what it learned [default: never]
    #[arg(long, value_name = "SPAN", value_parser = span, allow_hyphen_values = true)]
    half_life: Option<Duration>,

    #[command(flatten)]
    unit: UnitArgs,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    Page,
    Site,
}

pub(crate) fn run(args: &EstimateArgs) -> anyhow::Result<Answer> {
    let settings = args.settings()?;
    let methods = args
        .methods
        .iter()
        .map(|method| Ok(method.build(&settings)?))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let job = Job {
        methods,
        advisor: args
            .advise
            .then(|| Advisor::new(args.relative_error))
            .transpose()?,
        drift: args.drift,
        confidence: args.confidence,
        unit: args.unit.unit,
        categories: args
            .categories
            .iter()
            .map(|class| class.text.clone())
            .collect(),
    };
    let output = Output::open(&args.output)?;
    let set = args.logs.read()?;
    let extras = Extras {
        pooled: args.by == By::Site,
        advise: args.advise,
        drift: args.drift,
        category: args.methods.contains(&Method::Category),
        power_law: args
            .methods
            .iter()
            .any(|m| matches!(m, Method::Weibull | Method::Duane)),
    };
    let mut writer = output.records(record::columns(extras))?;
    let subjects = subjects(&set, args.by);
    let bar = counting_bar("estimating", subjects.len());
    writer.write_made(
        &subjects,
        |subject, records| job.estimate(&set, subject, records),
        |count| bar.inc(count as u64),
    )?;
    bar.finish_and_clear();
    writer.finish()?;
    Ok(Answer::Done)
}

/// What one row is about: a page, or a site with all its pages.
#[derive(Debug)]
pub(super) enum Subject<'a> {
    Page(PageId),
    Site(&'a str, Vec<PageId>),
}

fn subjects(set: &HistorySet, by: By) -> Vec<Subject<'_>> {
    match by {
        By::Page => set.pages().map(Subject::Page).collect(),
        By::Site => set
            .sites()
            .into_iter()
            .map(|(site, pages)| Subject::Site(site, pages))
            .collect(),
    }
}

/// Everything an estimate needs but the data.
struct Job {
    methods: Vec<Box<dyn Estimator>>,
    advisor: Option<Advisor>,
    drift: bool,
    confidence: Confidence,
    unit: TimeUnit,
    categories: Vec<String>,
}

impl Job {
    /// Adds one record for each method.
    fn estimate<'a>(
        &self,
        set: &'a HistorySet,
        subject: &Subject<'a>,
        records: &mut Vec<EstimateRecord<'a>>,
    ) {
        let (single, pooled);
        let histories: &[History<'_>] = match subject {
            Subject::Page(page) => {
                single = [set.history(*page)];
                &single
            }
            Subject::Site(_, pages) => {
                pooled = pages
                    .iter()
                    .map(|&page| set.history(page))
                    .collect::<Vec<_>>();
                &pooled
            }
        };
        // A drift is one page's; pooled pages have their own each.
        let drift = match histories {
            [history] if self.drift => Drift::test(*history),
            _ => None,
        };
        records.extend(self.methods.iter().map(|method| {
            let estimate = method.estimate_pooled(histories);
            let mut record =
                EstimateRecord::new(set, subject, estimate, self.unit, &self.categories);
            if self.drift {
                record.add_drift(drift, self.confidence);
            }
            if let Some(advisor) = &self.advisor {
                record.add_advice(advisor, drift, self.confidence);
            }
            record
        }));
    }
}

impl EstimateArgs {
    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = Settings {
            confidence: self.confidence,
            placement: self.update_points.into(),
            categories: self.categories.iter().map(|class| class.span).collect(),
            category_prior: self.category_prior.clone(),
            prior: self
                .prior
                .as_deref()
                .map(|text| self.prior(text))
                .transpose()?,
            half_life: self.half_life,
            ..Settings::default()
        };
        for variant in &self.variants {
            let method = variant.method();
            if !self.methods.contains(&method) {
                anyhow::bail!(
                    "--variant names a form of {method}, which --method does not ask for"
                );
            }
            variant.apply(&mut settings);
        }
        Ok(settings)
    }

    /// Reads `SHAPE,WEIGHT`, the weight a number of --per units or a span.
    fn prior(&self, text: &str) -> anyhow::Result<GammaFilter> {
        let parsed = text.split_once(',').and_then(|(shape, weight)| {
            let number = weight
                .parse()
                .map(|units: f64| units * self.unit.unit.days());
            let weight = number.ok().or_else(|| Some(days(span(weight).ok()?)))?;
            Some((shape.parse().ok()?, weight))
        });
        let Some((shape, weight)) = parsed else {
            anyhow::bail!("--prior `{text}` is not SHAPE,WEIGHT, as in 0.5,3 or 0.5,12h");
        };
        Ok(GammaFilter::new(shape, weight)?)
    }
}
