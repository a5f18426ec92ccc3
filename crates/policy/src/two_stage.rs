//! Sample every site, then download: what `greedy`, `proportional` and
//! `subset` share.

use recrawl_model::{Cost, Explanation, PageId, SiteId, Timestamp};

use crate::samples::{SampleTable, Samples};
use crate::share_out::share_out;
use crate::site_rank::{self, rank_sites, shuffle, sites_with_pages};
use crate::{Collection, Desk, Planner, Seen};

/// How downloads are shared out once the samples are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// Whole sites by falling share of changed samples, ties at random: greedy.
    BestFirst,
    /// In proportion to the weight of changed samples.
    Proportional,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Sampling the site at this place of the order.
    Sample {
        place: usize,
    },
    /// All samples are asked for; once they are in, downloads are shared out.
    Allocate,
    /// Downloading pages whose cheap samples saw a change.
    Follow,
    /// Downloading from the site at this place of the order.
    Download {
        place: usize,
    },
    Done,
}

/// A two-stage policy at work, on all sites or on some.
pub(crate) struct TwoStagePlanner {
    samples: Samples,
    sample_cost: Cost,
    allocation: Allocation,
    stage: Stage,
    size: u32,
    table: SampleTable,
    /// The sites of this cycle: in order of sampling, then of rank.
    order: Vec<SiteId>,
    /// Downloads left for each site of `order`.
    quotas: Vec<u32>,
    /// Shares of this cycle's samples, for the sample size of the next.
    shares: Vec<f64>,
}

impl TwoStagePlanner {
    pub(crate) fn new(samples: Samples, sample_cost: Cost, allocation: Allocation) -> Self {
        Self {
            samples,
            sample_cost,
            allocation,
            stage: Stage::Done,
            size: 0,
            table: SampleTable::default(),
            order: Vec::new(),
            quotas: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Starts a cycle on these sites only.
    pub(crate) fn begin_with(&mut self, desk: &mut Desk<'_>, sites: Vec<SiteId>) {
        let collection = desk.collection();
        let sizes = sites
            .iter()
            .map(|&site| u64::from(collection.site_size(site)));
        let pages = sizes.sum();
        let downloads = desk.downloads_left();
        self.size = self
            .samples
            .size(sites.len(), pages, downloads, &self.shares);
        self.table.clear(collection.sites());
        self.order = sites;
        shuffle(&mut self.order, desk.chance); // chance says who is sampled if the budget is short
        self.stage = Stage::Sample { place: 0 };
    }

    fn sample(&mut self, desk: &mut Desk<'_>, place: usize) {
        desk.open_samples(self.sample_cost);
        let end = self.table.draw_up_to(desk, &self.order, place, self.size);
        self.stage = if end < self.order.len() && !desk.is_empty() {
            Stage::Sample { place: end }
        } else {
            Stage::Allocate
        };
    }

    fn allocate(&mut self, desk: &mut Desk<'_>) {
        self.shares = self.table.shares();
        rank_sites(&mut self.order, &self.table, desk.chance);
        self.stage = Stage::Follow;
    }

    /// Shares out what is left after changed samples were downloaded.
    fn set_quotas(&mut self, desk: &Desk<'_>) {
        self.quotas.clear();
        match self.allocation {
            Allocation::BestFirst => self.quotas.resize(self.order.len(), u32::MAX),
            Allocation::Proportional => {
                let sites = self.order.iter();
                let (claims, rest): (Vec<f64>, Vec<u32>) = sites
                    .map(|&site| {
                        let sample = self.table.get(site);
                        let size = desk.collection().site_size(site);
                        (sample.changed_weight, size.saturating_sub(sample.drawn))
                    })
                    .unzip();
                self.quotas = share_out(desk.downloads_left(), &claims, &rest);
            }
        }
    }

    fn download(&mut self, desk: &mut Desk<'_>, mut place: usize) {
        while let Some(&site) = self.order.get(place)
            && desk.room() > 0
        {
            let asked = desk.draw(site, self.table.drawn_mut(site), self.quotas[place]);
            self.quotas[place] -= asked;
            let drained = self.table.get(site).drawn >= desk.collection().site_size(site);
            if drained || self.quotas[place] == 0 {
                place += 1;
            }
        }
        self.stage = if desk.is_empty() {
            Stage::Done
        } else {
            Stage::Download { place }
        };
    }
}

impl Planner for TwoStagePlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        let sites = sites_with_pages(desk.collection());
        self.begin_with(desk, sites);
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        while desk.is_empty() {
            match self.stage {
                Stage::Sample { place } => self.sample(desk, place),
                Stage::Allocate => {
                    self.allocate(desk);
                    desk.open_downloads();
                }
                Stage::Follow => {
                    desk.ask_changed_samples();
                    if desk.is_empty() {
                        self.set_quotas(desk);
                        self.stage = Stage::Download { place: 0 };
                    }
                }
                Stage::Download { place } => self.download(desk, place),
                Stage::Done => break,
            }
        }
    }

    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        if seen.of_this_cycle && matches!(self.stage, Stage::Sample { .. } | Stage::Allocate) {
            self.table.count(collection, seen);
        }
    }

    fn explain(&self, collection: &Collection, page: PageId, _: Timestamp) -> Explanation {
        site_rank::explain(&self.table, collection.summary(page).site())
    }
}
