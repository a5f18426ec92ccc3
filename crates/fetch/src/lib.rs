//! One bounded, conditional request to a page, and what `robots.txt` says of it.
//!
//! A [`Fetcher`] answers an [`Ask`] with an [`Answer`] or a [`Failure`] whose
//! text is a reason fit for people. Whatever the server does, time, memory and
//! redirects stay within [`Settings`], and no private address is connected to,
//! neither as written, nor after a redirect, nor after a DNS answer.
//! [`Robots`] remembers each origin's rules. Pacing is the caller's business.
//!
//! ```no_run
//! use recrawl_fetch::{Ask, Everything, Fetcher, Settings};
//! use url::Url;
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let fetcher = Fetcher::new(&Settings::default())?;
//! let url = Url::parse("https://example.org/")?;
//! match fetcher.fetch(Ask::new(&url), &Everything).await {
//!     Ok(answer) => assert!(answer.body.len() <= 10 << 20),
//!     Err(failure) => assert!(!failure.to_string().is_empty()),
//! }
//! # Ok(())
//! # }
//! ```

mod address;
mod answer;
mod ask;
mod body;
mod classify;
mod client;
mod failure;
mod fetcher;
mod guard;
mod permit;
mod robots;
mod settings;
mod tls;

pub use address::is_public;
pub use answer::{Answer, Hop, RetryAfter};
pub use ask::Ask;
pub use failure::{Failure, TlsFault};
pub use fetcher::Fetcher;
pub use guard::{Looking, Lookup, SystemLookup};
pub use permit::{Everything, Permit};
pub use robots::{
    MOST_CRAWL_DELAY, Robots, RobotsPermit, RobotsVerdict, Unreachable, product_token,
    robots_file_verdict,
};
pub use settings::{FetchError, Settings};
