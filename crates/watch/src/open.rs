//! From a store to a watcher that goes on where the last one stopped.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use recrawl_detect::Detector;
use recrawl_engine::{CycleClock, Hosts, LiveClock, MOST_REPLAYED_CYCLES, Scheduler};
use recrawl_fetch::{Fetcher, Robots};
use recrawl_model::{Budget, Cost, Observation, PageId, Timestamp};
use recrawl_store::{CycleState, Record, Standing, Store, StoreError, Versions};

use crate::event::Totals;
use crate::reading::Reading;
use crate::site_numbers::SiteNumbers;
use crate::sources::{Named, Sources};
use crate::watcher::Cycle;
use crate::{Clock, Settings, WatchError, Watcher};

/// Name of the setting of a store that says, as JSON, what counts as a change:
/// [`recrawl_detect::Settings`].
pub const DETECT_SETTING: &str = "detect";

impl<S: Store + Versions> Watcher<S> {
    /// Whether settings and sources make sense, before any store is touched.
    ///
    /// # Errors
    /// [`WatchError`] names what does not.
    pub fn check(settings: &Settings, sources: &Sources) -> Result<(), WatchError> {
        recrawl_policy::parse(&settings.policy)?;
        Detector::new(&settings.detect)?;
        Fetcher::check(&settings.fetch)?;
        sources.check()
    }

    /// Opens a watcher over a store: learns all its log says, takes up the
    /// cycle that was running, and lets the pages named by `sources` join.
    ///
    /// # Errors
    /// [`WatchError`] for settings that make no sense, a store that cannot be
    /// read, or a source that does not exist. Nothing was visited.
    pub fn open(
        settings: Settings,
        clock: Arc<dyn Clock>,
        store: S,
        sources: &Sources,
    ) -> Result<Self, WatchError> {
        let fetcher = Fetcher::new(&settings.fetch)?;
        Self::open_with(settings, clock, store, sources, fetcher)
    }

    /// As [`Self::open`] with a fetcher of one's own.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(
        settings: Settings,
        clock: Arc<dyn Clock>,
        store: S,
        sources: &Sources,
        fetcher: Fetcher,
    ) -> Result<Self, WatchError> {
        let policy = recrawl_policy::parse(&settings.policy)?;
        let detector = Detector::new(&settings.detect)?;
        let robots = Arc::new(Robots::new(&settings.fetch.user_agent));
        let local = sources.read()?;
        let steady = clock.steady();
        let live = LiveClock::start(clock.wall(), store.resume().last_time, steady);
        let mut scheduler = Scheduler::new(policy.as_ref(), settings.seed);
        scheduler.visit_newcomers_first();
        let mut sites = SiteNumbers::default();
        let away = take_pages(&store, &mut scheduler, &mut sites)?;
        let running = running_cycle(&store, &settings, live.now(), steady);
        if let Some(cycle) = &running {
            scheduler.cap_sites(settings.cap_of(cycle.number));
        }
        let length = settings.allowance.cycle_length();
        replay(&store, &mut scheduler, running.as_ref(), length)?;
        for page in away {
            scheduler.remove_page(page);
        }
        let resume = store.resume();
        let next_cycle = resume.cycle.as_ref().map_or(0, |cycle| cycle.number + 1);
        let next_visit = resume.next_visit;
        let quiet_until = match resume.last_time {
            Some(last) => last.after(settings.manners.gap),
            None => live.now(),
        };
        let hosts = Hosts::new(settings.manners);
        let mut watcher = Self {
            named: Named::new(sources.clone(), &local, steady),
            settings,
            clock,
            live,
            store,
            scheduler,
            sites,
            hosts,
            fetcher,
            robots,
            detector,
            cycle: running,
            next_cycle,
            next_visit,
            asked: VecDeque::new(),
            is_filling: false,
            tasks: FuturesUnordered::new(),
            in_flight: 0,
            records: Vec::new(),
            settled: Vec::new(),
            departing: Vec::new(),
            joining: BTreeMap::new(),
            found: Vec::new(),
            quiet_until,
            commands: None,
            totals: Totals::default(),
        };
        watcher.interrupted();
        watcher.note_detection();
        watcher.join_local(&local)?;
        if watcher.scheduler.collection().live() == 0 && !watcher.named.has_remote() {
            return Err(WatchError::NothingToWatch);
        }
        Ok(watcher)
    }

    /// Writes down visits that were asked for and never seen: the process died
    /// in between. They cost what they cost and taught nothing.
    fn interrupted(&mut self) {
        let at = self.live.now();
        self.close_outstanding(at, "interrupted: the watcher ended before the answer");
    }

    /// Writes down what counts as a change from now on.
    fn note_detection(&mut self) {
        let value = serde_json::to_string(&self.settings.detect).unwrap_or_default();
        if self.store.resume().settings.get(DETECT_SETTING) != Some(&value) {
            let name = DETECT_SETTING.to_owned();
            self.records.push(Record::Setting { name, value });
        }
    }

    /// Writes down visits that are under way as stopped.
    pub(crate) fn stop_outstanding(&mut self, at: Timestamp) {
        self.in_flight = 0;
        self.close_outstanding(at, "stopped: the watcher was told to end");
    }

    fn close_outstanding(&mut self, at: Timestamp, reason: &str) {
        for open in self.store.resume().outstanding.clone() {
            let Reading { outcome, note, .. } = Reading::unknown(at, 0, reason);
            self.records.push(Record::Seen {
                visit: open.visit,
                page: open.page,
                at,
                outcome,
                last_modified: None,
                note: Some(note),
                held: None,
            });
            // Not in flight after a restart, and then nobody to tell.
            let _ = self
                .scheduler
                .observe(open.page, Observation::new(at, outcome));
        }
    }

    /// The store, for those who look while nobody watches.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.store
    }

    /// What is known of the pages.
    #[must_use]
    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Ends the watcher and gives the store back.
    #[must_use]
    pub fn into_store(self) -> S {
        self.store
    }
}

