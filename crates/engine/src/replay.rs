//! Summaries rebuilt from a log: [`Scheduler::replay`] and
//! [`Scheduler::replay_in_cycles`].

use std::time::Duration;

use recrawl_model::{Budget, HistorySet, PageId, SiteId, Timestamp, Weight, WeightError};
use recrawl_policy::{Policy, PolicyError};
use thiserror::Error;

use crate::{ObserveError, Scheduler};

/// Most cycles a log is replayed in, the last ones: a policy may go through all
/// pages when a cycle begins, and what it keeps of cycles long past is little.
pub const MOST_REPLAYED_CYCLES: u32 = 256;

/// A log that cannot be replayed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ReplayError {
    /// A page with an impossible weight.
    #[error("page `{page}`: {error}")]
    Weight {
        /// The page's name.
        page: String,
        /// What is wrong with its weight.
        error: WeightError,
    },
    /// An observation that was not taken in.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// The policy refuses to start a cycle.
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

impl Scheduler {
    /// A scheduler that knows what the log knows, as if it had watched: the
    /// same summaries, and the same policy state but for chance. Pages keep
    /// the numbers they have in the set; sites are numbered in the order of
    /// [`HistorySet::sites`]. No budget is spent.
    ///
    /// # Errors
    /// [`ReplayError`] names the page.
    pub fn replay(policy: &dyn Policy, seed: u64, set: &HistorySet) -> Result<Self, ReplayError> {
        let mut scheduler = Self::holding(policy, seed, set)?;
        for page in set.pages() {
            for seen in set.history(page).observations() {
                scheduler.record(page, seen)?;
            }
        }
        Ok(scheduler)
    }

    /// As [`Self::replay`] for policies that also learn from cycles: takes the
    /// observations of all pages in order of time, and begins a cycle without a
    /// budget every `cycle` before `until`. An observation made when a cycle
    /// begins belongs to it. At most [`MOST_REPLAYED_CYCLES`] are begun, the
    /// last ones; what is older is taken in before the first of them. The cycle
    /// that starts at `until` is left to the caller.
    ///
    /// # Errors
    /// [`ReplayError`] names the page, or the policy that knows too much.
    pub fn replay_in_cycles(
        policy: &dyn Policy,
        seed: u64,
        set: &HistorySet,
        cycle: Duration,
        until: Timestamp,
    ) -> Result<Self, ReplayError> {
        let mut scheduler = Self::holding(policy, seed, set)?;
        let visits = in_order_of_time(set);
        let starts = match visits.first() {
            Some(&(first, _)) => cycle_starts(first, cycle, until),
            None => Vec::new(),
        };
        let mut starts = starts.into_iter().peekable();
        let mut next_row = vec![0usize; set.len()];
        for (at, page) in visits {
            while let Some(start) = starts.next_if(|&start| start <= at) {
                scheduler.begin_cycle(Budget::downloads(0), start)?;
            }
            let row = &mut next_row[page.index()];
            if let Some(seen) = set.history(page).get(*row) {
                scheduler.record(page, seen)?;
            }
            *row += 1;
        }
        for start in starts {
            scheduler.begin_cycle(Budget::downloads(0), start)?;
        }
        Ok(scheduler)
    }

    /// A scheduler with the pages of the log, of which nothing is known.
    fn holding(policy: &dyn Policy, seed: u64, set: &HistorySet) -> Result<Self, ReplayError> {
        let mut scheduler = Self::new(policy, seed);
        scheduler.reserve(set.len());
        let mut site_of = vec![SiteId(0); set.len()];
        for (site, (_, pages)) in (0..).zip(set.sites()) {
            for page in pages {
                site_of[page.index()] = SiteId(site);
            }
        }
        for page in set.pages() {
            let weight = Weight::new(set.weight(page)).map_err(|error| ReplayError::Weight {
                page: set.name(page).to_owned(),
                error,
            })?;
            scheduler.add_page(site_of[page.index()], weight);
        }
        Ok(scheduler)
    }
}

/// When each visit of a log was made and to which page, by time, then by page.
fn in_order_of_time(set: &HistorySet) -> Vec<(Timestamp, PageId)> {
    let mut visits = Vec::with_capacity(set.observations());
    for page in set.pages() {
        let times = set.history(page).observations();
        visits.extend(times.map(|seen| (seen.at, page)));
    }
    visits.sort_unstable();
    visits
}

/// Starts of the cycles before `until`, back to one that holds `first` or as
/// many as are replayed, earliest first.
fn cycle_starts(first: Timestamp, cycle: Duration, until: Timestamp) -> Vec<Timestamp> {
    let micros = i64::try_from(cycle.as_micros()).unwrap_or(i64::MAX).max(1);
    let mut starts = Vec::new();
    let mut start = until;
    while start > first && starts.len() < MOST_REPLAYED_CYCLES as usize {
        start = Timestamp::from_micros(start.micros().saturating_sub(micros));
        starts.push(start);
    }
    starts.reverse();
    starts
}
