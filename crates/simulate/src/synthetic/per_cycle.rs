//! Changes drawn cycle by cycle: [`Coins`] and [`Quotas`].

use pulp::{Arch, Simd, WithSimd};
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
    /// Chance of each page in 2^-31, filled up with zeros to whole lanes.
    chances: Vec<u32>,
    lanes: Lanes,
}

impl Coins {
    pub(super) fn new(chances: impl Iterator<Item = f64>, rng: &mut Pcg64Mcg) -> Self {
        let scale = f64::from(CERTAIN);
        let scaled = chances.map(|chance| (chance * scale).round() as u32);
        let mut chances: Vec<u32> = scaled.collect();
        chances.resize(chances.len().next_multiple_of(LANES), 0);
        Self {
            chances,
            lanes: Lanes::new(rng),
        }
    }

    pub(super) fn chance(&self, page: usize) -> f64 {
        f64::from(self.chances[page]) / f64::from(CERTAIN)
    }

    pub(super) fn swap(&mut self, one: usize, other: usize) {
        self.chances.swap(one, other);
    }

    /// Writes the events of a cycle, in order of pages, and returns how many
    /// there are; what lies behind them means nothing. Runs on the widest
    /// vectors the machine has.
    pub(super) fn toss(&mut self, changes: &mut Vec<Event>) -> usize {
        let nothing = Event {
            page: PageId(0),
            at: Tick(0),
        };
        if changes.len() < self.chances.len() {
            changes.resize(self.chances.len(), nothing);
        }
        Arch::new().dispatch(Toss {
            coins: self,
            changes,
        })
    }
}

/// One cycle of coins.
struct Toss<'a> {
    coins: &'a mut Coins,
    changes: &'a mut [Event],
}

impl WithSimd for Toss<'_> {
    type Output = usize;

    #[expect(
        clippy::inline_always,
        reason = "is compiled for the machine's vectors only inside `Toss`"
    )]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        let (mut coins, mut ticks) = ([0; LANES], [0; LANES]);
        let (mut happened, mut first) = (0, 0);
        for chances in self.coins.chances.as_chunks().0 {
            self.coins.lanes.fill(&mut coins);
            self.coins.lanes.fill(&mut ticks);
            let mut hits = heads(&coins, chances);
            let slots = &mut self.changes[happened..];
            happened += hits.count_ones() as usize;
            for slot in &mut slots[..hits.count_ones() as usize] {
                let lane = hits.trailing_zeros();
                hits &= hits - 1;
                *slot = Event {
                    page: PageId(first + lane),
                    at: Tick(ticks[lane as usize % LANES]),
                };
            }
            first += LANES as u32;
        }
        happened
    }
}

/// Which lanes toss below their chance, a bit each.
#[expect(
    clippy::inline_always,
    reason = "is compiled for the machine's vectors only inside `Toss`"
)]
#[inline(always)]
fn heads(coins: &[u32; LANES], chances: &[u32; LANES]) -> u64 {
    let mut hits = 0;
    for lane in 0..LANES {
        hits |= u64::from(coins[lane] >> 1 < chances[lane]) << lane;
    }
    hits
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
