//! The watcher as it carries out what others ask.

use recrawl_model::{Observation, PageId};
use recrawl_store::{Record, Standing, Store, Versions};

use crate::command::{self, Command, Commands, Status};
use crate::event::Event;
use crate::{WatchError, Watcher};

/// The next command; never, if nobody may send any.
pub(crate) async fn next_command(commands: &mut Option<Commands>) -> Command {
    if let Some(open) = commands {
        if let Some(command) = open.recv().await {
            return command;
        }
        *commands = None;
    }
    std::future::pending().await
}

impl<S: Store + Versions> Watcher<S> {
    /// Carries out commands while it runs.
    pub fn listen(&mut self, commands: Commands) {
        self.commands = Some(commands);
    }

    /// Carries out a command between two rounds. Only a store that fails ends
    /// the watch; whoever asked hears of everything else.
    pub(crate) fn carry_out(
        &mut self,
        command: Command,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        self.commit(tell)?; // the store knows what the engine knows
        let at = self.tick();
        match command {
            Command::Add { pages, reply } => {
                let (records, added) = command::add(&self.store, &pages, at)?;
                self.adopt(&records)?;
                let (new, back) = (added.added, added.back);
                let _ = reply.send(Ok(added));
                if new + back > 0 {
                    tell(Event::Pages {
                        added: new,
                        back,
                        paused: 0,
                    });
                }
            }
            Command::Set {
                page,
                standing,
                weight,
                reply,
            } => {
                let records = match command::set(&self.store, page, (standing, weight), at) {
                    Ok(records) => records,
                    Err(error) => {
                        let _ = reply.send(Err(error));
                        return Ok(());
                    }
                };
                self.adopt(&records)?;
                let _ = reply.send(Ok(()));
            }
            Command::Learn { seen, reply } => {
                let (records, new) = command::learn(&self.store, seen, at)?;
                self.adopt(&records)?;
                let _ = reply.send(Ok(new));
            }
            Command::Row { page, reply } => {
                let _ = reply.send(command::row(&self.store, page));
            }
            Command::Look { page, reply } => {
                let _ = reply.send(command::look(&self.store, page));
            }
            Command::Status { reply } => {
                let _ = reply.send(Ok(self.status()));
            }
        }
        Ok(())
    }

    /// Appends records and tells the engine what they say.
    fn adopt(&mut self, records: &[Record]) -> Result<(), WatchError> {
        self.store.append(records)?;
        for record in records {
            match record {
                Record::PageAdded {
                    page, site, weight, ..
                } => {
                    let number = self.scheduler.add_page(self.sites.of(site), *weight);
                    debug_assert_eq!(number, *page, "numbers are given in order by both");
                }
                Record::PageSet {
                    page,
                    standing,
                    weight,
                    ..
                } => {
                    self.stand(*page, *standing);
                    self.scheduler.set_weight(*page, *weight);
                }
                Record::Seen {
                    page,
                    at,
                    outcome,
                    last_modified,
                    ..
                } => {
                    let mut seen = Observation::new(*at, *outcome);
                    seen.last_modified = *last_modified;
                    // Of a paused page, or older than what is known: the log has it.
                    let _ = self.scheduler.record(*page, seen);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn stand(&mut self, page: PageId, standing: Standing) {
        match standing {
            Standing::Watched | Standing::Gone => self.scheduler.restore_page(page),
            Standing::Paused | Standing::Removed => self.scheduler.remove_page(page),
        };
    }

    fn status(&self) -> Status {
        let behind = self.cycle.as_ref().map_or(0.0, |cycle| {
            let elapsed = cycle.clock.elapsed();
            let spendable = self.settings.allowance.spendable(cycle.total, elapsed);
            let nothing_to_do = cycle.exhausted && self.hosts.waiting() + self.asked.len() == 0;
            let behind = spendable.in_downloads() - cycle.started.in_downloads();
            if nothing_to_do { 0.0 } else { behind.max(0.0) }
        });
        Status {
            waiting: self.hosts.waiting() + self.asked.len(),
            in_flight: self.in_flight,
            behind,
        }
    }
}
