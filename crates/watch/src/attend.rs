//! A store that is looked after and not watched: [`Attendant`].

use std::sync::Arc;

use recrawl_model::Timestamp;
use recrawl_store::{Record, Store, Versions};
use tokio_util::sync::CancellationToken;

use crate::command::{self, Command, Commands, Status};
use crate::{Clock, CommandError};

/// Carries out [`Command`]s on a store while nobody watches: pages join and
/// leave, and observations made elsewhere are taken in.
pub struct Attendant<S> {
    store: S,
    clock: Arc<dyn Clock>,
}

impl<S: Store + Versions> Attendant<S> {
    /// Looks after a store.
    pub fn new(store: S, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Carries out commands until told to stop, or until nobody can send any.
    pub async fn run(&mut self, commands: &mut Commands, stop: &CancellationToken) {
        loop {
            tokio::select! {
                command = commands.recv() => match command {
                    Some(command) => self.carry_out(command),
                    None => return,
                },
                () = stop.cancelled() => return,
            }
        }
    }

    fn carry_out(&mut self, command: Command) {
        let at = self.now();
        // Whoever asked may have gone.
        match command {
            Command::Add { pages, reply } => {
                let added = command::add(&self.store, &pages, at).map_err(CommandError::from);
                let _ = reply.send(self.append(added));
            }
            Command::Set {
                page,
                standing,
                weight,
                reply,
            } => {
                let set = command::set(&self.store, page, (standing, weight), at);
                let _ = reply.send(self.append(set.map(|records| (records, ()))));
            }
            Command::Learn { seen, reply } => {
                let learned = command::learn(&self.store, seen, at).map_err(CommandError::from);
                let _ = reply.send(self.append(learned));
            }
            Command::Row { page, reply } => {
                let _ = reply.send(command::row(&self.store, page));
            }
            Command::Look { page, reply } => {
                let _ = reply.send(command::look(&self.store, page));
            }
            Command::Status { reply } => {
                let _ = reply.send(Ok(Status::default()));
            }
        }
    }

    fn append<T>(
        &mut self,
        prepared: Result<(Vec<Record>, T), CommandError>,
    ) -> Result<T, CommandError> {
        let (records, answer) = prepared?;
        self.store.append(&records)?;
        Ok(answer)
    }

    /// Never before what the log says.
    fn now(&self) -> Timestamp {
        let last = self.store.resume().last_time;
        last.map_or(self.clock.wall(), |last| last.max(self.clock.wall()))
    }
}
