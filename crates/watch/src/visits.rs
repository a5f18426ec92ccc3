//! From pages the engine asks for to requests that leave.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use recrawl_engine::{Answered, HostId};
use recrawl_fetch::{Ask, RobotsPermit, RobotsVerdict, Unreachable};
use recrawl_model::{Cost, PageId, Timestamp, VisitKind};
use recrawl_store::{Record, Standing, Store, Versions};
use url::Url;

use crate::event::Event;
use crate::planned::{Planned, Task, Underway, Work};
use crate::reading::Reading;
use crate::{WatchError, Watcher};

/// Visits that may wait for their hosts with their rows in memory, a few
/// kilobytes each.
const MOST_WAITING: usize = 2_048;

/// Rows read from the store together.
const ROWS: usize = 256;

/// Pages queued before requests, commands and the wish to stop are looked at
/// again: where no host is ready before the cycle ends, all pages pass.
const MOST_AT_ONCE: usize = 8_192;

/// How long connections may stand idle for hosts that are not ready before the
/// engine is asked for more, though it would know more later.
const PATIENCE: Duration = Duration::from_secs(10);

impl<S: Store + Versions> Watcher<S> {
    /// Asks the engine for visits where there is room, and puts them in the
    /// queues of their hosts.
    pub(crate) fn fill(&mut self, now: Timestamp) -> Result<(), WatchError> {
        let mut queued = 0;
        self.is_filling = false;
        loop {
            while !self.asked.is_empty() && self.hosts.waiting() < MOST_WAITING {
                if queued >= MOST_AT_ONCE {
                    self.is_filling = true;
                    return Ok(());
                }
                queued += self.enqueue(now)?;
            }
            if !self.asked.is_empty() || !self.wants_more(now) {
                return Ok(());
            }
            let batch = self.scheduler.decide(now);
            if batch.kind == VisitKind::Sample && !batch.is_empty() {
                return Err(WatchError::CheapSamples {
                    policy: self.settings.policy.clone(),
                });
            }
            self.asked.extend(batch.pages);
            if self.asked.is_empty() {
                if let Some(cycle) = &mut self.cycle {
                    cycle.exhausted = true;
                }
                return Ok(());
            }
        }
    }

    /// Whether the engine is to be asked: when what it asked for is done, or
    /// waits for hosts that are not ready for a while.
    fn wants_more(&self, now: Timestamp) -> bool {
        let Some(cycle) = &self.cycle else {
            return false;
        };
        if cycle.exhausted || !self.may_start() {
            return false;
        }
        match self.hosts.wake() {
            None => self.in_flight * 2 <= self.settings.connections,
            Some(at) => at > now.after(PATIENCE) && self.in_flight == 0,
        }
    }

    /// Reads the rows of the next pages and queues them at their hosts. Returns
    /// how many pages these were.
    fn enqueue(&mut self, now: Timestamp) -> Result<usize, WatchError> {
        let count = self.asked.len().min(ROWS);
        let pages: Vec<PageId> = self.asked.drain(..count).collect();
        let rows = self.store.rows(&pages)?;
        for (page, row) in pages.into_iter().zip(rows) {
            let watched =
                row.filter(|row| matches!(row.standing, Standing::Watched | Standing::Gone));
            let url = watched.as_ref().and_then(|row| Url::parse(&row.url).ok());
            let (Some(row), Some(url)) = (watched, url) else {
                self.scheduler.withdraw(page);
                continue;
            };
            let host = self.host(&url, now);
            let first = None;
            self.hosts.enqueue(
                host,
                Planned {
                    page,
                    url,
                    row,
                    first,
                },
            );
        }
        self.give_up_late(now);
        Ok(count)
    }

    /// Lets go of visits whose hosts will not be ready before the cycle ends,
    /// so that others can be made.
    fn give_up_late(&mut self, now: Timestamp) {
        let Some(cycle) = &self.cycle else {
            return;
        };
        let end = now.after(cycle.clock.left());
        for planned in self.hosts.give_up_beyond(end) {
            self.drop_planned(planned);
        }
    }

    /// The number of a page's host, with what it asked for before a restart.
    pub(crate) fn host(&mut self, url: &Url, now: Timestamp) -> HostId {
        let name = url.host_str().unwrap_or_default();
        let held = self.store.resume().hosts.get(name).copied();
        let from = held.map_or(self.quiet_until, |held| held.max(self.quiet_until));
        // Whatever an old log or a clock set back says, not for ever.
        let latest = now.after(self.settings.manners.longest_wait);
        self.hosts.intern(name, from.min(latest), registrable)
    }

    /// Starts visits that hosts and budget allow.
    pub(crate) fn start(
        &mut self,
        now: Timestamp,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        while self.may_start() {
            let Some((host, planned)) = self.hosts.next(now) else {
                break;
            };
            if !self.scheduler.collection().contains(planned.page) {
                // Paused or removed while it waited.
                self.hosts.done(host, now, Answered::Well);
                self.drop_planned(planned);
                continue;
            }
            self.in_flight += 1;
            self.pay(Cost::DOWNLOAD);
            // Rules that are known answer at once; others are waited for.
            if let Some(verdict) = self.robots.known(&planned.url, now) {
                let paid_by = (self.cycle_number(), host);
                self.checked(paid_by, planned, &verdict, now, tell)?;
                continue;
            }
            let mut check = self.ask_robots(host, planned, now);
            match (&mut check).now_or_never() {
                Some(work) => self.finish(work, now, tell)?,
                None => self.tasks.push(check),
            }
        }
        Ok(())
    }

