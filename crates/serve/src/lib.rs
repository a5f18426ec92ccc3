//! The JSON API, the dashboard and the metrics over a store.
//!
//! A [`Board`] reads the log once and then hears of every append through
//! [`Tapped`](recrawl_store::Tapped); what it answers is in memory, so that a
//! question never waits for the watcher, nor the watcher for a question. What
//! changes something goes as a [`Command`](recrawl_watch::Command) to whoever
//! holds the store. [`bind`] takes an address, [`Bound::serve`] serves on threads of
//! its own.
//!
//! ```
//! use std::sync::Arc;
//! use recrawl_serve::{Board, Settings, bind};
//! use recrawl_store::{MemoryStore, Tapped};
//! use recrawl_watch::{Attendant, SystemClock, commands};
//! use tokio_util::sync::CancellationToken;
//!
//! let store = MemoryStore::new();
//! let board = Board::open(&store)?;
//! let store = Tapped::new(store, board.listener());
//! let (commander, mut commands) = commands();
//! let clock = Arc::new(SystemClock);
//! let settings = Settings::new(([127, 0, 0, 1], 0).into());
//! let running = bind(settings)?.serve(board, commander, clock.clone())?;
//! assert!(running.address().port() > 0);
//!
//! let stop = CancellationToken::new();
//! stop.cancel(); // as Ctrl-C would
//! let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! runtime.block_on(Attendant::new(store, clock).run(&mut commands, &stop));
//! running.stop();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod api;
mod assets;
mod board;
mod cached;
mod error;
mod events;
mod extract;
mod guard;
mod insight;
mod job;
mod leases;
mod limits;
mod metrics;
mod problem;
mod server;
mod settings;
mod state;
mod view;

pub use api::openapi;
pub use board::Board;
pub use error::ServeError;
pub use server::{Bound, Running, bind};
pub use settings::{Access, Mode, Settings, Token, TokenError};
