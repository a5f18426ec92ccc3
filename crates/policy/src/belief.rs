//! A belief about each page's rate, sixteen bytes a page.

use recrawl_estimate::{GammaFilter, PRIOR_SHAPE, PRIOR_WEIGHT};
use recrawl_model::{Outcome, PageId, Timestamp};

use crate::{Collection, Seen};

/// Gamma beliefs of all pages, learned interval by interval.
///
/// A page's prior is half a change in half its first interval. A page without
/// an interval is believed to be like a page whose first interval was the mean
/// of all first intervals, or the wait so far where there is none.
#[derive(Debug, Default)]
pub(crate) struct Beliefs {
    /// Meaningful where the page's summary has an interval.
    pages: Vec<[f64; 2]>,
    first_days: f64,
    first_intervals: u32,
}

impl Beliefs {
    /// Bytes a page: the filter's two numbers.
    pub(crate) const PAGE_BYTES: usize = size_of::<[f64; 2]>();

    /// Makes room for the pages of a collection.
    pub(crate) fn grow(&mut self, slots: usize) {
        if slots > self.pages.capacity() {
            // A quarter more, not twice as much: columns of millions of pages.
            let more = slots - self.pages.len();
            self.pages.reserve_exact(more.max(self.pages.len() / 4));
        }
        if slots > self.pages.len() {
            self.pages.resize(slots, [0.0; 2]);
        }
    }

    /// Learns from visits; summaries are as before them.
    pub(crate) fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        self.grow(collection.slots());
        for (&page, &outcome) in seen.pages.iter().zip(seen.outcomes) {
            let changed = match outcome {
                Outcome::Changed => true,
                Outcome::Unchanged => false,
                Outcome::First | Outcome::Unknown => continue,
            };
            let Some(last) = collection.summary(page).last() else {
                continue; // the first visit, whatever it says
            };
            let days = seen.at.days_since(last);
            if let Some(mut belief) = self.before(collection, page, days) {
                belief.observe(days, changed);
                self.pages[page.index()] = [belief.shape(), belief.weight()];
            }
        }
    }

    /// The belief before an interval of so many days.
    fn before(&mut self, collection: &Collection, page: PageId, days: f64) -> Option<GammaFilter> {
        if collection.summary(page).intervals() > 0 {
            return self.held(page);
        }
        let prior = prior(days)?;
        self.first_days += days;
        self.first_intervals = self.first_intervals.saturating_add(1);
        Some(prior)
    }

    fn held(&self, page: PageId) -> Option<GammaFilter> {
        let &[shape, weight] = self.pages.get(page.index())?;
        GammaFilter::new(shape, weight).ok()
    }

    /// What is believed of a page at `now`; `None` if it was never seen, or
    /// was seen just now.
    pub(crate) fn get(
        &self,
        collection: &Collection,
        page: PageId,
        now: Timestamp,
    ) -> Option<GammaFilter> {
        let unseen = collection.summary(page).days_unseen(now)?;
        if collection.summary(page).intervals() > 0 {
            return self.held(page);
        }
        let typical = if self.first_intervals > 0 {
            self.first_days / f64::from(self.first_intervals)
        } else {
            unseen
        };
        prior(typical)
    }
}

fn prior(days: f64) -> Option<GammaFilter> {
    GammaFilter::new(PRIOR_SHAPE, PRIOR_WEIGHT * days).ok()
}
