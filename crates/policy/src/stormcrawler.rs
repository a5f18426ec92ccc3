//! `stormcrawler-adaptive`: the rule of Apache StormCrawler's
//! `AdaptiveScheduler`.

use recrawl_model::Outcome;

use crate::due::{
    DUE_PAGE_BYTES, DuePlanner, Rule, SPEND_KEY, Schedule, Spend, Visited, seconds_after,
};
use crate::{Entry, Planner, Policy};

/// `fetchInterval.default` in minutes: where a page starts.
const START: f32 = 1_440.0;
/// `fetchInterval.fetch.error` in minutes.
const AFTER_ERROR: f32 = 120.0;
/// `scheduler.adaptive.fetchInterval.min` in minutes.
const LEAST: f32 = 60.0;
/// `scheduler.adaptive.fetchInterval.max` in minutes: 14 days.
const MOST: f32 = 20_160.0;
/// `scheduler.adaptive.fetchInterval.rate.incr` and `.decr`.
const RATE: f32 = 0.5;

/// Apache StormCrawler 3.4 with `AdaptiveScheduler` as shipped, in whole
/// minutes: the interval starts at a day, halves its distance to an hour after
/// a change, and grows by half after none, up to 14 days. A failed visit
/// forgets interval and signature: the page is tried again after 2 hours, and
/// the visit after that starts anew at a day. It has no budget of its own, so
/// it gets that of the others (see [`Spend`]).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StormcrawlerAdaptive {
    /// Which pages a cycle may visit; default [`Spend::All`].
    pub spend: Spend,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "stormcrawler-adaptive",
    summary: "Apache StormCrawler's adaptive schedule as shipped",
    keys: &[SPEND_KEY],
    read: |arguments| {
        Ok(Box::new(StormcrawlerAdaptive {
            spend: Spend::take(arguments)?,
        }))
    },
};

impl Policy for StormcrawlerAdaptive {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(DuePlanner::new(Stormcrawler, self.spend))
    }

    fn page_bytes(&self) -> usize {
        DUE_PAGE_BYTES
    }
}

struct Stormcrawler;

/// Whole minutes, as the rule keeps them, in seconds.
fn minutes(count: f32) -> f32 {
    count.trunc() * 60.0
}

impl Rule for Stormcrawler {
    fn first_interval(&self) -> f32 {
        minutes(START)
    }

    fn after(&mut self, visit: &Visited<'_>, interval: f32) -> Schedule {
        // After a failure the signature is gone and nothing can be compared.
        let comparable = visit.summary.failures() == 0;
        let (interval, wait) = match visit.outcome {
            Outcome::Unknown => (minutes(START), minutes(AFTER_ERROR)),
            Outcome::Changed if comparable => {
                let next = minutes((1.0 - RATE) * interval / 60.0 + RATE * LEAST);
                (next, next)
            }
            Outcome::Unchanged if comparable => {
                let next = minutes(interval / 60.0 * (1.0 + RATE)).min(minutes(MOST));
                (next, next)
            }
            _ => (minutes(START), minutes(START)),
        };
        Schedule {
            interval,
            due: seconds_after(visit.at, f64::from(wait)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Summary;
    use recrawl_model::{PageId, SiteId, Timestamp};

    fn after(outcomes: &[Outcome]) -> (f32, f64) {
        let mut summary = Summary::unseen(SiteId(0));
        let mut interval = Stormcrawler.first_interval();
        let mut wait = 0.0;
        for (hour, &outcome) in (0..).zip(outcomes) {
            let at = Timestamp::from_seconds(hour * 3_600);
            let visit = Visited {
                page: PageId(0),
                at,
                outcome,
                last_modified: None,
                summary: &summary,
            };
            let schedule = Stormcrawler.after(&visit, interval);
            interval = schedule.interval;
            wait = schedule.due.days_since(at) * 1_440.0;
            summary.observe(at, outcome).expect("in order");
        }
        (interval / 60.0, wait)
    }

    #[test]
    fn a_change_halves_the_distance_to_an_hour() {
        use Outcome::{Changed, First};
        assert_eq!(after(&[First]), (1_440.0, 1_440.0));
        assert_eq!(after(&[First, Changed]), (750.0, 750.0));
        assert_eq!(after(&[First, Changed, Changed]), (405.0, 405.0));
        // 405/2 + 30 = 232.5, whole minutes.
        assert_eq!(after(&[First, Changed, Changed, Changed]).0, 232.0);
    }

    #[test]
    fn no_change_adds_a_half_up_to_fourteen_days() {
        let mut outcomes = vec![Outcome::First, Outcome::Unchanged];
        assert_eq!(after(&outcomes).0, 2_160.0);
        outcomes.extend([Outcome::Unchanged; 20]);
        assert_eq!(after(&outcomes), (20_160.0, 20_160.0));
    }

    #[test]
    fn one_failure_forgets_everything() {
        use Outcome::{Changed, First, Unknown};
        assert_eq!(after(&[First, Changed, Unknown]), (1_440.0, 120.0));
        assert_eq!(
            after(&[First, Changed, Unknown, Changed]),
            (1_440.0, 1_440.0)
        );
    }

    #[test]
    fn the_share_of_visits_that_find_a_change_is_a_constant_of_the_rule() {
        // PEERS 1.2: far above the minimum, 0.369.
        let (up, down) = (f64::from(1.0 + RATE).ln(), f64::from(1.0 - RATE).ln());
        assert!((up / (up - down) - 0.369).abs() < 5e-4);
    }
}
