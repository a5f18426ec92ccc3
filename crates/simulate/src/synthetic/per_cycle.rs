//! Changes drawn cycle by cycle: [`Coins`] and [`Quotas`].

use rand::Rng;
use rand_pcg::Pcg64Mcg;
use recrawl_model::PageId;

use crate::Event;
use crate::world::Tick;

/// Bits of a chance: enough that no page of a million cycles tells the rounding.
const CHANCE_BITS: u32 = 31;

/// Each page tosses its own coin each cycle and changes at a uniform moment.
#[derive(Debug, Clone)]
pub(super) struct Coins {
    /// Chance of each page in 2^-31.
    chances: Vec<u32>,
}

impl Coins {
    pub(super) fn new(chances: impl Iterator<Item = f64>) -> Self {
        let scale = f64::from(1u32 << CHANCE_BITS);
        Self {
            chances: chances
                .map(|chance| (chance * scale).round() as u32)
                .collect(),
        }
    }

    pub(super) fn chance(&self, page: usize) -> f64 {
        f64::from(self.chances[page]) / f64::from(1u32 << CHANCE_BITS)
    }

    pub(super) fn swap(&mut self, one: usize, other: usize) {
        self.chances.swap(one, other);
    }

    /// Writes every page's event and moves on only past those that happened:
    /// no branch to guess wrong, and one random number a page, whose high bits
    /// decide and whose low bits date.
    pub(super) fn toss(&self, changes: &mut Vec<Event>, rng: &mut Pcg64Mcg) {
        let nothing = Event {
            page: PageId(0),
            at: Tick(0),
        };
        changes.resize(self.chances.len() + 1, nothing);
        let mut happened = 0;
        for (page, &chance) in self.chances.iter().enumerate() {
            let random = rng.next_u64();
            changes[happened] = Event {
                page: PageId(page as u32),
                at: Tick(random as u32),
            };
            happened += usize::from(((random >> (64 - CHANCE_BITS)) as u32) < chance);
        }
        changes.truncate(happened);
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
    pub(super) fn draw(&mut self, changes: &mut Vec<Event>, rng: &mut Pcg64Mcg) {
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
    }
}
