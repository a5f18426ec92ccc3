//! The whole system on one machine: a synthetic web on loopback whose pages
//! change by known laws, and the watcher on it over real HTTP.
//!
//! [`Demo::run`] serves a [`World`], watches it with the default policy and, on a
//! twin with the same budget, with round robin, a second being a day. What was
//! caught is held against the truth in a [`Tally`].

mod content;
mod law;
mod run;
mod server;
mod tally;
mod world;

pub use law::Law;
pub use run::{Demo, DemoError, DemoSettings, Standing, Summary};
pub use tally::Tally;
pub use world::{Manner, Site, State, World};
