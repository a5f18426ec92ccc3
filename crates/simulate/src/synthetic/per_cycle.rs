//! Changes drawn cycle by cycle: [`Coins`] and [`Quotas`].

use rand::Rng;
use rand_pcg::Pcg64Mcg;
use recrawl_model::PageId;

use super::lanes::{LANES, Lanes};
use crate::Event;
use crate::world::Tick;

/// Scale of a chance: enough that no page of a million cycles tells the
/// rounding, and one bit short of 32 so that certainty can be told.
const CERTAIN: u32 = 1 << 31;

/// Each page tosses its own coin each cycle and changes at a uniform moment.
#[derive(Debug, Clone)]
pub(super) struct Coins {
    /// Chance of each page in 2^-31.
    chances: Vec<u32>,
    lanes: Lanes,
}

impl Coins {
    pub(super) fn new(chances: impl Iterator<Item = f64>, rng: &mut Pcg64Mcg) -> Self {
        let scale = f64::from(CERTAIN);
        Self {
            chances: chances
                .map(|chance| (chance * scale).round() as u32)
                .collect(),
            lanes: Lanes::new(rng),
        }
    }

    pub(super) fn chance(&self, page: usize) -> f64 {
        f64::from(self.chances[page]) / f64::from(CERTAIN)
    }

    pub(super) fn swap(&mut self, one: usize, other: usize) {
        self.chances.swap(one, other);
    }

    /// Writes every page's event and moves on only past those that happened:
    /// no branch to guess wrong. Returns how many did; what lies behind them
    /// means nothing.
    pub(super) fn toss(&mut self, changes: &mut Vec<Event>) -> usize {
        let nothing = Event {
            page: PageId(0),
            at: Tick(0),
        };
        if changes.len() < self.chances.len() + LANES {
            changes.resize(self.chances.len() + LANES, nothing);
        }
        let (mut coins, mut ticks) = ([0; LANES], [0; LANES]);
        let mut happened = 0;
        let mut page = 0;
        for chances in self.chances.chunks(LANES) {
            self.lanes.fill(&mut coins);
            self.lanes.fill(&mut ticks);
            let slots = &mut changes[happened..happened + LANES];
            let mut inside = 0;
            for (lane, &chance) in chances.iter().enumerate() {
                slots[inside] = Event {
                    page: PageId(page),
                    at: Tick(ticks[lane]),
                };
                inside += usize::from(coins[lane] >> 1 < chance);
                page += 1;
            }
            happened += inside;
        }
        happened
    }
}

/// Of each site's pages exactly so many change each cycle.
#[derive(Debug, Clone)]
pub(super) struct Quotas {
    /// All pages, site after site, in an order that is shuffled on the way.
    pages: Vec<u32>,
    /// Where each site starts, how many pages it has and how many change.
    sites: Vec<(usize, usize, usize)>,
}

impl Quotas {
    /// `sites`: pages and share of each site, pages numbered in order.
    pub(super) fn new(sites: &[(usize, f64)]) -> Self {
        let mut start = 0;
        let mut quotas = Vec::with_capacity(sites.len());
        for &(size, share) in sites {
            quotas.push((start, size, (share * size as f64).round() as usize));
            start += size;
        }
        Self {
            pages: (0..start as u32).collect(),
            sites: quotas,
        }
    }

    pub(super) fn share(&self, site: usize) -> f64 {
        let (_, size, quota) = self.sites[site];
        quota as f64 / size as f64
    }

    /// The first steps of a shuffle of each site's pages.
    pub(super) fn draw(&mut self, changes: &mut Vec<Event>, rng: &mut Pcg64Mcg) -> usize {
        changes.clear();
        for &(start, size, quota) in &self.sites {
            for taken in 0..quota {
                let random = rng.next_u64();
                let rest = (size - taken) as u64;
                let step = ((random >> 32) * rest) >> 32;
                self.pages
                    .swap(start + taken, start + taken + step as usize);
                changes.push(Event {
                    page: PageId(self.pages[start + taken]),
                    at: Tick(random as u32),
                });
            }
        }
        changes.len()
    }
}
