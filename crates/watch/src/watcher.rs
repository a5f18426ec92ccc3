//! The live driver: [`Watcher`].

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use recrawl_detect::Detector;
use recrawl_engine::{CycleClock, Hosts, LiveClock, Scheduler};
use recrawl_fetch::{Fetcher, Robots};
use recrawl_model::{Cost, PageId, Timestamp};
use recrawl_store::{Record, Store, Versions};

use crate::command::Commands;
use crate::event::{Event, Totals};
use crate::planned::{Planned, Task, Underway};
use crate::remote::Found;
use crate::settled::Settled;
use crate::site_numbers::SiteNumbers;
use crate::sources::Named;
use crate::{Clock, Settings, WatchError};

/// Turns the loop of the engine with real visits: asks for pages, waits for
/// their hosts, fetches, compares, writes down and tells the engine.
///
/// One task owns everything; only requests run beside it. Each round appends
/// to the store once, what was learned and what is about to be asked together,
/// so that a visit is durable before it counts and paid for before it leaves.
pub struct Watcher<S> {
    pub(crate) settings: Settings,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) live: LiveClock,
    pub(crate) store: S,
    pub(crate) scheduler: Scheduler,
    pub(crate) named: Named,
    pub(crate) sites: SiteNumbers,
    pub(crate) hosts: Hosts<Planned>,
    pub(crate) fetcher: Fetcher,
    pub(crate) robots: Arc<Robots>,
    pub(crate) detector: Detector,
    pub(crate) cycle: Option<Cycle>,
    pub(crate) next_cycle: u64,
    pub(crate) next_visit: u64,
    /// Pages the engine asked for that stand in no host's queue yet.
    pub(crate) asked: VecDeque<PageId>,
    /// Whether some of these were left for the next round.
    pub(crate) is_filling: bool,
    /// Requests under way, and whether sources are being read.
    pub(crate) tasks: FuturesUnordered<Task>,
    pub(crate) in_flight: usize,
    /// What the next append writes, what it makes true, what it lets go.
    pub(crate) records: Vec<Record>,
    pub(crate) settled: Vec<Settled>,
    pub(crate) departing: Vec<Underway>,
    /// Pages that join with the next append, by address.
    pub(crate) joining: BTreeMap<String, PageId>,
    /// What remote lists named and nobody has looked at yet.
    pub(crate) found: Vec<Found>,
    /// No host is visited before this: the last visit of the process before may
    /// have been at any of them.
    pub(crate) quiet_until: Timestamp,
    /// What others ask of the watcher, if anybody may.
    pub(crate) commands: Option<Commands>,
    pub(crate) totals: Totals,
}

/// The cycle that runs.
#[derive(Debug)]
pub(crate) struct Cycle {
    pub(crate) number: u64,
    pub(crate) clock: CycleClock,
    pub(crate) total: Cost,
    /// What visits started in it cost. Never above what the engine has spent.
    pub(crate) started: Cost,
    /// Whether the engine has nothing more to ask for.
    pub(crate) exhausted: bool,
}

impl<S: Store + Versions> Watcher<S> {
    /// The time now. Every round reads it once.
    pub(crate) fn tick(&mut self) -> Timestamp {
        let steady = self.clock.steady();
        if let Some(cycle) = &mut self.cycle {
            cycle.clock.tick(steady);
        }
        self.live.at(self.clock.wall(), steady)
    }

    /// Begins the next cycle if the one before is over.
    pub(crate) fn turn_cycle(
        &mut self,
        now: Timestamp,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        if self
            .cycle
            .as_ref()
            .is_some_and(|cycle| !cycle.clock.is_over())
        {
            return Ok(());
        }
        self.drop_waiting();
        let number = self.next_cycle;
        let allowance = &self.settings.allowance;
        let visits = allowance.visits_of(number);
        let (length, total) = (allowance.cycle_length(), Cost::downloads(visits));
        self.scheduler.cap_sites(self.settings.cap_of(number));
        self.scheduler
            .begin_cycle(recrawl_model::Budget::of(total), now)?;
        self.records.push(Record::CycleBegun {
            number,
            at: now,
            length,
            budget: total,
        });
        self.next_cycle += 1;
        self.totals.cycles += 1;
        self.cycle = Some(Cycle {
            number,
            clock: CycleClock::begin(length, self.clock.steady()),
            total,
            started: Cost::ZERO,
            exhausted: false,
        });
        tell(Event::Cycle {
            number,
            at: now,
            budget: total,
            spent: Cost::ZERO,
            resumed: false,
        });
        Ok(())
    }

    /// Lets go of all visits asked for and not started.
    pub(crate) fn drop_waiting(&mut self) {
        for page in std::mem::take(&mut self.asked) {
            self.scheduler.withdraw(page);
        }
        for planned in self.hosts.clear() {
            self.drop_planned(planned);
        }
    }

    /// Lets go of one visit that will not be made in this cycle.
    pub(crate) fn drop_planned(&mut self, planned: Planned) {
        match planned.first {
            None => {
                self.scheduler.withdraw(planned.page);
            }
            // The second look will not come: what the first saw stands.
            Some(first) => self.settle_first(planned.page, &planned.row, *first),
        }
    }

    /// What may still be started now.
    pub(crate) fn may_start(&self) -> bool {
        let Some(cycle) = &self.cycle else {
            return false;
        };
        let elapsed = cycle.clock.elapsed();
        let spendable = self.settings.allowance.spendable(cycle.total, elapsed);
        self.in_flight < self.settings.connections && cycle.started + Cost::DOWNLOAD <= spendable
    }

    /// How long nothing can happen unless a request ends: until a host may be
    /// visited, the budget allows another visit, or the cycle ends.
    pub(crate) fn idle(&self, now: Timestamp) -> Duration {
        let Some(cycle) = &self.cycle else {
            return Duration::ZERO;
        };
        if self.is_filling {
            return Duration::ZERO;
        }
        let cycle_end = cycle.clock.left();
        if self.in_flight >= self.settings.connections {
            return cycle_end;
        }
        let host = match self.hosts.wake() {
            Some(at) if at > now => at.since(now),
            None if cycle.exhausted || self.may_start() => return cycle_end,
            _ => Duration::ZERO,
        };
        host.max(self.until_spendable(cycle)).min(cycle_end)
    }

    /// Until one visit more may be started.
    fn until_spendable(&self, cycle: &Cycle) -> Duration {
        if self.may_start() {
            return Duration::ZERO;
        }
        let length = self.settings.allowance.cycle_length();
        let total = cycle.total.in_downloads();
        if total <= 0.0 || cycle.started >= cycle.total {
            return cycle.clock.left();
        }
        let due = length.mul_f64(cycle.started.in_downloads() / total);
        due.saturating_sub(cycle.clock.elapsed())
            .max(Duration::from_millis(1))
    }
}
