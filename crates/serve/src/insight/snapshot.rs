//! What the view says at one moment: [`Snapshot`].

use std::time::Duration;

use recrawl_engine::{MOST_REPLAYED_CYCLES, PolicyError, Scheduler};
use recrawl_model::{Budget, Observation, PageId, SiteId, Timestamp, Weight};
use recrawl_store::Standing;

use crate::view::{Observations, View};

/// The length of cycles where the log knows none and no page was visited twice.
const USUAL_CYCLE: Duration = Duration::from_secs(86_400);

/// Gaps between visits looked at to tell how long a cycle is.
const GAPS: usize = 10_000;

/// Pages and observations at one moment, cheap to take and free to read for as
/// long as it takes: full blocks of observations are shared, columns copied.
#[derive(Debug)]
pub(crate) struct Snapshot {
    sites: Vec<u32>,
    weights: Vec<Weight>,
    standings: Vec<Standing>,
    added: Vec<Timestamp>,
    newest: Vec<u32>,
    pub(crate) observations: Observations,
    beginnings: Vec<Timestamp>,
    /// Length and visits of the newest cycle.
    pub(crate) cycle: Option<(Duration, f64)>,
}

impl Snapshot {
    pub(crate) fn take(view: &View) -> Self {
        let newest = view.cycles.newest_first().next();
        Self {
            sites: view.pages.site.clone(),
            weights: view.pages.weight.clone(),
            standings: view.pages.standing.clone(),
            added: view.pages.added.clone(),
            newest: view.pages.newest.clone(),
            observations: view.observations.clone(),
            beginnings: view.cycles.beginnings(),
            cycle: newest.map(|cycle| (cycle.length, cycle.budget.in_downloads())),
        }
    }

    pub(crate) fn pages(&self) -> usize {
        self.sites.len()
    }

    /// Number of a page's newest observation.
    pub(crate) fn newest(&self, page: usize) -> u32 {
        self.newest[page]
    }

    pub(crate) fn site(&self, page: usize) -> u32 {
        self.sites[page]
    }

    pub(crate) fn is_watched(&self, page: usize) -> bool {
        matches!(self.standings[page], Standing::Watched | Standing::Gone)
    }

    /// The length of a cycle: as the log says, otherwise the median gap between
    /// two visits of a page.
    pub(crate) fn cycle_length(&self) -> Duration {
        if let Some((length, _)) = self.cycle {
            return length;
        }
        let pages = self.newest.iter().filter(|&&newest| newest > 0);
        let mut gaps: Vec<Duration> = pages
            .flat_map(|&newest| {
                let times: Vec<Timestamp> = self
                    .observations
                    .chain(newest)
                    .take(8)
                    .map(|(_, kept)| kept.at)
                    .collect();
                let pairs = times.windows(2).map(|pair| pair[0].since(pair[1]));
                pairs.collect::<Vec<_>>()
            })
            .filter(|gap| !gap.is_zero())
            .take(GAPS)
            .collect();
        gaps.sort_unstable();
        gaps.get(gaps.len() / 2).copied().unwrap_or(USUAL_CYCLE)
    }

    /// An engine that knows what the log said before `until`, as a watcher has
    /// it that opens the store then.
    pub(crate) fn scheduler(
        &self,
        policy: &str,
        until: Timestamp,
    ) -> Result<Scheduler, PolicyError> {
        let policy = recrawl_policy::parse(policy)?;
        let mut scheduler = Scheduler::new(policy.as_ref(), 1);
        scheduler.visit_newcomers_first();
        scheduler.reserve(self.pages());
        for (&site, &weight) in self.sites.iter().zip(&self.weights) {
            scheduler.add_page(SiteId(site), weight);
        }
        let beginnings = self.beginnings_before(until);
        let mut beginnings = beginnings.into_iter().peekable();
        for kept in self.observations.iter().filter(|kept| kept.at < until) {
            while let Some(at) = beginnings.next_if(|&at| at <= kept.at) {
                scheduler.begin_cycle(Budget::downloads(0), at)?;
            }
            // Older than what is known: the newer one stands.
            let _ = scheduler.record(kept.page, Observation::new(kept.at, kept.outcome));
        }
        for at in beginnings {
            scheduler.begin_cycle(Budget::downloads(0), at)?;
        }
        for page in 0..self.pages() {
            if !self.is_watched(page) || self.added[page] > until {
                scheduler.remove_page(PageId(page as u32));
            }
        }
        Ok(scheduler)
    }

    /// Beginnings of the last cycles before a moment; where the log knows none,
    /// as if there had been some all along.
    fn beginnings_before(&self, until: Timestamp) -> Vec<Timestamp> {
        let most = MOST_REPLAYED_CYCLES as usize;
        if self.beginnings.is_empty() {
            let length = self.cycle_length();
            let first = self
                .observations
                .iter()
                .next()
                .map_or(until, |kept| kept.at);
            let span = until.since(first).as_micros();
            let count = usize::try_from(span / length.as_micros().max(1)).unwrap_or(most);
            let step = i64::try_from(length.as_micros()).unwrap_or(i64::MAX);
            let back = |n: usize| until.micros().saturating_sub(step.saturating_mul(n as i64));
            let counts = (1..=count.min(most)).rev();
            return counts.map(|n| Timestamp::from_micros(back(n))).collect();
        }
        let end = self.beginnings.partition_point(|&at| at < until);
        self.beginnings[end.saturating_sub(most)..end].to_vec()
    }
}
