//! The live driver: the engine on real pages.
//!
//! [`Watcher`] turns the same loop as the simulator with HTTP visits: the
//! engine says which pages, [`recrawl_engine::Hosts`] says when, `recrawl-fetch`
//! fetches, `recrawl-detect` compares, `recrawl-store` remembers. What can be
//! decided without a network or a clock is decided elsewhere.

mod attend;
mod clock;
mod command;
mod commanded;
mod config;
mod error;
mod event;
mod joining;
mod open;
mod pinned;
mod planned;
mod reading;
mod remote;
mod run;
mod settings;
mod settled;
mod site_numbers;
mod sources;
mod visits;
mod watcher;

pub use attend::Attendant;
pub use clock::{Clock, FastClock, SystemClock};
pub use command::{
    Added, Command, CommandError, Commander, Commands, Learned, Looked, Reply, Status, ask,
    commands,
};
pub use config::{Config, ConfigError, Count};
pub use error::WatchError;
pub use event::{Event, Totals, Visited};
pub use open::DETECT_SETTING;
pub use recrawl_engine::{Allowance, AllowanceError, Manners};
pub use settings::{SECOND_LOOKS, Settings};
pub use sources::Sources;
pub use watcher::Watcher;