    /// Asks robots.txt.
    fn ask_robots(&self, host: HostId, planned: Planned, now: Timestamp) -> Task {
        let robots = Arc::clone(&self.robots);
        let fetcher = self.fetcher.clone();
        let cycle = self.cycle_number();
        Box::pin(async move {
            let verdict = robots.verdict(&fetcher, &planned.url, now).await;
            Work::Checked {
                cycle,
                host,
                planned,
                verdict,
            }
        })
    }

    /// Goes on with a visit whose robots.txt is known.
    pub(crate) fn checked(
        &mut self,
        (cycle, host): (u64, HostId),
        planned: Planned,
        verdict: &RobotsVerdict,
        now: Timestamp,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        if cycle != self.cycle_number() {
            // The cycle that would have paid is over.
            self.in_flight -= 1;
            self.hosts.done(host, now, Answered::Well);
            self.drop_planned(planned);
            return Ok(());
        }
        match verdict {
            RobotsVerdict::Allowed { delay } => {
                self.hosts.ask_gap(host, delay.unwrap_or(Duration::ZERO));
                self.ask(host, planned, now);
            }
            RobotsVerdict::Disallowed => {
                tell(Event::Disallowed {
                    url: &planned.row.url,
                });
                self.let_go(host, now);
                self.drop_planned(planned);
            }
            RobotsVerdict::Wait { until, why } => {
                let name = planned.url.host_str().unwrap_or_default();
                tell(Event::HostHeld {
                    host: name,
                    until: *until,
                });
                match why {
                    Unreachable::Failed(_) => self.unreached(host, planned, why, now)?,
                    Unreachable::Status(_) => {
                        self.let_go(host, now);
                        self.hosts.enqueue(host, planned);
                    }
                }
                self.hosts.hold(host, *until);
                self.give_up_late(now);
            }
        }
        Ok(())
    }

    /// A visit that ended at robots.txt, because the host cannot be reached or
    /// must not be: it was paid for and taught nothing.
    fn unreached(
        &mut self,
        host: HostId,
        planned: Planned,
        why: &Unreachable,
        now: Timestamp,
    ) -> Result<(), WatchError> {
        self.in_flight -= 1;
        let underway = self.paid(host, planned, now);
        let reading = Reading::unknown(now, 0, why.to_string());
        self.arrived(underway, reading, None, now)
    }

    /// Ends a visit before it was made: nothing is spent.
    fn let_go(&mut self, host: HostId, now: Timestamp) {
        self.in_flight -= 1;
        if let Some(cycle) = &mut self.cycle {
            cycle.started = cycle.started - Cost::DOWNLOAD;
            cycle.exhausted = false;
        }
        self.hosts.done(host, now, Answered::Well);
    }

    fn cycle_number(&self) -> u64 {
        self.cycle.as_ref().map_or(0, |cycle| cycle.number)
    }

    fn pay(&mut self, cost: Cost) {
        if let Some(cycle) = &mut self.cycle {
            cycle.started = cycle.started + cost;
        }
    }

    /// Writes down that a visit is about to be made; it leaves after the next
    /// commit.
    fn ask(&mut self, host: HostId, planned: Planned, now: Timestamp) {
        let underway = self.paid(host, planned, now);
        self.departing.push(underway);
    }

    /// Writes down that a visit is paid for.
    fn paid(&mut self, host: HostId, planned: Planned, now: Timestamp) -> Underway {
        let visit = self.next_visit;
        self.next_visit += 1;
        self.records.push(Record::Asked {
            visit,
            page: planned.page,
            at: now,
            cost: Cost::DOWNLOAD,
        });
        Underway {
            visit,
            host,
            planned,
        }
    }

    /// Sends the requests whose visits are durable.
    pub(crate) fn depart(&mut self, now: Timestamp) {
        for underway in std::mem::take(&mut self.departing) {
            let robots = Arc::clone(&self.robots);
            let fetcher = self.fetcher.clone();
            self.tasks.push(Box::pin(async move {
                let planned = &underway.planned;
                let held = match &planned.first {
                    Some(first) => first.reading.held.as_ref(),
                    None => planned.row.held.as_ref(),
                };
                let ask = Ask {
                    url: &planned.url,
                    etag: held.and_then(|held| held.etag.as_deref()),
                    last_modified: held.and_then(|held| held.last_modified.as_deref()),
                };
                let permit = RobotsPermit {
                    robots: &robots,
                    fetcher: &fetcher,
                    now,
                };
                let response = fetcher.fetch(ask, &permit).await;
                Work::Fetched {
                    underway: Box::new(underway),
                    response,
                }
            }));
        }
    }
}

/// The registrable domain of a host: what one owner has.
fn registrable(host: &str) -> String {
    psl::domain_str(host).unwrap_or(host).to_owned()
}
