//! What each origin's `robots.txt` lets us do: [`Robots`].

mod cache;
mod stored;
mod token;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use recrawl_model::Timestamp;
use thiserror::Error;
use url::{Position, Url};

use crate::body::Excess;
use crate::fetcher::Bounds;
use crate::{Ask, Everything, Failure, Fetcher, Permit};
use cache::{Cache, Slot};
use stored::{Outcome, Stored};

pub use stored::{MOST_CRAWL_DELAY, robots_file_verdict};
pub use token::product_token;

/// Most redirects followed from a `robots.txt`: RFC 9309, section 2.3.1.2.
const MOST_REDIRECTS: usize = 5;

/// Most bytes of a `robots.txt` that are read; the rest, and the line it starts
/// in, do not count. RFC 9309, section 2.5, asks for at least this much. One byte
/// more than is parsed tells the parser whether the last line is whole.
const MOST_BYTES: usize = robotxt::BYTE_LIMIT + 1;

/// Most origins remembered, a few hundred bytes each; beyond, the ones met first
/// are forgotten and would be asked again.
const MOST_ORIGINS: usize = 100_000;

/// Most bytes of rules remembered, over all origins.
const MOST_RULE_BYTES: usize = 64 << 20;

/// What `robots.txt` says of one page at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RobotsVerdict {
    /// The page may be visited.
    Allowed {
        /// The least time between two visits to the origin, where it asks for one.
        delay: Option<Duration>,
    },
    /// The page is closed to us.
    Disallowed,
    /// Nobody knows: the file cannot be read, so nothing may be visited.
    Wait {
        /// When to ask again.
        until: Timestamp,
        /// What went wrong.
        why: Unreachable,
    },
}

/// Why a `robots.txt` could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unreachable {
    /// The server answered with an error of its own, or is overrun.
    #[error("robots.txt answered {0}")]
    Status(u16),
    /// There was no answer.
    #[error("robots.txt cannot be read: {0}")]
    Failed(Failure),
}

/// The rules of each origin (scheme, host and port), asked for when first
/// needed, kept up to a day, bounded in number and bytes. Askers of one origin
/// share one request.
#[derive(Debug)]
pub struct Robots {
    token: String,
    cache: Mutex<Cache>,
}

impl Robots {
    /// Nothing known yet, for a crawler that calls itself by this `User-Agent`.
    #[must_use]
    pub fn new(user_agent: &str) -> Self {
        Self {
            token: product_token(user_agent).to_owned(),
            cache: Mutex::new(Cache::new(MOST_ORIGINS, MOST_RULE_BYTES)),
        }
    }

    /// Whether a page may be visited at `now`, where its origin need not be asked.
    #[must_use]
    pub fn known(&self, url: &Url, now: Timestamp) -> Option<RobotsVerdict> {
        let is_plain = url.username().is_empty() && url.password().is_none();
        if !is_plain || !matches!(url.scheme(), "http" | "https") {
            return None; // its origin is not what stands before the path
        }
        let slot = self.slot(&url[..Position::BeforePath]);
        Some(slot.fresh(now)?.verdict(url, now))
    }

    /// Whether a page may be visited at `now`. Asks its origin where that is not
    /// known or known no longer.
    pub async fn verdict(&self, fetcher: &Fetcher, url: &Url, now: Timestamp) -> RobotsVerdict {
        if let Some(known) = self.known(url, now) {
            return known;
        }
        let Ok(file) = robotxt::robots_url(url) else {
            return RobotsVerdict::Allowed { delay: None }; // not a web address: no rules
        };
        let origin = &file[..Position::BeforePath];
        let slot = self.slot(origin);
        let _turn = slot.turn().await;
        if let Some(stored) = slot.fresh(now) {
            return stored.verdict(url, now); // known, or another asker was quicker
        }
        let answer = fetcher
            .fetch_within(Ask::new(&file), &Everything, bounds(fetcher))
            .await;
        let outcome = Outcome::of(answer.as_ref());
        let before = slot.stored();
        let stored = Arc::new(Stored::next(before.as_deref(), outcome, &self.token, now));
        slot.store(&stored);
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.settle(origin, &slot, stored.weight());
        stored.verdict(url, now)
    }

    fn slot(&self, origin: &str) -> Arc<Slot> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.slot(origin)
    }
}

fn bounds(fetcher: &Fetcher) -> Bounds {
    Bounds {
        most_body: MOST_BYTES,
        excess: Excess::Cut,
        most_redirects: MOST_REDIRECTS,
        ..fetcher.bounds()
    }
}

/// Follows redirects only to pages that `robots.txt` of their origin allows.
#[derive(Clone, Copy)]
pub struct RobotsPermit<'a> {
    /// The rules.
    pub robots: &'a Robots,
    /// Who fetches them.
    pub fetcher: &'a Fetcher,
    /// The time of the visit.
    pub now: Timestamp,
}

impl Permit for RobotsPermit<'_> {
    async fn may(&self, url: &Url) -> Result<(), Failure> {
        match self.robots.verdict(self.fetcher, url, self.now).await {
            RobotsVerdict::Allowed { .. } => Ok(()),
            RobotsVerdict::Disallowed => Err(Failure::Disallowed),
            RobotsVerdict::Wait { until, why } => Err(match why {
                Unreachable::Status(_) => Failure::RobotsUnreachable { until },
                Unreachable::Failed(failure) => failure.after_redirect(),
            }),
        }
    }
}
