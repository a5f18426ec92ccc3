//! `recrawl demo`: the whole system on this machine.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::Args;
use recrawl_demo::{Demo, DemoSettings, Standing, Summary};
use recrawl_policy::DEFAULT_POLICY;
use recrawl_serve::{Board, Mode, Running};
use recrawl_store::{DirectoryStore, OpenMode, Tapped};
use recrawl_watch::commands;
use tokio_util::sync::CancellationToken;

use super::watch::{block_on, stop_on_ctrl_c};
use crate::Answer;
use crate::args::{OutputFormat, span};
use crate::serving::AccessArgs;

/// Watch a synthetic web on this machine, where the truth is known.
///
/// Serves 300 pages on a dozen sites on loopback, which change by known laws, a
/// second being a day, and watches them over HTTP with 60 visits a day: by the
/// default policy and, on a twin, by round robin.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  recrawl demo                      (until Ctrl-C)
  recrawl demo --for 60s
  recrawl demo --for 60s --format json
")]
pub(crate) struct DemoArgs {
    /// End by itself after this time
    #[arg(long = "for", value_name = "SPAN", value_parser = span)]
    length: Option<Duration>,

    /// Where the dashboard is served, HOST:PORT or :PORT; port 0 takes a free
    /// one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0")]
    serve: String,

    #[command(flatten)]
    access: AccessArgs,

    /// Seed of the synthetic web and of policies that draw
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How to write the summary
    #[arg(long, value_enum, default_value = "table")]
    format: OutputFormat,
}

pub(crate) fn run(args: &DemoArgs) -> anyhow::Result<Answer> {
    let directory = tempfile::tempdir()?;
    let bound =
        args.access
            .at(&args.serve)
            .bind(Mode::Watch, DEFAULT_POLICY, Some(directory.path()))?;
    let store = DirectoryStore::open(directory.path(), OpenMode::CreateIfMissing)?;
    let board = Board::open(&store)?;
    let store = Tapped::new(store, board.listener());
    let settings = DemoSettings {
        seed: args.seed,
        length: args.length,
    };
    let stop = CancellationToken::new();
    let mut screen = Screen::new(args.format);
    let demo = Demo::new(settings);
    let (commander, commands) = commands();
    let running = bound.serve(board, commander, demo.clock())?;
    Screen::begin(&running)?;
    let summary = block_on(stop_on_ctrl_c(&stop, async {
        let mut tell = |standing: &Standing<'_>| screen.show(standing);
        demo.run(store, commands, &stop, &mut tell).await
    }))??;
    running.stop();
    screen.end(&summary)?;
    Ok(Answer::Done)
}

/// Lines of the live table.
struct Screen {
    format: OutputFormat,
    live: bool,
    drawn: usize,
    last: String,
}

impl Screen {
    fn new(format: OutputFormat) -> Self {
        let live = format == OutputFormat::Table && io::stdout().is_terminal();
        Self {
            format,
            live,
            drawn: 0,
            last: String::new(),
        }
    }

    fn begin(running: &Running) -> io::Result<()> {
        let mut talk = io::stderr();
        writeln!(
            talk,
            "a synthetic web on loopback: 300 pages on 12 sites, a second is a day, 60 visits a day"
        )?;
        writeln!(talk, "dashboard: http://{}/", running.address())
    }

    /// Draws the table over the one before.
    fn show(&mut self, standing: &Standing<'_>) {
        self.last = table(standing);
        if !self.live {
            return;
        }
        let mut out = io::stdout().lock();
        // A terminal that went away is noticed at the end.
        let _ = if self.drawn > 0 {
            write!(out, "\x1b[{}A\x1b[J{}", self.drawn, self.last)
        } else {
            write!(out, "{}", self.last)
        };
        let _ = out.flush();
        self.drawn = self.last.lines().count();
    }

    fn end(&self, summary: &Summary) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        match self.format {
            OutputFormat::Table => {
                if !self.live {
                    write!(out, "{}", self.last)?;
                }
                writeln!(out, "\n{}", in_words(summary))?;
            }
            OutputFormat::Json | OutputFormat::Ndjson => {
                serde_json::to_writer(&mut out, summary)?;
                writeln!(out)?;
            }
            OutputFormat::Csv => {
                let mut writer = csv::Writer::from_writer(&mut out);
                writer.serialize(summary)?;
                writer.flush()?;
            }
        }
        Ok(())
    }
}

/// True against estimated rates by site, and what was caught.
fn table(standing: &Standing<'_>) -> String {
    let mut text = format!(
        "\nday {:.0}   changes caught a visit: bayes {:.3}, round robin {:.3}\n\n{:<10} {:>11} {:>11} {:>7} {:>7} {:>7} {:>7}  {}\n",
        standing.day,
        standing.ours.change_ratio(),
        standing.round_robin.change_ratio(),
        "site",
        "true rate",
        "estimated",
        "visits",
        "caught",
        "twin's",
        "caught",
        "what it does",
    );
    let rows = standing.world.sites().iter().enumerate().map(|(number, site)| {
        let pages = site.pages.len() as f64;
        let truth: f64 = site
            .pages
            .clone()
            .map(|page| standing.world.rate(page))
            .sum();
        let rates = standing.ours.rates(site.pages.clone());
        let known: Vec<f64> = rates.into_iter().flatten().collect();
        let estimate = known.iter().sum::<f64>() / known.len().max(1) as f64;
        let estimate = if known.is_empty() {
            "-".to_owned()
        } else {
            format!("{estimate:.3}/d")
        };
        let (visits, caught) = standing.ours.site(number);
        let (twin_visits, twin_caught) = standing.round_robin.site(number);
        let name = site.host.split('.').next().unwrap_or(&site.host);
        format!(
            "{name:<10} {:>9.3}/d {estimate:>11} {visits:>7} {caught:>7} {twin_visits:>7} {twin_caught:>7}  {}\n",
            truth / pages,
            site.about,
        )
    });
    text.extend(rows);
    text
}

fn in_words(summary: &Summary) -> String {
    let better = summary.change_ratio / summary.round_robin_change_ratio;
    let error = summary.median_rate_error;
    format!(
        "{} of {} changes caught with {} of {} visits: {:.3} a visit, round robin {:.3} ({:.1} times); median error of the rates {}",
        summary.changes_caught,
        summary.changes_true,
        summary.visits,
        summary.budget,
        summary.change_ratio,
        summary.round_robin_change_ratio,
        better,
        error.map_or_else(
            || "unknown".to_owned(),
            |error| format!("{:.0} %", error * 100.0)
        ),
    )
}
