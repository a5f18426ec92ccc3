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
            (Some(rules), _) => rules_verdict(rules, url),
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

/// What the bytes of a `robots.txt` say of a page to a crawler of this name.
/// Whatever the bytes are, there is an answer.
///
/// ```
/// use recrawl_fetch::{RobotsVerdict, robots_file_verdict};
///
/// let page = url::Url::parse("https://example.org/private/a")?;
/// let verdict = robots_file_verdict(b"User-agent: *\nDisallow: /private", "bot", &page);
/// assert_eq!(verdict, RobotsVerdict::Disallowed);
/// # Ok::<(), url::ParseError>(())
/// ```
#[must_use]
pub fn robots_file_verdict(file: &[u8], token: &str, url: &Url) -> RobotsVerdict {
    rules_verdict(&rules(file, token), url)
}

fn rules_verdict(rules: &robotxt::Robots, url: &Url) -> RobotsVerdict {
    if !rules.is_url_allowed(url) {
        return RobotsVerdict::Disallowed;
    }
    let delay = rules.crawl_delay();
    RobotsVerdict::Allowed {
        delay: delay.map(|delay| delay.min(MOST_CRAWL_DELAY)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RetryAfter;
    use proptest::prelude::*;

    const START: Timestamp = Timestamp::from_seconds(1_800_000_000);
    const ALLOWED: RobotsVerdict = RobotsVerdict::Allowed { delay: None };

    fn hours(hours: u64) -> Timestamp {
        START.after(Duration::from_secs(hours * 3600))
    }

    fn read(file: &str, now: Timestamp) -> Stored {
        Stored::next(None, Outcome::Read(file.as_bytes()), "example-bot", now)
    }

    fn trouble(before: Option<&Stored>, retry: Option<RetryAfter>, now: Timestamp) -> Stored {
        let why = Unreachable::Status(503);
        Stored::next(
            before,
            Outcome::Unreachable { why, retry },
            "example-bot",
            now,
        )
    }

    fn verdict(stored: &Stored, path: &str, now: Timestamp) -> RobotsVerdict {
        let url = Url::parse("https://a.example").and_then(|base| base.join(path));
        stored.verdict(&url.expect("a URL"), now)
    }

    #[test]
    fn the_group_of_our_name_counts_in_any_case_and_else_the_one_for_all() {
        let file = "User-agent: Example-Bot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b";
        let ours = read(file, START);
        assert_eq!(verdict(&ours, "/a", START), RobotsVerdict::Disallowed);
        assert_eq!(verdict(&ours, "/b", START), ALLOWED);
        for stranger in ["other-bot", ""] {
            let theirs = Stored::next(None, Outcome::Read(file.as_bytes()), stranger, START);
            assert_eq!(verdict(&theirs, "/a", START), ALLOWED);
            assert_eq!(verdict(&theirs, "/b", START), RobotsVerdict::Disallowed);
        }
    }

    #[test]
    fn the_longest_rule_wins_and_allow_wins_a_tie() {
        // RFC 9309, section 5.2, and its rule for equal lengths.
        let file = "User-agent: *\nAllow: /example/page/\nDisallow: /example/page/no.gif\nDisallow: /p\nAllow: /p";
        let stored = read(file, START);
        assert_eq!(
            verdict(&stored, "/example/page/no.gif", START),
            RobotsVerdict::Disallowed
        );
        assert_eq!(verdict(&stored, "/example/page/yes.gif", START), ALLOWED);
        assert_eq!(verdict(&stored, "/p", START), ALLOWED);
    }

    #[test]
    fn a_delay_is_honoured_up_to_its_cap() {
        for (asked, expected) in [("2.5", 2500), ("30", 30_000), ("86400", 30_000)] {
            let stored = read(&format!("User-agent: *\nCrawl-delay: {asked}"), START);
            let delay = Some(Duration::from_millis(expected));
            assert_eq!(
                verdict(&stored, "/", START),
                RobotsVerdict::Allowed { delay }
            );
        }
        for nonsense in ["-1", "soon", "NaN", "1e400"] {
            let stored = read(&format!("User-agent: *\nCrawl-delay: {nonsense}"), START);
            assert_eq!(verdict(&stored, "/", START), ALLOWED, "{nonsense}");
        }
    }

    #[test]
    fn rules_are_fresh_for_a_day_and_stale_when_the_clock_is_set_back_for_long() {
        let stored = read("", START);
        assert!(stored.is_fresh(hours(23)));
        assert!(!stored.is_fresh(hours(24)));
        assert!(stored.is_fresh(Timestamp::from_seconds(1_800_000_000 - 60)));
        assert!(!stored.is_fresh(Timestamp::from_seconds(1_700_000_000)));
    }

    #[test]
    fn answers_mean_what_the_rfc_says() {
        let answer = |status| {
            let url = Url::parse("https://a.example/robots.txt").expect("a URL");
            Answer::from_headers(status, url, &hyper::header::HeaderMap::new())
        };
        for status in [300, 400, 401, 403, 404, 410, 451, 499] {
            let answer = answer(status);
            assert!(
                matches!(Outcome::of(Ok(&answer)), Outcome::Absent),
                "{status}"
            );
        }
        for status in [429, 500, 502, 503, 599] {
            let answer = answer(status);
            let outcome = Outcome::of(Ok(&answer));
            assert!(matches!(outcome, Outcome::Unreachable { .. }), "{status}");
        }
        let loops = Failure::RedirectLoop;
        assert!(matches!(Outcome::of(Err(&loops)), Outcome::Absent));
        let lost = Failure::Dns;
        assert!(matches!(
            Outcome::of(Err(&lost)),
            Outcome::Unreachable { .. }
        ));
    }

    #[test]
    fn a_server_in_trouble_is_asked_ever_more_rarely() {
        let mut stored = trouble(None, None, START);
        let mut waits = Vec::new();
        for _ in 0..12 {
            let now = stored.fresh_until;
            waits.push(now.since(stored.asked).as_secs());
            stored = trouble(Some(&stored), None, now);
        }
        assert_eq!(waits[..4], [300, 600, 1200, 2400]);
        assert_eq!(waits[9..], [86_400; 3]);
    }

    #[test]
    fn what_the_server_asks_for_is_kept_up_to_a_day() {
        let asks = |seconds| {
            let stored = trouble(None, Some(RetryAfter::Seconds(seconds)), START);
            stored.fresh_until.since(START).as_secs()
        };
        assert_eq!((asks(10), asks(7200), asks(u64::MAX)), (300, 7200, 86_400));
    }

    #[test]
    fn rules_once_read_stay_in_force_while_the_server_is_in_trouble() {
        let known = read("User-agent: *\nDisallow: /closed", START);
        let troubled = trouble(Some(&known), None, hours(24));
        assert_eq!(
            verdict(&troubled, "/closed", hours(24)),
            RobotsVerdict::Disallowed
        );
        assert_eq!(verdict(&troubled, "/open", hours(24)), ALLOWED);
    }

    #[test]
    fn nothing_is_allowed_while_nothing_is_known_until_a_month_has_gone() {
        let mut stored = trouble(None, None, START);
        for day in 1..30 {
            assert!(matches!(
                verdict(&stored, "/", hours(24 * day)),
                RobotsVerdict::Wait { .. }
            ));
            stored = trouble(Some(&stored), None, hours(24 * day));
        }
        assert_eq!(verdict(&stored, "/", hours(24 * 30)), ALLOWED);
        let recovered = Stored::next(
            Some(&stored),
            Outcome::Read(b"User-agent: *\nDisallow: /"),
            "example-bot",
            hours(24 * 31),
        );
        assert_eq!(
            verdict(&recovered, "/", hours(24 * 31)),
            RobotsVerdict::Disallowed
        );
    }

    proptest! {
        #[test]
        fn whatever_the_bytes_there_is_a_verdict(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            lines in "(User-agent|Disallow|Allow|Crawl-delay): ?[*/$a0-9.%]{0,6}\n",
        ) {
            let file = [lines.as_bytes(), &bytes].concat();
            let page = Url::parse("https://a.example/a%7E?b=*$").expect("a URL");
            let verdict = robots_file_verdict(&file, "example-bot", &page);
            let is_wait = matches!(verdict, RobotsVerdict::Wait { .. });
            prop_assert!(!is_wait);
        }
    }
}
