//! `subset`: greedy on a part of the sites, another part each cycle.

use recrawl_model::{Cost, Explanation, PageId, SiteId, Timestamp};

use crate::arguments::Key;
use crate::samples::{SAMPLE_COST_KEY, SAMPLES_KEY, Samples};
use crate::site_rank::{shuffle, sites_with_pages};
use crate::two_stage::{Allocation, TwoStagePlanner};
use crate::{Collection, Desk, Entry, Planner, Policy, Seen};

/// The share of sites in the high peak of the paper's data (its Fig. 5).
const PEAK: f64 = 0.18;

/// Where the budget is too small to sample every site, samples and downloads
/// only from one group of sites a cycle, each group in turn. Groups are sized
/// so that the budget pays for the share of pages that lie on sites of the
/// high peak: section 3.5 of Cho & Ntoulas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subset {
    /// Share of pages on sites that change much; default 0.18.
    pub peak: f64,
    /// Pages sampled of each site of the group; default [`Samples::Auto`].
    pub samples: Samples,
    /// Cost of a sample; default one download.
    pub sample_cost: Cost,
}

impl Default for Subset {
    fn default() -> Self {
        Self {
            peak: PEAK,
            samples: Samples::Auto,
            sample_cost: Cost::DOWNLOAD,
        }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "subset",
    summary: "greedy on one group of sites a cycle, for small budgets",
    keys: &[
        Key {
            name: "peak",
            default: "0.18",
            meaning: "share of pages on sites that change much; the budget pays for it in a group",
        },
        SAMPLES_KEY,
        SAMPLE_COST_KEY,
    ],
    read: |arguments| {
        Ok(Box::new(Subset {
            peak: arguments.number("peak", PEAK, "a share above 0 and at most 1", |share| {
                share > 0.0 && share <= 1.0
            })?,
            samples: Samples::take(arguments)?,
            sample_cost: arguments.sample_cost()?,
        }))
    },
};

impl Policy for Subset {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(SubsetPlanner {
            peak: self.peak,
            inner: TwoStagePlanner::new(self.samples, self.sample_cost, Allocation::BestFirst),
            ring: Vec::new(),
            next: 0,
        })
    }
}

struct SubsetPlanner {
    peak: f64,
    inner: TwoStagePlanner,
    /// All sites in the order of their turns.
    ring: Vec<SiteId>,
    next: usize,
}

impl SubsetPlanner {
    /// The sites whose turn it is: enough of them to hold `wanted` pages.
    fn group(&mut self, collection: &Collection, wanted: u64) -> Vec<SiteId> {
        let mut group = Vec::new();
        let mut pages = 0;
        while pages < wanted && group.len() < self.ring.len() {
            self.next %= self.ring.len();
            let site = self.ring[self.next];
            self.next += 1;
            pages += u64::from(collection.site_size(site));
            group.push(site);
        }
        group.retain(|&site| collection.site_size(site) > 0);
        group
    }
}

impl Planner for SubsetPlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        if self.ring.len() != desk.collection().sites() {
            self.ring = sites_with_pages(desk.collection());
            shuffle(&mut self.ring, desk.chance);
        }
        let pages = desk.collection().live() as f64;
        let budget = desk.downloads_left() as f64;
        let groups = (pages * self.peak / budget.max(1.0)).round().max(1.0);
        let group = self.group(desk.collection(), (pages / groups).ceil() as u64);
        self.inner.begin_with(desk, group);
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        self.inner.next(desk);
    }

    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        self.inner.learn(collection, seen);
    }

    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation {
        self.inner.explain(collection, page, now)
    }
}
