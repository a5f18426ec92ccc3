//! `nutch-adaptive`: the rule of Apache Nutch's `AdaptiveFetchSchedule`.

use recrawl_model::Outcome;

use crate::due::{
    DUE_PAGE_BYTES, DuePlanner, Rule, SPEND_KEY, Schedule, Spend, Visited, seconds_after,
};
use crate::{Entry, Planner, Policy};

const DAY: f32 = 86_400.0;
/// `db.fetch.interval.default`: 30 days, where a page starts.
const START: f32 = 30.0 * DAY;
/// `db.fetch.schedule.adaptive.inc_rate` in `nutch-default.xml`.
const INCREASE: f32 = 0.4;
/// `db.fetch.schedule.adaptive.dec_rate`.
const DECREASE: f32 = 0.2;
/// `db.fetch.schedule.adaptive.min_interval`, in seconds.
const LEAST: f32 = 60.0;
/// `db.fetch.schedule.adaptive.max_interval`: a year.
const MOST: f32 = 365.0 * DAY;
/// `db.fetch.schedule.adaptive.sync_delta_rate`.
const SYNC_RATE: f64 = 0.3;
/// `db.fetch.interval.max`: 90 days, for pages given up.
const GONE_MOST: f32 = 90.0 * DAY;
/// `db.fetch.retry.max`: failures after which a page counts as gone.
const RETRIES: u32 = 3;

/// Apache Nutch 1.22 with `AdaptiveFetchSchedule` and the values of
/// `nutch-default.xml`: the interval starts at 30 days and is multiplied by
/// 0.8 after a change and by 1.4 after none, within a minute and a year. Where
/// the page tells when it was last modified and was not modified since the
/// last visit, the interval is at least that age and the next visit comes 0.3
/// of the age sooner. A failed visit is tried again after a day, from the
/// third on after 1.5 times the interval. It has no budget of its own, so it
/// gets that of the others (see [`Spend`]).
///
/// Since January 2026 the shift is lost for pages older than the maximum over
/// 0.3, by a division that rounds to zero; so it is here.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NutchAdaptive {
    /// Which pages a cycle may visit; default [`Spend::All`].
    pub spend: Spend,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "nutch-adaptive",
    summary: "Apache Nutch's adaptive schedule as shipped: interval x 0.8 or x 1.4",
    keys: &[SPEND_KEY],
    read: |arguments| {
        Ok(Box::new(NutchAdaptive {
            spend: Spend::take(arguments)?,
        }))
    },
};

impl Policy for NutchAdaptive {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(DuePlanner::new(Nutch, self.spend))
    }

    fn page_bytes(&self) -> usize {
        DUE_PAGE_BYTES
    }
}

struct Nutch;

impl Rule for Nutch {
    fn first_interval(&self) -> f32 {
        START
    }

    fn after(&mut self, visit: &Visited<'_>, interval: f32) -> Schedule {
        let mut interval = match visit.outcome {
            Outcome::Changed => interval * (1.0 - DECREASE),
            Outcome::Unchanged => interval * (1.0 + INCREASE),
            Outcome::First => interval,
            Outcome::Unknown => return failed(visit, interval),
        };
        // A modified page counts as modified at the visit itself.
        let age = match (visit.outcome, visit.last_modified) {
            (Outcome::Changed, _) | (_, None) => 0.0,
            (_, Some(modified)) => visit.at.since(modified).as_secs_f64().floor(),
        };
        interval = interval.max(age as f32);
        let shift = age * SYNC_RATE;
        let shift = if shift > f64::from(MOST) { 0.0 } else { shift };
        let interval = interval.clamp(LEAST, MOST);
        Schedule {
            interval,
            due: seconds_after(visit.at, f64::from(interval) - shift),
        }
    }
}

fn failed(visit: &Visited<'_>, interval: f32) -> Schedule {
    if visit.summary.failures() + 1 < RETRIES {
        let due = seconds_after(visit.at, f64::from(DAY));
        return Schedule { interval, due };
    }
    let longer = interval * 1.5;
    let interval = if longer < GONE_MOST {
        longer
    } else {
        0.9 * GONE_MOST
    };
    Schedule {
        interval,
        due: seconds_after(visit.at, f64::from(interval)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Summary;
    use recrawl_model::{PageId, SiteId, Timestamp};

    fn after(outcome: Outcome, age_days: Option<i64>, interval: f32) -> (f32, f64) {
        let at = Timestamp::from_seconds(1_000 * 86_400);
        let summary = Summary::unseen(SiteId(0));
        let visit = Visited {
            page: PageId(0),
            at,
            outcome,
            last_modified: age_days.map(|days| Timestamp::from_seconds((1_000 - days) * 86_400)),
            summary: &summary,
        };
        let schedule = Nutch.after(&visit, interval * DAY);
        (schedule.interval / DAY, schedule.due.days_since(at))
    }

    #[test]
    fn the_interval_shrinks_by_a_fifth_or_grows_by_two() {
        assert_eq!(after(Outcome::Changed, None, 10.0), (8.0, 8.0));
        assert_eq!(after(Outcome::Unchanged, None, 10.0), (14.0, 14.0));
        assert_eq!(after(Outcome::First, None, 30.0), (30.0, 30.0));
    }

    #[test]
    fn it_stays_within_a_minute_and_a_year() {
        assert_eq!(after(Outcome::Unchanged, None, 300.0).0, 365.0);
        let (interval, _) = after(Outcome::Changed, None, 70.0 / DAY);
        assert!((interval * DAY - 60.0).abs() < 1e-3);
    }

    #[test]
    fn an_old_page_waits_for_its_age_less_three_tenths() {
        // 10 days x 1.4 = 14 is below the age of 20 days; 20 - 0.3 x 20 = 14.
        assert_eq!(after(Outcome::Unchanged, Some(20), 10.0), (20.0, 14.0));
        // After a change the age is zero, whatever the header says.
        assert_eq!(after(Outcome::Changed, Some(20), 10.0), (8.0, 8.0));
    }

    #[test]
    fn a_failed_visit_is_tried_again_the_next_day() {
        assert_eq!(after(Outcome::Unknown, None, 10.0), (10.0, 1.0));
    }

    #[test]
    fn the_third_failure_waits_half_as_long_again_as_the_interval() {
        let at = Timestamp::from_seconds(0);
        let mut summary = Summary::unseen(SiteId(0));
        for _ in 0..2 {
            summary.observe(at, Outcome::Unknown).expect("in order");
        }
        let visit = Visited {
            page: PageId(0),
            at,
            outcome: Outcome::Unknown,
            last_modified: None,
            summary: &summary,
        };
        for (interval, next) in [(10.0, 15.0), (70.0, 81.0)] {
            let schedule = Nutch.after(&visit, interval * DAY);
            assert_eq!(schedule.interval / DAY, next);
        }
    }

    #[test]
    fn the_share_of_visits_that_find_a_change_is_a_constant_of_the_rule() {
        // PEERS 1.2: p ln(1 - d) + (1 - p) ln(1 + a) = 0 gives 0.601.
        let (up, down) = (
            f64::from(1.0 + INCREASE).ln(),
            f64::from(1.0 - DECREASE).ln(),
        );
        assert!((up / (up - down) - 0.601).abs() < 5e-4);
    }
}
