//! Servers for tests: scripted, recording, and hostile.
//!
//! A [`Server`] listens on loopback and answers each [`Request`] with the
//! [`Reply`] its handler gives. Replies are written byte by byte as told, so
//! they may lie, never end, or stop in the middle; `hostile` has the usual
//! suspects. [`Names`] stands in for the name service. For tests only: what
//! cannot be set up panics.
//!
//! ```no_run
//! # async fn run() {
//! use recrawl_testkit::{Reply, Server};
//!
//! let server = Server::start(|request| match request.path.as_str() {
//!     "/robots.txt" => Reply::status(404),
//!     _ => Reply::page("hello").header("ETag", "\"1\""),
//! })
//! .await;
//! let address = server.url("/page");
//! // … fetch it …
//! assert_eq!(server.requests()[0].header("if-none-match"), None);
//! # }
//! ```

mod connection;
mod hostile;
mod identity;
mod names;
mod reply;
mod request;
mod server;

pub use hostile::GZIP_BOMB_UNIT;
pub use identity::Identity;
pub use names::Names;
pub use reply::Reply;
pub use request::Request;
pub use server::Server;
