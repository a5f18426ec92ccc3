//! What is kept of a site: its pages' rates and how busy it is.

use recrawl_estimate::GammaFilter;
use recrawl_model::Timestamp;

use super::activity::Activity;
use super::calendar::{Calendar, days_between};
use super::evidence::Prior;
use super::hierarchy::{SHAPE_COUNT, Told};
use super::hints::Word;

/// Pages a site must have for its activity to be followed: fewer tell too
/// little of each other for the memory it takes.
pub(super) const LEAST_PAGES: u32 = 12;

/// Intervals below which a site leans on the collection.
const FEW: u32 = 32;

/// One site, in 40 bytes: many sites have a single page.
#[derive(Debug)]
pub(super) struct Site {
    mean: f32,
    shape: f32,
    sums: [f32; 2],
    /// In parts of 255; all 0 before pages were seen twice.
    odds: [u8; SHAPE_COUNT],
    /// Intervals seen so far, and when the rate was last learned.
    pub(super) intervals: u32,
    intervals_learned: u32,
    /// `None` for sites too small to have one.
    pub(super) activity: Option<Box<Activity>>,
}

/// Busy days behind a page, and the days ahead of them whose activity is open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wait {
    pub(super) past: f64,
    pub(super) open: f64,
}

impl Wait {
    /// Busy days in all, if the site is that busy.
    pub(super) fn days(self, level: f64) -> f64 {
        self.past + self.open * level
    }

    /// The same for a page that is so many times as likely to change as at a
    /// steady rate.
    pub(super) fn times(self, recency: f32) -> Self {
        let recency = f64::from(recency);
        Self {
            past: self.past * recency,
            open: self.open * recency,
        }
    }

    /// Takes what sources say of a page of that belief for a longer or shorter
    /// wait.
    pub(super) fn listen(&mut self, word: Word, belief: GammaFilter, level: f64) {
        let days = self.days(level);
        if days > 0.0 {
            let ratio = word.as_days(belief, days) / days;
            self.past *= ratio;
            self.open *= ratio;
        }
    }
}

impl Site {
    /// A site of which only that is known.
    pub(super) fn new(prior: Prior) -> Self {
        Self {
            mean: prior.mean as f32,
            shape: prior.shape as f32,
            sums: [0.0; 2],
            odds: [0; SHAPE_COUNT],
            intervals: 0,
            intervals_learned: 0,
            activity: None,
        }
    }

    /// Takes the prior of a site of which nothing is known.
    pub(super) fn set_prior(&mut self, prior: Prior) {
        self.mean = prior.mean as f32;
        self.shape = prior.shape as f32;
    }

    /// Takes over what was learned of its rate.
    pub(super) fn learn(&mut self, told: Told) {
        self.set_prior(told.prior);
        self.sums = told.sums.map(|sum| sum as f32);
        self.odds = told.odds.map(|odds| (odds * 255.0).round() as u8);
        self.intervals_learned = self.intervals;
    }

    /// The law of its pages' rates, its mean taken for certain.
    pub(super) fn prior(&self) -> Prior {
        Prior {
            mean: f64::from(self.mean),
            shape: f64::from(self.shape),
        }
    }

    /// The prior of a page where the site's mean is in doubt too, the
    /// collection counting for so many changes: relative variances add up.
    pub(super) fn page_prior(&self, collection: f64) -> Prior {
        let Prior { mean, shape } = self.prior();
        let changes = self.changes(collection);
        Prior {
            mean,
            shape: shape * changes / (shape + changes),
        }
    }

    /// The same as shape and weight (days), in few digits.
    #[inline]
    pub(super) fn quick_page_prior(&self, collection: f32) -> [f32; 2] {
        let changes = collection + self.sums[0];
        let shape = self.shape * changes / (self.shape + changes);
        [shape, shape / self.mean]
    }

    /// Changes its mean is known from, the collection counting for `collection`.
    pub(super) fn changes(&self, collection: f64) -> f64 {
        collection + f64::from(self.sums[0])
    }

    /// What was learned of its rate; `None` before pages were seen twice.
    pub(super) fn told(&self) -> Option<Told> {
        let told = self.odds.iter().any(|&odds| odds > 0);
        told.then(|| Told {
            prior: self.prior(),
            sums: self.sums.map(f64::from),
            odds: self.odds.map(|odds| f32::from(odds) / 255.0),
        })
    }

    /// Whether its rate is to be learned anew: it saw an eighth more intervals,
    /// so that learning costs a bounded part of each.
    pub(super) const fn is_due(&self) -> bool {
        let news = self.intervals - self.intervals_learned;
        news > self.intervals_learned / 8
    }

    /// Whether it saw so little that the collection still has a say.
    pub(super) const fn leans_on_others(&self) -> bool {
        self.intervals < FEW
    }

    /// The wait of a page last seen at `from`, at `now`.
    #[inline]
    pub(super) fn wait(&self, calendar: &Calendar, from: Timestamp, now: Timestamp) -> Wait {
        let Some(activity) = &self.activity else {
            return Wait {
                past: days_between(from, now).max(0.0),
                open: 0.0,
            };
        };
        let opened = calendar.at(activity.since);
        Wait {
            past: calendar.busy_days(&activity.busy, from, activity.since),
            open: days_between(opened.max(from), now).max(0.0),
        }
    }

    /// Whether its activity is followed and more visits of this cycle tell of it.
    pub(super) fn is_curious(&self) -> bool {
        let activity = self.activity.as_ref();
        activity.is_some_and(|activity| activity.is_curious())
    }

    /// Whether its pages change by themselves, not in bursts with the others: only
    /// then does the time since a change say something of one page.
    pub(super) fn is_steady(&self) -> bool {
        let activity = self.activity.as_ref();
        activity.is_none_or(|activity| activity.is_steady())
    }

    /// How busy the site is believed to be.
    pub(super) fn busy(&self) -> f64 {
        self.activity
            .as_ref()
            .map_or(1.0, |activity| activity.mean())
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
    use crate::bayes::evidence::Evidence;

    #[test]
    fn a_page_alone_on_its_site_takes_at_most_48_bytes() {
        assert!(size_of::<Site>() + size_of::<Evidence>() <= 48);
    }

    #[test]
    fn a_site_large_enough_to_be_followed_takes_at_most_48_bytes_a_page() {
        let most_boundaries = 55;
        let bytes = size_of::<Site>()
            + size_of::<Activity>()
            + most_boundaries * size_of::<f32>()
            + LEAST_PAGES as usize * size_of::<Evidence>();
        assert!(bytes <= 48 * LEAST_PAGES as usize, "{bytes}");
    }
}
