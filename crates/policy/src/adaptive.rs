//! `adaptive`: sample until each site is clearly worth it or clearly not.

use recrawl_estimate::Confidence;
use recrawl_model::{Cost, Explanation, PageId, SiteId, Timestamp};

use crate::arguments::Key;
use crate::samples::{SAMPLE_COST_KEY, SAMPLES_KEY, SampleTable, Samples};
use crate::site_rank::{self, shuffle, sites_with_pages};
use crate::wilson::wilson_interval;
use crate::{Collection, Desk, Entry, Planner, Policy, Seen};

/// The paper's confidence, section 4.2.
const CONFIDENCE: f64 = 0.9;

/// Algorithm 3.1 of Cho & Ntoulas: sample some pages of every undecided site;
/// let the threshold be the estimate of the site at which the sites, best
/// first, would exhaust the budget; drop sites whose interval lies below it,
/// download sites whose interval lies above it, and sample the others again.
///
/// What the paper leaves open: the interval is Wilson's, which has a width at
/// shares of 0 and 1; better sites come first; if every site is decided and
/// budget is left, dropped sites are downloaded, best first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adaptive {
    /// Pages sampled of each undecided site a round; default [`Samples::Auto`].
    pub samples: Samples,
    /// Confidence of the intervals; default 0.9.
    pub confidence: Confidence,
    /// Cost of a sample; default one download.
    pub sample_cost: Cost,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "adaptive",
    summary: "sample each site until it is clearly worth downloading or not",
    keys: &[
        SAMPLES_KEY,
        Key {
            name: "confidence",
            default: "0.9",
            meaning: "confidence of the interval of a site's share",
        },
        SAMPLE_COST_KEY,
    ],
    read: |arguments| {
        let samples = Samples::take(arguments)?;
        let level = arguments.number("confidence", CONFIDENCE, BETWEEN, |level| {
            level > 0.0 && level < 1.0
        })?;
        let confidence = Confidence::new(level)
            .map_err(|_| arguments.refuse("confidence", &level.to_string(), BETWEEN))?;
        let sample_cost = arguments.sample_cost()?;
        Ok(Box::new(Adaptive {
            samples,
            confidence,
            sample_cost,
        }))
    },
};

const BETWEEN: &str = "a number between 0 and 1";

impl Policy for Adaptive {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(AdaptivePlanner {
            settings: *self,
            stage: Stage::Done,
            size: 0,
            goal: 0,
            table: SampleTable::default(),
            undecided: Vec::new(),
            chosen: Vec::new(),
            dropped: Vec::new(),
            shares: Vec::new(),
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Sampling the undecided site at this place.
    Sample {
        place: usize,
    },
    /// The round's samples are asked for; once they are in, sites are decided.
    Decide,
    /// Downloading the chosen site at this place.
    Download {
        place: usize,
    },
    Done,
}

struct AdaptivePlanner {
    settings: Adaptive,
    stage: Stage,
    /// Samples of a site a round.
    size: u32,
    /// Samples of a site up to the end of this round.
    goal: u32,
    table: SampleTable,
    undecided: Vec<SiteId>,
    chosen: Vec<SiteId>,
    dropped: Vec<SiteId>,
    /// Shares of this cycle's samples, for the sample size of the next.
    shares: Vec<f64>,
}

impl AdaptivePlanner {
    fn sample(&mut self, desk: &mut Desk<'_>, place: usize) {
        desk.open_samples(self.settings.sample_cost);
        let end = self
            .table
            .draw_up_to(desk, &self.undecided, place, self.goal);
        self.stage = if end < self.undecided.len() && !desk.is_empty() {
            Stage::Sample { place: end }
        } else {
            Stage::Decide
        };
    }

    /// Steps 7 to 10: the threshold, then each undecided site against it.
    fn decide(&mut self, desk: &Desk<'_>) {
        let pooled = self.table.pooled_share();
        let table = &self.table;
        let share = |site: SiteId| table.get(site).share().unwrap_or(pooled);
        let rest = |site: SiteId| {
            let size = desk.collection().site_size(site);
            size.saturating_sub(table.get(site).drawn)
        };
        self.chosen.clear();
        self.undecided.retain(|&site| rest(site) > 0);
        self.undecided
            .sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        let sites = self.undecided.iter();
        let threshold = threshold(
            desk.downloads_left(),
            sites.map(|&site| (share(site), rest(site))),
        );
        let confidence = self.settings.confidence;
        for site in std::mem::take(&mut self.undecided) {
            let (low, high) = wilson_interval(share(site), table.get(site).told, confidence);
            match threshold {
                None => self.chosen.push(site),
                Some(threshold) if low > threshold => self.chosen.push(site),
                Some(threshold) if high < threshold => self.dropped.push(site),
                Some(_) => self.undecided.push(site),
            }
        }
        if self.undecided.is_empty() && self.chosen.is_empty() {
            self.dropped.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
            self.chosen.append(&mut self.dropped);
        }
        self.goal += self.size;
    }

    fn download(&mut self, desk: &mut Desk<'_>, mut place: usize) {
        while let Some(&site) = self.chosen.get(place)
            && desk.room() > 0
        {
            desk.draw(site, self.table.drawn_mut(site), u32::MAX);
            if self.table.get(site).drawn >= desk.collection().site_size(site) {
                place += 1;
            }
        }
        let nothing_left = self.undecided.is_empty() && self.dropped.is_empty();
        self.stage = if !desk.is_empty() {
            Stage::Download { place }
        } else if desk.downloads_left() == 0 || nothing_left {
            Stage::Done
        } else {
            Stage::Sample { place: 0 }
        };
    }
}

/// The share of the site at which sites, best first, exhaust `downloads`;
/// `None` if they do not.
fn threshold(downloads: u64, sites: impl Iterator<Item = (f64, u32)>) -> Option<f64> {
    let mut pages = 0;
    for (share, rest) in sites {
        pages += u64::from(rest);
        if pages > downloads {
            return Some(share);
        }
    }
    None
}

impl Planner for AdaptivePlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        self.undecided = sites_with_pages(desk.collection());
        shuffle(&mut self.undecided, desk.chance);
        self.chosen.clear();
        self.dropped.clear();
        self.size = self.settings.samples.size(
            self.undecided.len(),
            desk.collection().live() as u64,
            desk.downloads_left(),
            &self.shares,
        );
        self.goal = self.size;
        self.table.clear(desk.collection().sites());
        self.stage = Stage::Sample { place: 0 };
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        while desk.is_empty() {
            match self.stage {
                Stage::Sample { place } => self.sample(desk, place),
                Stage::Decide => {
                    desk.open_downloads();
                    desk.ask_changed_samples();
                    if desk.is_empty() {
                        self.shares = self.table.shares();
                        self.decide(desk);
                        self.stage = Stage::Download { place: 0 };
                    }
                }
                Stage::Download { place } => self.download(desk, place),
                Stage::Done => break,
            }
        }
    }

    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        if seen.of_this_cycle && matches!(self.stage, Stage::Sample { .. } | Stage::Decide) {
            self.table.count(collection, seen);
        }
    }

    fn explain(&self, collection: &Collection, page: PageId, _: Timestamp) -> Explanation {
        let site = collection.summary(page).site();
        let sample = self.table.get(site);
        let told = site_rank::explain(&self.table, site);
        let (low, high) = wilson_interval(told.value, sample.told, self.settings.confidence);
        told.because(Explanation::new(low, "lower bound of the site's share"))
            .because(Explanation::new(high, "upper bound of the site's share"))
    }
}
