//! What every answer is made from: [`App`].

use std::sync::Arc;

use recrawl_model::Timestamp;
use recrawl_watch::{Clock, Commander};

use crate::board::Shared;
use crate::cached::Cached;
use crate::insight::{Plan, Pulse, Snapshot};
use crate::job::Job;
use crate::leases::Leases;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::view::View;

/// Shared by all requests.
pub(crate) type App = Arc<State>;

pub(crate) struct State {
    pub(crate) settings: Settings,
    pub(crate) shared: Arc<Shared>,
    pub(crate) commander: Commander,
    clock: Arc<dyn Clock>,
    pulse: Cached<Pulse>,
    plan: Cached<std::sync::Mutex<Plan>>,
    pub(crate) overview: Cached<crate::api::Overview>,
    pub(crate) comparison: Job<crate::api::Made>,
    pub(crate) leases: Leases,
    /// One push of observations at a time.
    pub(crate) pushing: tokio::sync::Mutex<()>,
    /// One long computation that is not kept at a time.
    long_work: Arc<tokio::sync::Semaphore>,
}

impl State {
    pub(crate) fn new(
        settings: Settings,
        shared: Arc<Shared>,
        commander: Commander,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            settings,
            shared,
            commander,
            clock,
            pulse: Cached::default(),
            plan: Cached::default(),
            overview: Cached::default(),
            comparison: Job::default(),
            leases: Leases::default(),
            pushing: tokio::sync::Mutex::new(()),
            long_work: Arc::new(tokio::sync::Semaphore::new(1)),
        }
    }

    /// The time now, never before what the log says.
    pub(crate) fn now(&self) -> Timestamp {
        let last = self.shared.view().last_time;
        last.map_or(self.clock.wall(), |last| last.max(self.clock.wall()))
    }

    /// Asks the view something, on a thread that may wait for it.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        ask: impl FnOnce(&View) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let shared = Arc::clone(&self.shared);
        Ok(tokio::task::spawn_blocking(move || ask(&shared.view())).await?)
    }

    /// What can be expected of all copies now.
    pub(crate) async fn pulse(self: &Arc<Self>) -> Result<Arc<Pulse>, Problem> {
        let (shared, now) = (Arc::clone(&self.shared), self.now());
        let make = move || Ok::<_, Problem>(Pulse::take(|| shared.view(), now));
        self.pulse.get(make).await
    }

    /// The next visits.
    pub(crate) async fn plan(self: &Arc<Self>) -> Result<Arc<std::sync::Mutex<Plan>>, Problem> {
        let state = Arc::clone(self);
        let make = move || {
            let policy = state.settings.policy.clone();
            let plan = Plan::make(&state.snapshot(), &policy, state.now(), 0)?;
            Ok::<_, Problem>(std::sync::Mutex::new(plan))
        };
        self.plan.get(make).await
    }

    /// What the view says at this moment.
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot::take(&self.shared.view())
    }

    /// Does long work that nobody else asks for, one piece at a time.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = Arc::clone(&self.long_work).acquire_owned().await;
        let state = Arc::clone(self);
        let work = move || {
            let _turn = turn; // until it is done, also if who asked has gone
            work(&state)
        };
        tokio::task::spawn_blocking(work).await?
    }

    /// Waits until the view has heard what was asked of the store, as good as.
    pub(crate) async fn settled(&self) {
        self.shared.settled().await;
    }

    /// Forgets plans and overviews: something was changed by hand, and who did
    /// it wants to see it.
    pub(crate) fn changed(&self) {
        self.plan.changed();
        self.overview.changed();
        self.pulse.changed();
    }
}
