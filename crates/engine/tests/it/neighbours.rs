//! Pages that change with those next to them: how long copies stay out of
//! date under `bayes` if they are named one after the other, and if not.

use rand::RngExt;
use recrawl_model::SiteId;

use crate::world::days_of;

const SITES: usize = 6;
const SITE_PAGES: usize = 200;
const PART: usize = 10;
const DAYS: i64 = 80;
const VISITS_A_DAY: u64 = 120;

/// How the pages of a site are named.
#[derive(Debug, Clone, Copy)]
enum Named {
    InOrder,
    Scrambled,
}

impl Named {
    /// The part of its site that a page belongs to.
    const fn part(self, page: usize) -> usize {
        match self {
            Self::InOrder => page % SITE_PAGES / PART,
            Self::Scrambled => page * 37 % SITE_PAGES / PART, // 37 and 200 share no factor
        }
    }
}

/// Pages out of date, added up over days, in a world where every day one part of a
/// site in fifty changes nearly whole.
fn stale(policy: &str, named: Named, seed: u64) -> u64 {
    let pages = SITES * SITE_PAGES;
    let sites: Vec<SiteId> = (0..pages)
        .map(|page| SiteId((page / SITE_PAGES) as u32))
        .collect();
    days_of(
        policy,
        seed,
        (&sites, DAYS, VISITS_A_DAY),
        |chance, stale| {
            let parts = SITE_PAGES / PART;
            let struck: Vec<bool> = (0..SITES * parts)
                .map(|_| chance.random::<f64>() < 0.02)
                .collect();
            for (page, stale) in stale.iter_mut().enumerate() {
                let struck = struck[page / SITE_PAGES * parts + named.part(page)];
                *stale |= struck && chance.random::<f64>() < 0.9;
            }
        },
    )
    .stale
}

#[test]
fn pages_named_next_to_each_other_tell_of_each_other() {
    let all = |policy, named| {
        let seeds = 1..=2;
        seeds.map(|seed| stale(policy, named, seed)).sum::<u64>()
    };
    let [in_order, scrambled] = [Named::InOrder, Named::Scrambled].map(|named| all("bayes", named));
    let in_turn = all("round-robin", Named::InOrder);
    assert!(
        in_order * 100 < scrambled * 75,
        "{in_order} {scrambled} {in_turn}"
    );
    assert!(
        in_order * 100 < in_turn * 75,
        "{in_order} {scrambled} {in_turn}"
    );
}
