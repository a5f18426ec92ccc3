//! The loop: [`Watcher::run`].

use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use recrawl_model::Timestamp;
use recrawl_store::{Store, Versions};
use tokio_util::sync::CancellationToken;

use crate::commanded::next_command;
use crate::event::{Event, Totals};
use crate::planned::Work;
use crate::reading::Reading;
use crate::{WatchError, Watcher};

/// How long requests under way may take to end once the watcher is told to
/// stop; what is left is written down as stopped.
const FAREWELL: Duration = Duration::from_millis(1_200);

/// How often files of URLs are looked at for edits.
const LIST_POLL: Duration = Duration::from_secs(2);

/// How often connections may read while a round is gathered, so that it ends
/// however fast answers come.
const MOST_TURNS: usize = 16;

impl<S: Store + Versions> Watcher<S> {
    /// Watches until told to stop, until the settings say so, or until the
    /// store fails. Tells `tell` what happens, each visit once it is durable.
    ///
    /// # Errors
    /// [`WatchError`] from the store or the policy; what was durable stays so.
    pub async fn run(
        &mut self,
        stop: &CancellationToken,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Totals, WatchError> {
        self.read_remote_first(stop, tell).await?;
        let began = self.clock.steady();
        self.tell_resumed(tell);
        let last_cycle = self.last_cycle();
        let mut lists_read = began;
        loop {
            let now = self.tick();
            if stop.is_cancelled() || self.is_time(began) || self.is_done(last_cycle) {
                break;
            }
            self.turn_cycle(now, tell)?;
            let steady = self.clock.steady();
            if self.clock.real(steady.saturating_sub(lists_read)) >= LIST_POLL {
                lists_read = steady;
                self.reread_lists(tell)?;
            }
            self.read_remote_again(steady, now);
            self.take_found(now, tell)?;
            self.fill(now)?;
            self.start(now, tell)?;
            self.commit(tell)?;
            self.depart(now);
            self.wait(stop, began, now, tell).await?;
        }
        self.farewell(tell).await
    }

    fn tell_resumed(&self, tell: &mut dyn FnMut(Event<'_>)) {
        if let Some(cycle) = &self.cycle {
            tell(Event::Cycle {
                number: cycle.number,
                at: self.live.now(),
                budget: cycle.total,
                spent: cycle.started,
                resumed: true,
            });
        }
    }

    /// The cycle to end with, the running one being the first.
    fn last_cycle(&self) -> Option<u64> {
        let first = self
            .cycle
            .as_ref()
            .map_or(self.next_cycle, |cycle| cycle.number);
        let cycles = self.settings.stop_after_cycles?;
        Some(first.saturating_add(cycles.max(1) - 1))
    }

    /// Whether the last cycle is over, or has nothing more to do.
    fn is_done(&self, last: Option<u64>) -> bool {
        let Some(cycle) = self
            .cycle
            .as_ref()
            .filter(|cycle| Some(cycle.number) == last)
        else {
            return false;
        };
        let spent = cycle.exhausted || cycle.started >= cycle.total;
        let waiting = self.hosts.waiting() + self.asked.len() + self.in_flight;
        cycle.clock.is_over() || (spent && waiting == 0)
    }

    /// Whether the settings end the watch now.
    fn is_time(&self, began: Duration) -> bool {
        let after = self.settings.stop_after;
        after.is_some_and(|after| self.clock.steady().saturating_sub(began) >= after)
    }

    /// Waits for something to do, and takes in all that is there.
    async fn wait(
        &mut self,
        stop: &CancellationToken,
        began: Duration,
        now: Timestamp,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        let mut idle = self.clock.real(self.idle(now)).min(LIST_POLL);
        if let Some(after) = self.settings.stop_after {
            let left = (began + after).saturating_sub(self.clock.steady());
            idle = idle.min(self.clock.real(left));
        }
        tokio::select! {
            Some(work) = self.tasks.next(), if !self.tasks.is_empty() => {
                self.gather(work, tell).await?;
            }
            command = next_command(&mut self.commands) => self.carry_out(command, tell)?,
            () = tokio::time::sleep(idle) => {}
            () = stop.cancelled() => {}
        }
        Ok(())
    }

    /// Takes in what was waited for, and all that arrives meanwhile: each round
    /// writes to the disk once, whatever it brings.
    async fn gather(
        &mut self,
        first: Work,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        let mut arrived = Some(first);
        for _ in 0..MOST_TURNS {
            let now = self.tick();
            let Some(work) = arrived else {
                break;
            };
            self.finish(work, now, tell)?;
            while let Some(Some(work)) = self.tasks.next().now_or_never() {
                self.finish(work, now, tell)?;
            }
            tokio::task::yield_now().await; // lets connections read
            arrived = self.tasks.next().now_or_never().flatten();
        }
        if let Some(work) = arrived {
            let now = self.tick();
            self.finish(work, now, tell)?;
        }
        Ok(())
    }

    /// Takes in what was waited for.
    pub(crate) fn finish(
        &mut self,
        work: Work,
        now: Timestamp,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        match work {
            Work::Checked {
                cycle,
                host,
                planned,
                verdict,
            } => self.checked((cycle, host), planned, &verdict, now, tell)?,
            Work::Fetched { underway, response } => {
                self.in_flight -= 1;
                let row = &underway.planned.row;
                let reading = Reading::of(&self.detector, row, response.as_ref(), now);
                self.arrived(*underway, reading, response.as_ref().ok(), now)?;
            }
            Work::Sources(found) => {
                self.named.reading = false;
                self.found.extend(found);
            }
        }
        Ok(())
    }

    /// Ends the watch: no more visits leave; those under way may still arrive
    /// for a moment, the rest is written down as stopped.
    async fn farewell(&mut self, tell: &mut dyn FnMut(Event<'_>)) -> Result<Totals, WatchError> {
        self.drop_waiting();
        self.commit(tell)?;
        let deadline = tokio::time::sleep(FAREWELL);
        tokio::pin!(deadline);
        while self.in_flight > 0 {
            tokio::select! {
                Some(work) = self.tasks.next() => {
                    let now = self.tick();
                    match work {
                        Work::Checked { planned, .. } => {
                            self.in_flight -= 1; // nothing was asked yet
                            self.drop_planned(planned);
                        }
                        work => self.finish(work, now, tell)?,
                    }
                }
                () = &mut deadline => break,
            }
        }
        let now = self.tick();
        self.drop_waiting();
        self.commit(tell)?;
        self.stop_outstanding(now);
        self.commit(tell)?;
        self.tasks.clear();
        Ok(self.totals)
    }
}
