//! A site together with its activity: [`Followed`].

use std::ops::Deref;

use recrawl_model::Timestamp;

use super::activity::Activity;
use super::calendar::{Calendar, days_between};
use super::silence::Silence;
use super::site::{Site, Wait};

/// A site, and its activity if that is followed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Followed<'a> {
    site: &'a Site,
    /// `None` for sites too small to have one.
    pub(super) activity: Option<&'a Activity>,
}

impl Deref for Followed<'_> {
    type Target = Site;

    fn deref(&self) -> &Site {
        self.site
    }
}

impl<'a> Followed<'a> {
    /// A site whose activity is among these.
    #[inline]
    pub(super) fn new(site: &'a Site, activities: &'a [Activity]) -> Self {
        let activity = site.place().and_then(|place| activities.get(place));
        Self { site, activity }
    }

    /// The wait of a page last seen at `from`, at `now`.
    #[inline]
    pub(super) fn wait(&self, calendar: &Calendar, from: Timestamp, now: Timestamp) -> Wait {
        let Some(activity) = self.activity else {
            return Wait {
                past: days_between(from, now).max(0.0),
                open: 0.0,
            };
        };
        let opened = calendar.at(activity.since());
        Wait {
            past: calendar.busy_days(&activity.busy, from, activity.since()),
            open: days_between(opened.max(from), now).max(0.0),
        }
    }

    /// Whether its activity is followed and more visits of this cycle tell of it.
    pub(super) fn is_curious(&self) -> bool {
        self.activity.is_some_and(Activity::is_curious)
    }

    /// Whether its pages change by themselves, not in bursts with the others: only
    /// then does the time since a change say something of one page.
    pub(super) fn is_steady(&self) -> bool {
        self.activity.is_none_or(Activity::is_steady)
    }

    /// How busy the site is believed to be.
    pub(super) fn busy(&self) -> f64 {
        self.activity.map_or(1.0, Activity::mean)
    }

    /// The same if it is awake.
    pub(super) fn awake(&self) -> f64 {
        self.activity.map_or(1.0, Activity::awake)
    }

    /// What is believed of its silence.
    pub(super) fn silence(&self) -> Silence {
        self.activity
            .map_or_else(Silence::default, |activity| activity.silence)
    }

    /// Busy days of an interval that is over, once its activity is known.
    pub(super) fn busy_interval(
        &self,
        calendar: &Calendar,
        from: Timestamp,
        until: Timestamp,
    ) -> f64 {
        let (Some(activity), Some(end)) = (self.activity, calendar.len().checked_sub(1)) else {
            return until.days_since(from);
        };
        let busy = &activity.busy;
        calendar.busy_days(busy, from, end) - calendar.busy_days(busy, until, end)
    }
}
