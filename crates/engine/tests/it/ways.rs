//! Whether `bayes` tells pages that differ from pages that change their ways.

use recrawl_model::{Explanation, PageId};

use crate::world::{World, day};

const SEED: u64 = 4;
const SITES: u32 = 100;
const SITE_PAGES: u32 = 1_000;
const CYCLES: i64 = 14;

/// The cycle from which on no chance to turn may be believed.
const SOON: i64 = 9;

/// A number in 0 to 1 for each number, evenly spread.
fn spread(number: u32, step: f64) -> f64 {
    (f64::from(number) * step).fract()
}

/// Sites whose rates differ by a factor of fifty, of pages that differ by one of
/// twenty; none changes its ways.
fn steady_pages() -> Vec<f64> {
    let rate = |page: u32| {
        let site = 4.0 * spread(page / SITE_PAGES, 0.618_034) - 5.0;
        let own = 3.0 * spread(page, 0.754_878) - 1.5;
        (site + own).exp()
    };
    (0..SITES * SITE_PAGES)
        .map(|page| -(-rate(page)).exp_m1())
        .collect()
}

/// A number of an explanation, by what it means.
fn told(explanation: &Explanation, meaning: &str) -> Option<f64> {
    if explanation.meaning == meaning {
        return Some(explanation.value);
    }
    let mut parts = explanation.parts.iter();
    parts.find_map(|part| told(part, meaning))
}

#[test]
fn pages_of_a_site_that_differ_much_are_not_taken_for_pages_that_change_their_ways() {
    let mut world = World::new(steady_pages(), SEED);
    let mut scheduler = world.scheduler("bayes", SITE_PAGES, SEED);
    let budget = u64::from(SITES * SITE_PAGES) * 28 / 100;
    for now in 1..=CYCLES {
        world.cycle(&mut scheduler, budget, now);
        if now >= SOON {
            let why = scheduler.explain(PageId(0), day(now)).expect("a page");
            let chance = told(&why, "P(a page changes its ways in a cycle)");
            assert_eq!(chance, Some(0.0), "in cycle {now}");
        }
    }
}
