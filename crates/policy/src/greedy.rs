//! `greedy`: sample every site, then download whole sites, best first.

use recrawl_model::{Cost, Explanation, PageId, SiteId, Timestamp};

use crate::samples::{SAMPLE_COST_KEY, SAMPLES_KEY, SampleTable, Samples};
use crate::site_rank::rank_sites;
use crate::{Collection, Desk, Entry, Planner, Policy, Seen};

/// Samples the same number of pages of every site, ranks sites by the weighted
/// share of samples that changed, ties at random, and downloads whole sites in
/// that order until the budget is spent: section 3.2 of Cho & Ntoulas. After
/// the same samples no other allocation expects more changes (Theorem 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Greedy {
    /// Pages sampled of each site; default [`Samples::Auto`].
    pub samples: Samples,
    /// Cost of a sample; default one download.
    pub sample_cost: Cost,
}

impl Default for Greedy {
    fn default() -> Self {
        Self {
            samples: Samples::Auto,
            sample_cost: Cost::DOWNLOAD,
        }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "greedy",
    summary: "sample every site, then download the sites with most changed samples",
    keys: &[SAMPLES_KEY, SAMPLE_COST_KEY],
    read: |arguments| {
        Ok(Box::new(Greedy {
            samples: Samples::take(arguments)?,
            sample_cost: arguments.sample_cost()?,
        }))
    },
};

impl Policy for Greedy {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(GreedyPlanner::new(*self))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    /// Sampling the site at this place of the order.
    Sample { place: usize },
    /// All samples are asked for; once they are in, sites are ranked.
    Rank,
    /// Downloading pages whose cheap samples saw a change.
    Follow,
    /// Downloading the rest of the site at this place of the ranking.
    Download { place: usize },
    #[default]
    Done,
}

/// Greedy at work, on all sites or on some.
pub(crate) struct GreedyPlanner {
    settings: Greedy,
    stage: Stage,
    size: u32,
    table: SampleTable,
    /// The sites of this cycle: in order of sampling, then of rank.
    order: Vec<SiteId>,
    /// Shares of this cycle's samples, for the sample size of the next.
    shares: Vec<f64>,
}

impl GreedyPlanner {
    pub(crate) fn new(settings: Greedy) -> Self {
        Self {
            settings,
            stage: Stage::Done,
            size: 0,
            table: SampleTable::default(),
            order: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Starts a cycle on these sites only.
    pub(crate) fn begin_with(&mut self, desk: &mut Desk<'_>, sites: Vec<SiteId>) {
        let collection = desk.collection();
        let pages = sites
            .iter()
            .map(|&site| u64::from(collection.site_size(site)))
            .sum();
        self.size =
            self.settings
                .samples
                .size(sites.len(), pages, desk.downloads_left(), &self.shares);
        self.table.clear(collection.sites());
        self.order = sites;
        // If the budget ends while sampling, chance says who was sampled.
        crate::site_rank::shuffle(&mut self.order, desk.chance);
        self.stage = Stage::Sample { place: 0 };
    }

    fn sample(&mut self, desk: &mut Desk<'_>, mut place: usize) {
        desk.open_samples(self.settings.sample_cost);
        while let Some(&site) = self.order.get(place)
            && desk.room() > 0
        {
            let drawn = self.table.drawn_mut(site);
            desk.draw(site, drawn, self.size.saturating_sub(*drawn));
            if desk.room() == 0 && self.table.get(site).drawn < self.size {
                break; // cut short by the end of the batch: go on here
            }
            place += 1;
        }
        self.stage = if place < self.order.len() && !desk.is_empty() {
            Stage::Sample { place }
        } else {
            Stage::Rank
        };
    }

    fn download(&mut self, desk: &mut Desk<'_>, mut place: usize) {
        while let Some(&site) = self.order.get(place)
            && desk.room() > 0
        {
            desk.draw(site, self.table.drawn_mut(site), u32::MAX);
            if self.table.get(site).drawn >= desk.collection().site_size(site) {
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

impl Planner for GreedyPlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        let sites = crate::site_rank::sites_with_pages(desk.collection());
        self.begin_with(desk, sites);
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        while desk.is_empty() {
            match self.stage {
                Stage::Sample { place } => self.sample(desk, place),
                Stage::Rank => {
                    self.shares.clear();
                    let table = &self.table;
                    let told = self
                        .order
                        .iter()
                        .filter_map(|&site| table.get(site).share());
                    self.shares.extend(told);
                    rank_sites(&mut self.order, &self.table, desk.chance);
                    self.stage = Stage::Follow;
                    desk.open_samples(Cost::DOWNLOAD);
                }
                Stage::Follow => {
                    desk.ask_changed_samples();
                    if desk.is_empty() {
                        self.stage = Stage::Download { place: 0 };
                    }
                }
                Stage::Download { place } => self.download(desk, place),
                Stage::Done => break,
            }
        }
    }

    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        if seen.of_this_cycle && matches!(self.stage, Stage::Sample { .. } | Stage::Rank) {
            self.table.count(collection, seen);
        }
    }

    fn explain(&self, collection: &Collection, page: PageId, _: Timestamp) -> Explanation {
        crate::site_rank::explain(&self.table, collection.summary(page).site())
    }
}
