//! `recrawl watch`: the live watcher.

mod lines;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, ValueEnum};
use recrawl_detect::Level;
use recrawl_serve::{Board, Mode, Running};
use recrawl_store::{DirectoryStore, OpenMode, Record, Tapped};
use recrawl_watch::{Config, Count, SystemClock, Totals, Watcher, commands};
use tokio_util::sync::CancellationToken;

use crate::Answer;
use crate::args::{DEFAULT_STORE, OutputFormat};
use crate::contest::{ObjectiveArg, policies_help};
use crate::serving::{AccessArgs, Place};
use lines::Lines;

/// The configuration file where nobody names one, if it is there.
const DEFAULT_CONFIG: &str = "recrawl.toml";

/// Visit pages under a budget, learn how often they change, and look where it
/// pays most.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  recrawl watch https://example.org/ https://example.org/prices --budget 50/d
  recrawl watch urls.txt --budget 2000/d
  recrawl watch urls.txt --cycle 7d --budget 10000 --policy greedy
  recrawl watch https://example.org/sitemap.xml --budget 500/d --site-cap 200
  recrawl watch urls.txt --budget 2000/d --serve :8417   (http://127.0.0.1:8417)
  recrawl watch --store recrawl-store        (goes on with what is in the store)

A file of URLs has one address a line; `#` starts a comment, `weight=3` after an
address makes it three times as important, `sitemap:` and `feed:` before one
name lists kept by others. Files are watched for edits: a page that is named no
longer is paused, and keeps its history.

One line a visit goes to standard output once it is safely in the store.
Ctrl-C ends the watch within two seconds, a second Ctrl-C at once; the next
`recrawl watch` goes on where this one stopped, budget included. robots.txt,
Crawl-delay and Retry-After are obeyed; requests for robots.txt, sitemaps and
feeds do not count as visits.

recrawl.toml (or --config FILE) takes every flag under its name:
  urls = [\"urls.txt\"]
  budget = \"2000/d\"
  host-gap = \"10s\"
  exclude = [\".advert\"]
")]
pub(crate) struct WatchArgs {
    /// Addresses, files of addresses, sitemap:ADDRESS or feed:ADDRESS
    #[arg(value_name = "URLS")]
    urls: Vec<String>,

    /// Directory of the store [default: recrawl-store]
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,

    /// Visits a period, as 2000/d, spread evenly; or, with --cycle, visits a
    /// cycle [default: 1000/d]
    #[arg(long, value_name = "N/PERIOD")]
    budget: Option<String>,

    /// Length of a cycle, whose visits are made as soon as politeness allows
    #[arg(long, value_name = "SPAN")]
    cycle: Option<String>,

    /// How pages are chosen [default: bayes]
    #[arg(long, value_name = "POLICY", long_help = policies_help("How pages are chosen [default: bayes]"))]
    policy: Option<String>,

    /// What visits are to achieve, for policies that take an objective
    #[arg(long, value_enum)]
    objective: Option<ObjectiveArg>,

    /// Least time between two visits of one host [default: 5s]
    #[arg(long, value_name = "SPAN")]
    host_gap: Option<String>,

    /// Visits of one host at a time [default: 1]
    #[arg(long, value_name = "N")]
    host_connections: Option<u32>,

    /// Visits of one registrable domain at a time [default: 4]
    #[arg(long, value_name = "N")]
    domain_connections: Option<u32>,

    /// Visits at a time over all hosts [default: 64]
    #[arg(long, value_name = "N")]
    connections: Option<usize>,

    /// Most visits of one site in a period of the budget
    #[arg(long, value_name = "N")]
    site_cap: Option<u64>,

    /// Visit private and loopback addresses too
    #[arg(long)]
    allow_private: bool,

    /// What has to differ for a page to have changed [default: text]
    #[arg(long, value_enum)]
    level: Option<LevelArg>,

    /// Only what this CSS selector matches counts (repeatable)
    #[arg(long, value_name = "CSS")]
    include: Vec<String>,

    /// What this CSS selector matches does not count (repeatable)
    #[arg(long, value_name = "CSS")]
    exclude: Vec<String>,

    /// Text this regular expression matches does not count (repeatable)
    #[arg(long, value_name = "REGEX")]
    ignore: Vec<String>,

    /// Versions kept of each page; two show its last change [default: 2]
    #[arg(long, value_name = "N")]
    keep: Option<usize>,

    /// Largest share of visits spent on second looks, which learn what differs
    /// by itself [default: 0.2]
    #[arg(long, value_name = "SHARE")]
    second_looks: Option<f64>,

    /// How long a visit may take [default: 30s]
    #[arg(long, value_name = "SPAN")]
    timeout: Option<String>,

    /// Most bytes of a body, decompressed [default: 10485760]
    #[arg(long, value_name = "BYTES")]
    most_body: Option<usize>,

    /// How the watcher names itself to servers
    #[arg(long, value_name = "TEXT")]
    user_agent: Option<String>,

    /// A mail address or page for those who want to complain
    #[arg(long, value_name = "TEXT")]
    contact: Option<String>,

    /// How often sitemaps and feeds are read again [default: 6h]
    #[arg(long, value_name = "SPAN")]
    sources_every: Option<String>,

    /// End by itself after this time
    #[arg(long = "for", value_name = "SPAN")]
    stop_after: Option<String>,

    /// End by itself after so many cycles
    #[arg(long, value_name = "N")]
    cycles: Option<u64>,

    /// Seed of policies that draw
    #[arg(long)]
    seed: Option<u64>,

    /// Configuration file [default: recrawl.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Serve the dashboard, the API and the metrics there, HOST:PORT or :PORT
    #[arg(long, value_name = "ADDR")]
    serve: Option<String>,

    #[command(flatten)]
    access: AccessArgs,

    /// How visits are told: table (lines for reading), ndjson (an object a
    /// line), csv, or json (one summary at the end)
    #[arg(long, value_enum, default_value = "table")]
    format: OutputFormat,
}

/// The levels of `--level`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum LevelArg {
    /// Any byte of the body
    Bytes,
    /// The text a reader sees
    Text,
    /// The main content, without menus, footers and boxes
    Main,
}

pub(crate) fn run(args: &WatchArgs) -> anyhow::Result<Answer> {
    let config = args.config()?;
    let settings = config.settings()?;
    let sources = config.sources()?;
    let path = config.store.clone();
    let path = path.unwrap_or_else(|| PathBuf::from(DEFAULT_STORE));
    let mode = if sources.is_empty() {
        OpenMode::Existing
    } else {
        OpenMode::CreateIfMissing
    };
    Watcher::<DirectoryStore>::check(&settings, &sources)?; // before the store is touched
    let bound = place(&config).map(|place| place.bind(Mode::Watch, &settings.policy, Some(&path)));
    let bound = bound.transpose()?;
    let store = DirectoryStore::open(&path, mode)?;
    let board = bound.as_ref().map(|_| Board::open(&store)).transpose()?;
    let mut listener = board.as_ref().map(Board::listener);
    let store = Tapped::new(store, move |records: &[Record]| {
        if let Some(listener) = &mut listener {
            listener(records);
        }
    });
    let clock = Arc::new(SystemClock);
    let mut watcher = Watcher::open(settings, clock.clone(), store, &sources)?;
    let running = bound
        .zip(board)
        .map(|(bound, board)| -> anyhow::Result<Running> {
            let (commander, commands) = commands();
            watcher.listen(commands);
            let running = bound.serve(board, commander, clock)?;
            writeln!(std::io::stderr(), "serving http://{}/", running.address())?;
            Ok(running)
        });
    let running = running.transpose()?;
    let mut lines = Lines::new(args.format, std::io::stdout().is_terminal());
    let stop = CancellationToken::new();
    let totals = block_on(stop_on_ctrl_c(&stop, async {
        watcher
            .run(&stop, &mut |event| lines.tell(event, &stop))
            .await
    }))??;
    if let Some(running) = running {
        running.stop();
    }
    lines.end(&totals)?;
    Ok(Answer::Done)
}

/// Where the watch is served, if it is.
fn place(config: &Config) -> Option<Place> {
    Some(Place {
        address: config.serve.clone()?,
        token_file: config.token_file.clone(),
        allow_anyone: config.allow_anyone.unwrap_or(false),
        hosts: config.host.clone().unwrap_or_default(),
    })
}

impl WatchArgs {
    /// Flags over the file.
    fn config(&self) -> anyhow::Result<Config> {
        let file = match &self.config {
            Some(path) => Config::read(path)?,
            None if Path::new(DEFAULT_CONFIG).is_file() => Config::read(Path::new(DEFAULT_CONFIG))?,
            None => Config::default(),
        };
        Ok(self.flags().or(file))
    }

    fn flags(&self) -> Config {
        let list = |texts: &Vec<String>| (!texts.is_empty()).then(|| texts.clone());
        Config {
            urls: list(&self.urls),
            store: self.store.clone(),
            budget: self.budget.clone().map(Count::Text),
            cycle: self.cycle.clone(),
            policy: self.policy.clone(),
            objective: self.objective.map(|objective| objective.name().to_owned()),
            seed: self.seed,
            host_gap: self.host_gap.clone(),
            host_connections: self.host_connections,
            domain_connections: self.domain_connections,
            connections: self.connections,
            site_cap: self.site_cap,
            allow_private: self.allow_private.then_some(true),
            level: self.level.map(Level::from),
            include: list(&self.include),
            exclude: list(&self.exclude),
            ignore: list(&self.ignore),
            keep: self.keep,
            second_looks: self.second_looks,
            timeout: self.timeout.clone(),
            most_body: self.most_body,
            user_agent: self.user_agent.clone(),
            contact: self.contact.clone(),
            sources_every: self.sources_every.clone(),
            stop_after: self.stop_after.clone(),
            cycles: self.cycles,
            serve: self.serve.clone(),
            token_file: self.access.token_file.clone(),
            allow_anyone: self.access.allow_anyone.then_some(true),
            host: list(&self.access.host),
        }
    }
}

impl From<LevelArg> for Level {
    fn from(level: LevelArg) -> Self {
        match level {
            LevelArg::Bytes => Self::Bytes,
            LevelArg::Text => Self::Text,
            LevelArg::Main => Self::Main,
        }
    }
}

/// Runs on one thread: the watcher is one task.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    Ok(runtime.block_on(work))
}

/// The first Ctrl-C (or SIGTERM) asks to stop, the second ends the process.
pub(crate) async fn stop_on_ctrl_c<T>(
    stop: &CancellationToken,
    work: impl Future<Output = T>,
) -> T {
    let watch = async {
        let asked = signalled().await;
        stop.cancel();
        if asked {
            signalled().await;
        }
        std::process::exit(130);
    };
    tokio::select! {
        done = work => done,
        () = watch => std::process::exit(130),
    }
}

/// Waits for Ctrl-C or SIGTERM.
async fn signalled() -> bool {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                pressed = tokio::signal::ctrl_c() => return pressed.is_ok(),
                _ = terminate.recv() => return true,
            }
        }
    }
    tokio::signal::ctrl_c().await.is_ok()
}

/// A summary in one line.
pub(crate) fn in_words(totals: &Totals) -> String {
    format!(
        "{} visits in {} cycles: {} first, {} changed, {} unchanged, {} unknown",
        totals.visits,
        totals.cycles,
        totals.first,
        totals.changed,
        totals.unchanged,
        totals.unknown
    )
}
