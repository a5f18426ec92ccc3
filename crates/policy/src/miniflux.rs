//! `miniflux-entry-frequency`: the rule of Miniflux's `entry_frequency`.

use std::collections::BTreeMap;

use recrawl_model::{Outcome, PageId, Timestamp};

use crate::due::{
    DUE_PAGE_BYTES, DuePlanner, Rule, SPEND_KEY, Schedule, Spend, Visited, seconds_after,
};
use crate::{Entry, Planner, Policy};

/// A week in seconds: the window entries are counted in.
const WEEK: f64 = 7.0 * 86_400.0;
/// `SCHEDULER_ENTRY_FREQUENCY_MIN_INTERVAL`, in minutes.
const LEAST: f64 = 5.0;
/// `SCHEDULER_ENTRY_FREQUENCY_MAX_INTERVAL`, in minutes: a day.
const MOST: f64 = 1_440.0;

/// Miniflux 2.3 with `entry_frequency` as shipped: the next visit comes after
/// a week over the weekly count of entries, within 5 minutes and a day, where
/// the count is extrapolated from the first and last entry of the past week
/// and is 0, so a day's wait, for fewer than two. A page has no entries, so
/// every change seen counts as one, dated by its last-modified time or, where
/// that is not told, by the visit. It has no budget of its own, so it gets
/// that of the others (see [`Spend`]).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MinifluxEntryFrequency {
    /// Which pages a cycle may visit; default [`Spend::All`].
    pub spend: Spend,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "miniflux-entry-frequency",
    summary: "Miniflux's entry frequency as shipped: a week over the weekly count",
    keys: &[SPEND_KEY],
    read: |arguments| {
        Ok(Box::new(MinifluxEntryFrequency {
            spend: Spend::take(arguments)?,
        }))
    },
};

impl Policy for MinifluxEntryFrequency {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(DuePlanner::new(Miniflux::default(), self.spend))
    }

    fn page_bytes(&self) -> usize {
        DUE_PAGE_BYTES
    }
}

/// The changes each page was seen to make in the week before its last visit.
/// Takes memory by changes, not by pages: pages without one are not in it.
#[derive(Default)]
struct Miniflux {
    recent: BTreeMap<PageId, Vec<Timestamp>>,
}

impl Miniflux {
    /// The weekly count Miniflux works out from entries of the past week: a
    /// week over the mean gap between them, rounded up; 0 for fewer than two,
    /// or if all have one date.
    fn weekly_count(&mut self, visit: &Visited<'_>) -> f64 {
        if visit.outcome == Outcome::Changed {
            let dated = visit.last_modified.unwrap_or(visit.at).min(visit.at);
            self.recent.entry(visit.page).or_default().push(dated);
        }
        let Some(dates) = self.recent.get_mut(&visit.page) else {
            return 0.0;
        };
        let week_ago = seconds_after(visit.at, -WEEK);
        dates.retain(|&date| date >= week_ago);
        let Some((first, last)) = dates.iter().min().zip(dates.iter().max()) else {
            self.recent.remove(&visit.page);
            return 0.0;
        };
        let gap = last.since(*first).as_secs_f64() / (dates.len() - 1).max(1) as f64;
        if gap > 0.0 { (WEEK / gap).ceil() } else { 0.0 }
    }
}

impl Rule for Miniflux {
    fn first_interval(&self) -> f32 {
        (MOST * 60.0) as f32
    }

    fn after(&mut self, visit: &Visited<'_>, _: f32) -> Schedule {
        let count = self.weekly_count(visit);
        let minutes = if count > 0.0 {
            (WEEK / 60.0 / count).round().clamp(LEAST, MOST)
        } else {
            MOST
        };
        Schedule {
            interval: (minutes * 60.0) as f32,
            due: seconds_after(visit.at, minutes * 60.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Summary;
    use recrawl_model::SiteId;

    /// Minutes to the next visit after changes seen at these hours.
    fn minutes_after(hours: &[i64]) -> f64 {
        let mut rule = Miniflux::default();
        let summary = Summary::unseen(SiteId(0));
        let mut wait = 0.0;
        for &hour in hours {
            let at = Timestamp::from_seconds(hour * 3_600);
            let visit = Visited {
                page: PageId(7),
                at,
                outcome: Outcome::Changed,
                last_modified: None,
                summary: &summary,
            };
            wait = rule.after(&visit, 0.0).due.days_since(at) * 1_440.0;
        }
        wait
    }

    #[test]
    fn fewer_than_two_changes_a_week_wait_a_day() {
        assert_eq!(minutes_after(&[0]), 1_440.0);
        assert_eq!(minutes_after(&[0, 200]), 1_440.0);
    }

    #[test]
    fn the_wait_is_the_mean_gap_of_the_week_by_a_whole_count() {
        // Gaps of 4 hours: 42 a week, 240 minutes.
        assert_eq!(minutes_after(&[0, 4, 8]), 240.0);
        // Gaps of 5 hours: 33.6, so 34 a week; 10,080/34 = 296.47 minutes.
        assert_eq!(minutes_after(&[0, 5, 10]), 296.0);
    }

    #[test]
    fn old_changes_are_forgotten() {
        // Of these only the last two lie in the past week, 8 hours apart.
        assert_eq!(minutes_after(&[0, 1, 200, 208]), 480.0);
    }
}
