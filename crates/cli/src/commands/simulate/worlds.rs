//! Which world is simulated.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use recrawl_histories::{Files, Grouping};
use recrawl_model::Timestamp;
use recrawl_simulate::{
    Membership, NAMED_WORLDS, NamedWorld, Purpose, RecordedWorld, RepeatingWorld, SyntheticWorld,
    Window, World, WorldSpec, run_seed,
};

use crate::args::moment;

/// The world of the command line: histories, a recipe or a name.
#[derive(Debug, Args)]
pub(super) struct WorldArgs {
    /// Pages of an update history: page_id, site, path, born, died
    #[arg(long, value_name = "FILE", requires = "updates")]
    pages: Option<PathBuf>,

    /// Updates of its pages: page_id, t
    #[arg(long, value_name = "FILE", requires = "pages")]
    updates: Option<PathBuf>,

    /// Where histories of sites stop: site, end
    #[arg(long, value_name = "FILE", requires = "pages")]
    sites: Option<PathBuf>,

    /// Start of the first cycle [default: so that the last ends with the histories]
    #[arg(long, value_name = "TIME", requires = "pages", value_parser = time)]
    from: Option<Timestamp>,

    /// Only pages that live through the whole window
    #[arg(long, requires = "pages")]
    alive_throughout: bool,

    /// Pages sampled together: site, directory, or a column of --pages
    #[arg(long, value_name = "BY", default_value = "site", requires = "pages")]
    group: String,

    /// A recipe for a synthetic world
    #[arg(long, value_name = "SPEC.toml", conflicts_with_all = ["pages", "world"])]
    synthetic: Option<PathBuf>,

    /// A world by name
    #[arg(long, value_name = "NAME", conflicts_with = "pages")]
    world: Option<String>,

    /// Repeat the first N cycles for ever (on histories, of pages alive in all of them)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
}

fn time(text: &str) -> Result<Timestamp, String> {
    moment(text).map_err(|error| format!("{error:#}"))
}

/// A world that is ready to be drawn for every run.
pub(super) struct WorldChoice {
    pub(super) name: String,
    pub(super) pages: usize,
    pub(super) sites: usize,
    pub(super) has_bytes: bool,
    /// The cycles of a world that happened.
    pub(super) window: Option<Window>,
    /// Downloads a cycle in the world's paper.
    pub(super) usual_budget: Option<u64>,
    pub(super) note: Option<String>,
    pub(super) worlds: Box<dyn Fn(u32) -> Box<dyn World> + Sync>,
}

impl WorldChoice {
    pub(super) fn open(
        args: &WorldArgs,
        cycle: Duration,
        cycles: u32,
        seed: u64,
    ) -> anyhow::Result<Self> {
        if let (Some(pages), Some(updates)) = (&args.pages, &args.updates) {
            let files = Files {
                pages: pages.clone(),
                updates: updates.clone(),
                sites: args.sites.clone(),
            };
            return Self::recorded(args, &files, cycle, cycles);
        }
        if let Some(path) = &args.synthetic {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let spec = WorldSpec::from_toml(&text)
                .with_context(|| format!("{} is no recipe", path.display()))?;
            return Self::synthetic(args, spec, file_name(path), None, cycle, seed);
        }
        let Some(name) = &args.world else {
            bail!("no world; name one with --world, --synthetic, or --pages and --updates");
        };
        let Some(named) = NamedWorld::find(name) else {
            let names = NAMED_WORLDS.map(|world| world.name).join(", ");
            bail!("no world is called `{name}`; choose one of {names}");
        };
        Self::synthetic(
            args,
            named.spec(),
            name.clone(),
            Some(named.budget),
            cycle,
            seed,
        )
    }

    fn synthetic(
        args: &WorldArgs,
        spec: WorldSpec,
        name: String,
        usual_budget: Option<u64>,
        cycle: Duration,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let repeat = args.repeat;
        let first = SyntheticWorld::new(&spec, cycle, run_seed(seed, 0, Purpose::World))?;
        let population = first.population();
        Ok(Self {
            name,
            pages: population.len(),
            sites: population.sites(),
            has_bytes: population.has_bytes(),
            window: None,
            usual_budget,
            note: None,
            worlds: Box::new(move |run| {
                let seed = run_seed(seed, run, Purpose::World);
                let drawn = match run {
                    0 => None, // drawn above, where the recipe was checked
                    _ => SyntheticWorld::new(&spec, cycle, seed).ok(),
                };
                repeated(drawn.unwrap_or_else(|| first.clone()), repeat)
            }),
        })
    }

    fn recorded(
        args: &WorldArgs,
        files: &Files,
        cycle: Duration,
        cycles: u32,
    ) -> anyhow::Result<Self> {
        let grouping = match args.group.as_str() {
            "site" => Grouping::Site,
            "directory" => Grouping::Directory,
            column => Grouping::Column(column.to_owned()),
        };
        let histories = recrawl_histories::read(files, &grouping)?;
        let window = histories.window(args.from, cycle, args.repeat.unwrap_or(cycles))?;
        let membership = if args.alive_throughout || args.repeat.is_some() {
            Membership::AliveThroughout
        } else {
            Membership::Everyone
        };
        let world = RecordedWorld::new(&histories, window, membership)?;
        let population = world.population();
        let last = histories.span().map(|(_, last)| last);
        let note = last.filter(|&last| window.end() > last).map(|last| {
            format!(
                "the histories end at {last}, before the window does: nothing changes after that"
            )
        });
        let repeat = args.repeat;
        Ok(Self {
            name: file_name(&files.pages),
            pages: population.len(),
            sites: population.sites(),
            has_bytes: population.has_bytes(),
            window: Some(window),
            usual_budget: None,
            note,
            worlds: Box::new(move |_| repeated(world.clone(), repeat)),
        })
    }
}

fn repeated(mut world: impl World + 'static, repeat: Option<u32>) -> Box<dyn World> {
    match repeat {
        Some(cycles) => Box::new(RepeatingWorld::record(&mut world, cycles)),
        None => Box::new(world),
    }
}

fn file_name(path: &Path) -> String {
    path.display().to_string()
}
