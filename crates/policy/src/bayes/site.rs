//! What is kept of a site: its pages' rates and how busy it is.

use std::num::NonZeroU32;

use recrawl_estimate::GammaFilter;

use super::evidence::Prior;
use super::half::Half;
use super::hierarchy::{SHAPE_COUNT, Told};
use super::hints::Word;

/// Pages a site must have for its activity to be followed: fewer tell too
/// little of each other for the memory it takes.
pub(super) const LEAST_PAGES: u32 = 17;

/// Intervals below which a site leans on the collection.
const FEW: u32 = 32;

/// Intervals from which on a site is known well.
const MANY: u32 = 1_024;

/// One site, in 28 bytes: many sites have a single page.
#[derive(Debug)]
pub(super) struct Site {
    mean: f32,
    shape: Half,
    sums: [Half; 2],
    /// Intervals seen since the rate was last learned, at most [`u16::MAX`].
    news: u16,
    /// How likely each shape makes what its pages show, in parts of 255; all 0
    /// before pages were seen twice.
    likely: [u8; SHAPE_COUNT],
    /// Intervals seen so far.
    pub(super) intervals: u32,
    /// The number of its activity among those that are followed, counted from 1;
    /// `None` for sites too small to have one.
    activity: Option<NonZeroU32>,
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
            shape: Half::new(prior.shape as f32),
            sums: [Half::default(); 2],
            news: 0,
            likely: [0; SHAPE_COUNT],
            intervals: 0,
            activity: None,
        }
    }

    /// Takes the prior of a site of which nothing is known.
    pub(super) fn set_prior(&mut self, prior: Prior) {
        self.mean = prior.mean as f32;
        self.shape = Half::new(prior.shape as f32);
    }

    /// Takes over what was learned of its rate.
    pub(super) fn learn(&mut self, told: Told) {
        self.set_prior(told.prior);
        self.sums = told.sums.map(|sum| Half::new(sum as f32));
        self.likely = told.likely.map(|likely| (likely * 255.0).round() as u8);
        self.news = 0;
    }

    /// The law of its pages' rates, its mean taken for certain.
    pub(super) fn prior(&self) -> Prior {
        Prior {
            mean: f64::from(self.mean),
            shape: f64::from(self.shape.get()),
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
        let (changes, shape) = (collection + self.sums[0].get(), self.shape.get());
        let shape = shape * changes / (shape + changes);
        [shape, shape / self.mean]
    }

    /// Changes its mean is known from, the collection counting for `collection`.
    pub(super) fn changes(&self, collection: f64) -> f64 {
        collection + f64::from(self.sums[0].get())
    }

    /// What was learned of its rate; `None` before pages were seen twice.
    pub(super) fn told(&self) -> Option<Told> {
        let told = self.likely.iter().any(|&likely| likely > 0);
        told.then(|| Told {
            prior: self.prior(),
            sums: self.sums.map(|sum| f64::from(sum.get())),
            likely: self.likely.map(|likely| f32::from(likely) / 255.0),
        })
    }

    /// Whether its rate is to be learned anew: it saw an eighth more intervals, or
    /// a sixth where it is well known, so that learning costs a bounded part of each.
    pub(super) fn is_due(&self) -> bool {
        let news = u32::from(self.news);
        let known = self.intervals.saturating_sub(news);
        let part = if known < MANY { 8 } else { 6 };
        news > known / part || self.news == u16::MAX
    }

    /// Counts an interval.
    pub(super) const fn count(&mut self) {
        self.intervals = self.intervals.saturating_add(1);
        self.news = self.news.saturating_add(1);
    }

    /// Where its activity is among those that are followed.
    #[inline]
    pub(super) fn place(&self) -> Option<usize> {
        self.activity.map(|number| number.get() as usize - 1)
    }

    /// Has its activity followed, the last of so many.
    pub(super) fn follow(&mut self, activities: usize) {
        self.activity = u32::try_from(activities).ok().and_then(NonZeroU32::new);
    }

    /// Whether it saw so little that the collection still has a say.
    pub(super) const fn leans_on_others(&self) -> bool {
        self.intervals < FEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::activity::Activity;
    use crate::bayes::evidence::Evidence;
    use crate::bayes::ways::Second;

    /// Bytes of a page that may change its ways.
    const PAGE: usize = size_of::<Evidence>() + size_of::<Second>();

    #[test]
    fn a_page_alone_on_its_site_takes_at_most_48_bytes() {
        assert!(size_of::<Site>() + PAGE <= 48);
    }

    #[test]
    fn a_site_large_enough_to_be_followed_takes_at_most_48_bytes_a_page() {
        let most_boundaries = 55;
        let bytes = size_of::<Site>()
            + size_of::<Activity>()
            + most_boundaries * size_of::<f32>()
            + LEAST_PAGES as usize * PAGE;
        assert!(bytes <= 48 * LEAST_PAGES as usize, "{bytes}");
    }

    #[test]
    fn a_site_is_due_after_an_eighth_more_intervals_however_many_it_saw() {
        let prior = Prior {
            mean: 0.1,
            shape: 0.5,
        };
        let mut site = Site::new(prior);
        assert!(!site.is_due());
        site.count();
        assert!(site.is_due());
        site.intervals = 800;
        site.news = 0;
        (0..100).for_each(|_| site.count());
        assert!(!site.is_due());
        site.count();
        assert!(site.is_due());
        site.intervals = u32::MAX;
        site.news = 0;
        (0..u32::from(u16::MAX)).for_each(|_| site.count());
        assert!(site.is_due());
    }
}
