//! The demo at work: [`Demo`].

use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use recrawl_fetch::Fetcher;
use recrawl_model::{Timestamp, Weight};
use recrawl_store::{MemoryStore, Store, Versions};
use recrawl_watch::{
    Allowance, Clock, Commands, Event, FastClock, Settings, Sources, SystemClock, WatchError,
    Watcher,
};
use serde::Serialize;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use crate::server::Server;
use crate::tally::Tally;
use crate::world::World;

/// How many days pass in a second.
const DAYS_A_SECOND: f64 = 1.0;

/// Visits a day: a fifth of the pages, so that choosing matters.
const VISITS_A_DAY: u64 = 60;

/// How often whoever looks on is told.
const TELL_EVERY: Duration = Duration::from_millis(500);

/// What the demo is to do.
#[derive(Debug, Clone, Copy)]
pub struct DemoSettings {
    /// Seed of the world and of the policies.
    pub seed: u64,
    /// How long it runs; until stopped if nobody says.
    pub length: Option<Duration>,
}

/// Why the demo ended early.
#[derive(Debug, Error)]
pub enum DemoError {
    /// No server on loopback.
    #[error("cannot serve the demo's pages on this machine: {0}")]
    Server(#[from] std::io::Error),
    /// The watcher.
    #[error(transparent)]
    Watch(#[from] WatchError),
    /// An address of the demo that does not parse.
    #[error("the demo's address {0} is none")]
    Address(String),
}

/// How the demo stands.
#[derive(Debug)]
pub struct Standing<'a> {
    /// The truth.
    pub world: &'a World,
    /// Days since it began.
    pub day: f64,
    /// What the watcher under test caught.
    pub ours: &'a Tally,
    /// What round robin caught on the same pages with the same budget.
    pub round_robin: &'a Tally,
}

/// What the demo came to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// Pages watched.
    pub pages: usize,
    /// Visits made.
    pub visits: u64,
    /// Visits allowed in the whole run.
    pub budget: u64,
    /// Changes that happened.
    pub changes_true: u64,
    /// Changes that visits saw.
    pub changes_caught: u64,
    /// Changes caught a visit.
    pub change_ratio: f64,
    /// The same for round robin on the same pages with the same budget.
    pub round_robin_change_ratio: f64,
    /// Median over pages of how far the estimated rate is from the true one,
    /// as a share of it; `null` if no page has an estimate.
    pub median_rate_error: Option<f64>,
}

/// A synthetic web and its time, before anybody watches it.
pub struct Demo {
    settings: DemoSettings,
    world: Arc<World>,
    began: Timestamp,
    clock: Arc<dyn Clock>,
}

impl Demo {
    /// Draws the web; its time runs from now on.
    #[must_use]
    pub fn new(settings: DemoSettings) -> Self {
        let began = SystemClock.wall();
        Self {
            settings,
            world: Arc::new(World::new(settings.seed)),
            began,
            clock: Arc::new(FastClock::new(began, DAYS_A_SECOND * 86_400.0)),
        }
    }

