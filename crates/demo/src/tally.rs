//! What a watcher of the demo caught, held against the truth: [`Tally`].

use recrawl_estimate::{Evidence, GammaFilter, cho_rate};
use recrawl_model::{HistoryBuf, Observation, Outcome, Timestamp};
use recrawl_watch::Visited;

use crate::world::World;

/// Counts of one watcher.
#[derive(Debug, Clone)]
pub struct Tally {
    began: Timestamp,
    /// Visits made.
    pub visits: u64,
    /// Visits that saw a change that had happened.
    pub caught: u64,
    /// Visits that saw a change where there was none: noise taken for news.
    pub mistaken: u64,
    histories: Vec<HistoryBuf>,
    /// The version each page had when last seen.
    versions: Vec<Option<usize>>,
    by_site: Vec<(u64, u64)>,
}

/// How far apart the server's and the watcher's idea of a visit's time may be,
/// in days: a request takes milliseconds, and a day is a second.
const SLACK: f64 = 0.1;

impl Tally {
    pub(crate) fn new(world: &World, began: Timestamp) -> Self {
        Self {
            began,
            visits: 0,
            caught: 0,
            mistaken: 0,
            histories: vec![HistoryBuf::new(); world.pages()],
            versions: vec![None; world.pages()],
            by_site: vec![(0, 0); world.sites().len()],
        }
    }

    /// Takes in a visit.
    pub(crate) fn count(&mut self, world: &World, visited: &Visited) {
        let page = visited.number.index();
        if page >= self.versions.len() {
            return;
        }
        self.visits += 1;
        let site = world
            .sites()
            .iter()
            .position(|site| site.pages.contains(&page));
        let seen = Observation::new(visited.time, visited.outcome);
        // Later than the last, but for a visit within a microsecond.
        let _ = self.histories[page].push(seen);
        if visited.outcome == Outcome::Unknown {
            return;
        }
        let day = visited.time.days_since(self.began);
        let before = self.versions[page];
        let now = world.state(page, day).version;
        let earlier = world.state(page, day - SLACK).version;
        let changed = before.is_some_and(|before| now != before || earlier != before);
        if visited.outcome == Outcome::Changed {
            if changed {
                self.caught += 1;
            } else {
                self.mistaken += 1;
            }
        }
        if let Some(site) = site {
            self.by_site[site].0 += 1;
            self.by_site[site].1 += u64::from(visited.outcome == Outcome::Changed && changed);
        }
        self.versions[page] = Some(now);
    }

    /// Changes caught a visit.
    #[must_use]
    pub fn change_ratio(&self) -> f64 {
        if self.visits == 0 {
            return 0.0;
        }
        self.caught as f64 / self.visits as f64
    }

    /// Visits of a site, and changes they caught.
    #[must_use]
    pub fn site(&self, site: usize) -> (u64, u64) {
        self.by_site[site]
    }

    /// The rates of a site's pages as visits tell them, a day: each page's own
    /// visits weighed with those of its whole site, by the two-number filter.
    /// `None` before two visits.
    #[must_use]
    pub fn rates(&self, pages: std::ops::Range<usize>) -> Vec<Option<f64>> {
        let histories: Vec<_> = self.histories[pages].iter().map(HistoryBuf::view).collect();
        let of_site = cho_rate(&Evidence::of(&histories)).unwrap_or(0.0);
        // One page's worth of what the site shows. A site that never changed
        // still might: half a change in the time it was watched.
        let watched: f64 = histories
            .iter()
            .flat_map(|history| history.intervals())
            .map(|interval| interval.days())
            .sum();
        let mean = of_site.max(0.5 / watched.max(1.0));
        let each = histories.iter().map(|history| {
            let mut filter = GammaFilter::new(1.0, 1.0 / mean).ok()?;
            let mut intervals = 0;
            for interval in history.intervals() {
                filter.observe(interval.days(), interval.changed);
                intervals += 1;
            }
            (intervals > 0).then(|| filter.mean())
        });
        each.collect()
    }

    /// The median over pages of how far the estimate is from the true rate, as
    /// a share of it. Pages that never change have no such share.
    #[must_use]
    pub fn median_rate_error(&self, world: &World) -> Option<f64> {
        let sites = world.sites().iter();
        let estimates = sites.flat_map(|site| self.rates(site.pages.clone()));
        let pages = (0..world.pages()).zip(estimates);
        let mut errors: Vec<f64> = pages
            .filter_map(|(page, estimate)| {
                let truth = world.rate(page);
                (truth > 0.0).then(|| Some((estimate? / truth - 1.0).abs()))?
            })
            .collect();
        errors.sort_by(f64::total_cmp);
        errors.get(errors.len() / 2).copied()
    }
}
