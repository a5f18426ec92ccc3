//! Summaries rebuilt from a log: [`Scheduler::replay`].

use recrawl_model::{HistorySet, SiteId, Weight, WeightError};
use recrawl_policy::Policy;
use thiserror::Error;

use crate::{ObserveError, Scheduler};

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
        for page in set.pages() {
            for seen in set.history(page).observations() {
                scheduler.record(page, seen)?;
            }
        }
        Ok(scheduler)
    }
}
