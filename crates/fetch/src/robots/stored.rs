//! What is known of one origin's `robots.txt`, and for how long. No request is
//! made here.

use std::time::Duration;

use recrawl_model::Timestamp;
use url::Url;

use super::{RobotsVerdict, Unreachable};
use crate::{Answer, Failure};

/// Longest `Crawl-delay` that is honoured; a longer one counts as this. Nutch
/// and StormCrawler stop at the same value: beyond it a typing error or a wish
/// to keep crawlers out is likelier, and for that there is `Disallow`.
pub const MOST_CRAWL_DELAY: Duration = Duration::from_secs(30);

/// How long rules are used before they are asked for again: RFC 9309, section 2.4.
const KEPT: Duration = Duration::from_secs(86_400);

/// Time to the second attempt after a file could not be read; it doubles with
/// each further one, up to [`KEPT`]. Long enough for a restart of a server.
const FIRST_RETRY: Duration = Duration::from_secs(300);

/// A file that could not be read for this long counts as absent: RFC 9309,
/// section 2.3.1.4.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(30 * 86_400);

/// What one attempt to read a file brought.
#[derive(Debug)]
pub(super) enum Outcome<'a> {
    /// The file.
    Read(&'a [u8]),
    /// There is none, or none to be had: everything is allowed.
    Absent,
    /// The server or the way to it is in trouble: nothing is allowed.
    Unreachable {
        why: Unreachable,
        retry: Option<crate::RetryAfter>,
    },
}

impl<'a> Outcome<'a> {
    /// RFC 9309, section 2.3.1. A server that says 429 is there but overrun,
    /// and is left alone like one that says 503.
    pub(super) fn of(answer: Result<&'a Answer, &'a Failure>) -> Self {
        match answer {
            Ok(answer) => match answer.status {
                200..=299 => Self::Read(&answer.body),
                429 | 500.. => Self::Unreachable {
                    why: Unreachable::Status(answer.status),
                    retry: answer.retry_after,
                },
                _ => Self::Absent,
            },
            Err(
                Failure::TooManyRedirects { .. } | Failure::RedirectLoop | Failure::BadRedirect,
            ) => Self::Absent,
            Err(failure) => Self::Unreachable {
                why: Unreachable::Failed(failure.clone()),
                retry: None,
            },
        }
    }
}

/// What is known of one origin.
#[derive(Debug)]
pub(super) struct Stored {
    /// The rules, `None` where they were never read.
    rules: Option<robotxt::Robots>,
    trouble: Option<Trouble>,
    asked: Timestamp,
    fresh_until: Timestamp,
}

/// A run of attempts that failed.
#[derive(Debug, Clone)]
struct Trouble {
    since: Timestamp,
    attempts: u32,
    why: Unreachable,
}

impl Stored {
    /// What is known after one more attempt at `now`. Rules once read stay in
    /// force while the file cannot be read again (RFC 9309, section 2.4).
    pub(super) fn next(
        before: Option<&Self>,
        outcome: Outcome<'_>,
        token: &str,
        now: Timestamp,
    ) -> Self {
        let (why, retry) = match outcome {
            Outcome::Read(file) => return Self::known(rules(file, token), now),
            Outcome::Absent => return Self::known(robotxt::Robots::allow_all(), now),
            Outcome::Unreachable { why, retry } => (why, retry),
        };
        let earlier = before.and_then(|before| before.trouble.as_ref());
        let attempts = earlier.map_or(1, |trouble| trouble.attempts.saturating_add(1));
        let since = earlier.map_or(now, |trouble| trouble.since.min(now));
        let wished = retry.map_or(now, |retry| retry.until(now));
        Self {
            rules: before.and_then(|before| before.rules.clone()),
            trouble: Some(Trouble {
                since,
                attempts,
                why,
            }),
            asked: now,
            fresh_until: now
                .after(backoff(attempts))
                .max(wished)
                .min(now.after(KEPT)),
        }
    }

    fn known(rules: robotxt::Robots, now: Timestamp) -> Self {
        Self {
            rules: Some(rules),
            trouble: None,
            asked: now,
            fresh_until: now.after(KEPT),
        }
    }

    /// Whether the file need not be asked for again. A clock set back by more
    /// than a day makes everything stale rather than fresh for ever.
    pub(super) fn is_fresh(&self, now: Timestamp) -> bool {
        now < self.fresh_until && self.asked.since(now) <= KEPT
    }

    /// What is known says this of a page.
    pub(super) fn verdict(&self, url: &Url, now: Timestamp) -> RobotsVerdict {
        match (&self.rules, &self.trouble) {
            (Some(rules), _) if rules.is_url_allowed(url) => RobotsVerdict::Allowed {
                delay: rules.crawl_delay().map(|delay| delay.min(MOST_CRAWL_DELAY)),
            },
            (Some(_), _) => RobotsVerdict::Disallowed,
            (None, Some(trouble)) if now.since(trouble.since) < GIVEN_UP_AFTER => {
                RobotsVerdict::Wait {
                    until: self.fresh_until,
                    why: trouble.why.clone(),
                }
            }
            (None, _) => RobotsVerdict::Allowed { delay: None },
        }
    }

    /// About how many bytes the rules take.
    pub(super) fn weight(&self) -> usize {
        let rules = self.rules.as_ref().map_or(&[][..], |rules| rules.rules());
        rules
            .iter()
            .map(|rule| size_of::<robotxt::Rule>() + rule.pattern().len())
            .sum()
    }
}

/// The rules of a file for us. Without a name of our own only those for
/// everybody apply, which the parser takes for a name it does not find.
fn rules(file: &[u8], token: &str) -> robotxt::Robots {
    let rules = robotxt::Robots::parse(file, token);
    if rules.always() == Some(true) && rules.crawl_delay().is_none() {
        return robotxt::Robots::allow_all(); // says the same, in less memory
    }
    rules
}

fn backoff(attempts: u32) -> Duration {
    let doublings = attempts.saturating_sub(1).min(16);
    (FIRST_RETRY * (1 << doublings)).min(KEPT)
}
