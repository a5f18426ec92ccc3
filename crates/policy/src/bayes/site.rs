//! What is kept of a site: its pages' rates and how busy it is.

use recrawl_model::Timestamp;

use super::activity::Activity;
use super::calendar::Calendar;
use super::evidence::Prior;
use super::hierarchy::SiteRate;

/// Pages a site must have for its activity to be followed: fewer tell too
/// little of each other.
pub(super) const LEAST_PAGES: u32 = 2;

/// Intervals below which a site leans on the collection.
const FEW: u32 = 32;

/// One site.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) rate: SiteRate,
    /// Prior of its pages, the doubt about the site included.
    pub(super) page_prior: Prior,
    /// `None` for sites too small to have one.
    pub(super) activity: Option<Activity>,
    /// Intervals seen so far, and when the rate was last learned.
    pub(super) intervals: u32,
    pub(super) intervals_learned: u32,
}

/// Busy days behind a page, and the days ahead of them whose activity is open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wait {
    pub(super) past: f64,
    pub(super) open: f64,
}

impl Site {
    /// A site of which only that is known.
    pub(super) fn new(rate: SiteRate) -> Self {
        Self {
            rate,
            page_prior: rate.doubtful_prior(),
            activity: None,
            intervals: 0,
            intervals_learned: 0,
        }
    }

    /// Takes over what was learned of its rate.
    pub(super) fn set_rate(&mut self, rate: SiteRate) {
        self.rate = rate;
        self.page_prior = rate.doubtful_prior();
        self.intervals_learned = self.intervals;
    }

    /// Whether its rate is to be learned anew: it saw an eighth more intervals,
    /// so that learning costs a bounded part of each, or so few that the
    /// collection still has a say.
    pub(super) const fn is_due(&self) -> bool {
        self.intervals > self.intervals_learned + self.intervals_learned / 8
            || (self.intervals > 0 && self.intervals < FEW)
    }

    /// The wait of a page last seen at `from`, at `now`.
    pub(super) fn wait(&self, calendar: &Calendar, from: Timestamp, now: Timestamp) -> Wait {
        let Some(activity) = &self.activity else {
            return Wait {
                past: now.days_since(from).max(0.0),
                open: 0.0,
            };
        };
        let opened = calendar.at(activity.since);
        Wait {
            past: calendar.busy_days(&activity.busy, from, activity.since),
            open: now.days_since(opened.max(from)).max(0.0),
        }
    }

    /// How busy the site is believed to be.
    pub(super) fn busy(&self) -> f64 {
        self.activity.as_ref().map_or(1.0, Activity::mean)
    }

    /// Busy days of an interval that is over, once its activity is known.
    pub(super) fn busy_interval(
        &self,
        calendar: &Calendar,
        from: Timestamp,
        until: Timestamp,
    ) -> f64 {
        let (Some(activity), Some(end)) = (&self.activity, calendar.len().checked_sub(1)) else {
            return until.days_since(from);
        };
        let busy = &activity.busy;
        calendar.busy_days(busy, from, end) - calendar.busy_days(busy, until, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::activity::Levels;

    #[test]
    fn a_site_takes_less_than_a_kilobyte() {
        let most_boundaries = 65;
        let bytes = size_of::<Site>() + size_of::<Levels>() + most_boundaries * size_of::<f32>();
        assert!(bytes < 1_000, "{bytes}");
    }
}