/// Gives every page of the store the same number in the scheduler; returns
/// those that are not to be visited.
fn take_pages<S: Store>(
    store: &S,
    scheduler: &mut Scheduler,
    sites: &mut SiteNumbers,
) -> Result<Vec<PageId>, StoreError> {
    let mut away = Vec::new();
    scheduler.reserve(store.resume().next_page as usize);
    store.glance(&mut |page, glance| {
        let site = sites.of(glance.site);
        let number = scheduler.add_page(site, glance.weight);
        debug_assert_eq!(number, page, "numbers are given in order by both");
        if matches!(glance.standing, Standing::Paused | Standing::Removed) {
            away.push(page);
        }
    })?;
    Ok(away)
}

/// The cycle that was running, if it is not over.
fn running_cycle<S: Store>(
    store: &S,
    settings: &Settings,
    now: Timestamp,
    steady: Duration,
) -> Option<Cycle> {
    let state = store.resume().cycle.as_ref()?;
    let allowance = &settings.allowance;
    // A budget lowered meanwhile holds at once; a raised one from the next
    // cycle on.
    let length = state.length.min(allowance.cycle_length());
    let total = Cost::downloads(allowance.visits_of(state.number));
    let clock = CycleClock::resume(length, state.at, now, steady);
    (!clock.is_over()).then(|| Cycle {
        number: state.number,
        clock,
        total: state.budget.min(total).max(state.spent),
        started: state.spent,
        exhausted: false,
    })
}

/// Visits that were made without a cycle (imported, or of cycles long past) and
/// are learned together: policies hold what a cycle shows until it is over.
const MOST_AT_ONCE: usize = 1 << 18;

/// A stretch of the log without the beginning of a cycle.
#[derive(Default)]
struct Stretch {
    visits: usize,
    began: Option<Timestamp>,
}

impl Stretch {
    fn begin(&mut self, at: Timestamp) {
        *self = Self {
            visits: 0,
            began: Some(at),
        };
    }

    /// Takes in a visit; says whether one cycle or more have passed in it and
    /// enough was seen to close them, and begins another if so.
    fn ends_with(&mut self, at: Timestamp, cycle: Duration) -> bool {
        self.visits += 1;
        let began = *self.began.get_or_insert(at);
        let is_over =
            self.visits >= MOST_AT_ONCE && at.days_since(began) * 86_400.0 >= cycle.as_secs_f64();
        if is_over {
            self.begin(at);
        }
        is_over
    }
}

/// Runs the log through the scheduler, whose cycles are of that `length`.
fn replay<S: Store>(
    store: &S,
    scheduler: &mut Scheduler,
    running: Option<&Cycle>,
    length: Duration,
) -> Result<(), WatchError> {
    let state = store.resume().cycle.as_ref();
    let last = state.map_or(0, |cycle| cycle.number);
    let mut stretch = Stretch::default();
    let mut refused = Ok(());
    store.replay(&mut |record| match *record {
        Record::Seen {
            page,
            at,
            outcome,
            last_modified,
            ..
        } => {
            let mut seen = Observation::new(at, outcome);
            seen.last_modified = last_modified;
            // Imported late: older than what is known, which stands.
            let _ = scheduler.record(page, seen);
            if refused.is_ok() && stretch.ends_with(at, length) {
                refused = scheduler.begin_cycle(Budget::downloads(0), at);
            }
        }
        Record::CycleBegun { number, at, .. } if refused.is_ok() => {
            let recent = last.saturating_sub(number) < u64::from(MOST_REPLAYED_CYCLES);
            if recent {
                stretch.begin(at);
            }
            refused = match (running, state) {
                (Some(cycle), Some(state)) if number == cycle.number => {
                    take_up(scheduler, cycle, state)
                }
                _ if recent => scheduler.begin_cycle(Budget::downloads(0), at),
                _ => Ok(()),
            };
        }
        _ => {}
    })?;
    Ok(refused?)
}

/// Takes up a cycle where it was.
fn take_up(
    scheduler: &mut Scheduler,
    cycle: &Cycle,
    state: &CycleState,
) -> Result<(), recrawl_engine::PolicyError> {
    let budget = Budget::of(cycle.total).already_spent(state.spent);
    scheduler.resume_cycle(budget, state.at, &state.visited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_ends_when_enough_was_seen_and_a_cycle_has_passed() {
        let hour = Duration::from_hours(1);
        let at = |seconds: i64| Timestamp::from_seconds(seconds);
        let mut stretch = Stretch::default();
        for visit in 0..MOST_AT_ONCE {
            assert!(!stretch.ends_with(at(0), hour), "visit {visit}");
        }
        assert!(!stretch.ends_with(at(3_599), hour), "no cycle has passed");
        assert!(stretch.ends_with(at(3_600), hour));
        assert!(!stretch.ends_with(at(9_000), hour), "another has begun");
        stretch.begin(at(9_000));
        assert_eq!(stretch.visits, 0);
    }
}
