//! What pages say at a visit of their own last change, and how far it is trusted.

use std::collections::BTreeMap;
use std::time::Duration;

use recrawl_model::{SiteId, Timestamp};

use super::hints::{COLLECTION_WEIGHT, DOUBT, Experience};

/// Least share of changed pages whose date must say so, and most of unchanged ones
/// whose date may, for dates to be believed: servers that put the time of the
/// answer there are found out by the latter.
const LEAST_OF_CHANGED: f64 = 0.8;
const MOST_OF_UNCHANGED: f64 = 0.1;

/// HTTP dates are of whole seconds: between visits nearer to each other than this
/// they cannot say when a page changed.
const LEAST_INTERVAL: Duration = Duration::from_secs(100);

/// How dates and content went together.
#[derive(Debug, Default)]
pub(super) struct Dates {
    all: Experience,
    sites: BTreeMap<SiteId, Experience>,
}

impl Dates {
    /// Takes in the date that a page seen before at `from` came with at `until`.
    /// Gives it back if it tells when the page last changed: it did, says so, and
    /// such dates were right so far. Dates are too coarse for visits that are close.
    pub(super) fn heard(
        &mut self,
        site: SiteId,
        date: Timestamp,
        [from, until]: [Timestamp; 2],
        changed: bool,
    ) -> Option<Timestamp> {
        if until < from.after(LEAST_INTERVAL) {
            return None;
        }
        let (said, date) = (date > from, date.min(until));
        let of_site = self.sites.entry(site).or_default();
        let all = self.all.trust(DOUBT, None);
        let trust = of_site.trust(COLLECTION_WEIGHT, Some(all));
        self.all.add(said, changed);
        of_site.add(said, changed);
        let right = trust.of_changed > LEAST_OF_CHANGED && trust.of_unchanged < MOST_OF_UNCHANGED;
        (said && changed && right).then_some(date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(n: i64) -> Timestamp {
        Timestamp::from_seconds(n * 86_400)
    }

    /// What is believed of a date after so many visits in turn of a page that has
    /// changed and one that has not, which `said` dates.
    fn after(visits: i64, said: impl Fn(i64, bool) -> Timestamp) -> Option<Timestamp> {
        let mut dates = Dates::default();
        let mut last = None;
        for visit in 0..visits {
            for changed in [false, true] {
                let interval = [day(10 * visit), day(10 * visit + 10)];
                last = dates.heard(SiteId(3), said(visit, changed), interval, changed);
            }
        }
        last
    }

    /// The fourth day of the interval if the page changed, else long before it.
    fn honest(visit: i64, changed: bool) -> Timestamp {
        day(if changed { 10 * visit + 4 } else { -5 })
    }

    #[test]
    fn dates_are_believed_once_they_were_right_often_enough() {
        assert_eq!(after(2, honest), None);
        assert_eq!(after(200, honest), Some(day(1_994)));
    }

    #[test]
    fn servers_that_tell_the_time_of_the_answer_are_found_out() {
        assert_eq!(after(200, |visit, _| day(10 * visit + 10)), None);
    }

    #[test]
    fn dates_that_stay_behind_say_nothing() {
        assert_eq!(after(200, |_, _| day(-5)), None);
    }

    #[test]
    fn dates_of_whole_seconds_say_nothing_where_visits_are_as_close() {
        let mut dates = Dates::default();
        let at = Timestamp::from_seconds;
        for second in 0..400 {
            let interval = [at(second), at(second + 1)];
            assert_eq!(dates.heard(SiteId(3), at(second + 1), interval, true), None);
        }
        assert!(dates.sites.is_empty());
    }

    #[test]
    fn a_date_in_the_future_counts_as_the_visit() {
        let ahead = |visit: i64, changed| {
            if changed {
                day(10 * visit + 30)
            } else {
                day(-5)
            }
        };
        assert_eq!(after(200, ahead), Some(day(2_000)));
    }
}