    /// The clock everybody in it goes by.
    #[must_use]
    pub fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    /// Serves the web, watches it over HTTP with the default policy and with
    /// round robin side by side, and tells `tell` how they stand. Whoever sends
    /// `commands` speaks to the first of the two.
    ///
    /// # Errors
    /// [`DemoError`] if the server or a watcher cannot start or go on.
    pub async fn run<S: Store + Versions>(
        self,
        store: S,
        commands: Commands,
        stop: &CancellationToken,
        tell: &mut dyn FnMut(&Standing<'_>),
    ) -> Result<Summary, DemoError> {
        let Self {
            settings,
            world,
            began,
            clock,
        } = self;
        let server = Server::start(Arc::clone(&world), Arc::clone(&clock), began).await?;
        let sources = addresses(&world, server.port())?;
        let watch = |policy: &str| watch_settings(settings, policy);
        let ours_settings = watch(recrawl_policy::DEFAULT_POLICY)?;
        let twin_settings = watch("round-robin")?;
        let fetch = &ours_settings.fetch;
        let (one, other) = (fetcher(fetch)?, fetcher(fetch)?);
        let mut ours = Watcher::open_with(ours_settings, Arc::clone(&clock), store, &sources, one)?;
        ours.listen(commands);
        let twin_store = MemoryStore::new();
        let mut twin = Watcher::open_with(
            twin_settings,
            Arc::clone(&clock),
            twin_store,
            &sources,
            other,
        )?;
        let ours_tally = RefCell::new(Tally::new(&world, began));
        let twin_tally = RefCell::new(Tally::new(&world, began));
        let budget = RefCell::new(0);
        {
            let mut see_ours = |event: Event<'_>| match event {
                Event::Visited(visited) => ours_tally.borrow_mut().count(&world, visited),
                Event::Cycle { .. } => *budget.borrow_mut() += VISITS_A_DAY,
                _ => {}
            };
            let mut see_twin = |event: Event<'_>| {
                if let Event::Visited(visited) = event {
                    twin_tally.borrow_mut().count(&world, visited);
                }
            };
            let ended = CancellationToken::new();
            let watching = async {
                let both = tokio::try_join!(
                    Box::pin(ours.run(stop, &mut see_ours)),
                    Box::pin(twin.run(stop, &mut see_twin))
                );
                ended.cancel();
                both
            };
            let telling = async {
                while !ended.is_cancelled() {
                    tokio::select! {
                        () = tokio::time::sleep(TELL_EVERY) => {}
                        () = ended.cancelled() => {}
                    }
                    tell(&Standing {
                        world: &world,
                        day: clock.wall().days_since(began),
                        ours: &ours_tally.borrow(),
                        round_robin: &twin_tally.borrow(),
                    });
                }
            };
            let (watched, ()) = tokio::join!(watching, telling);
            watched?;
        }
        drop(server);
        let day = clock.wall().days_since(began);
        Ok(summary(
            &world,
            day,
            &ours_tally.into_inner(),
            &twin_tally.into_inner(),
            budget.into_inner(),
        ))
    }
}

fn summary(world: &World, day: f64, ours: &Tally, twin: &Tally, budget: u64) -> Summary {
    Summary {
        pages: world.pages(),
        visits: ours.visits,
        budget,
        changes_true: world.changes_until(day),
        changes_caught: ours.caught,
        change_ratio: ours.change_ratio(),
        round_robin_change_ratio: twin.change_ratio(),
        median_rate_error: ours.median_rate_error(world),
    }
}

/// The addresses of all pages, in the order of their numbers.
fn addresses(world: &World, port: u16) -> Result<Sources, DemoError> {
    let mut sources = Sources::new();
    for site in world.sites() {
        for number in 0..site.pages.len() {
            let address = format!("http://{}:{port}/page/{number}", site.host);
            let url = url::Url::parse(&address).map_err(|_| DemoError::Address(address))?;
            sources.add_page(url, Weight::ONE);
        }
    }
    Ok(sources)
}

fn watch_settings(settings: DemoSettings, policy: &str) -> Result<Settings, DemoError> {
    let day = Duration::from_secs(86_400);
    let allowance = Allowance::at_once(VISITS_A_DAY, day).map_err(WatchError::from)?;
    let mut watch = Settings::new(allowance);
    policy.clone_into(&mut watch.policy);
    watch.seed = settings.seed;
    watch.manners.gap = Duration::ZERO;
    watch.connections = 16;
    watch.fetch.trusted = vec![IpAddr::V4(Ipv4Addr::LOCALHOST)];
    watch.stop_after = settings
        .length
        .map(|length| length.mul_f64(DAYS_A_SECOND * 86_400.0));
    Ok(watch)
}

/// Names of the demo live on this machine.
fn fetcher(settings: &recrawl_fetch::Settings) -> Result<Fetcher, DemoError> {
    let here = |_: &str| Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]);
    Ok(Fetcher::with_lookup(settings, Arc::new(here)).map_err(WatchError::from)?)
}
