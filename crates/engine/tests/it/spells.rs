//! Pages that change in spells: what `bayes` finds with and without laws by age.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use recrawl_engine::Scheduler;
use recrawl_model::{Budget, Outcome, SiteId, Weight};

use crate::world::day;

const PAGES: u32 = 400;
const DAYS: i64 = 120;
const VISITS_A_DAY: u64 = 60;

/// Changes found in a world where each page, alone on its site, changes nearly every
/// day for five, then not for fifty, on average.
fn found(policy: &str, seed: u64) -> u64 {
    let policy = recrawl_policy::parse(policy).expect("a policy");
    let mut scheduler = Scheduler::new(policy.as_ref(), seed);
    for page in 0..PAGES {
        scheduler.add_held_page(SiteId(page), Weight::ONE, day(0));
    }
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let (mut in_spell, mut stale) = (vec![false; PAGES as usize], vec![false; PAGES as usize]);
    let mut found = 0;
    for today in 1..=DAYS {
        for (in_spell, stale) in in_spell.iter_mut().zip(&mut stale) {
            let turns = if *in_spell { 0.2 } else { 0.02 };
            *in_spell ^= chance.random::<f64>() < turns;
            *stale |= *in_spell && chance.random::<f64>() < 0.9;
        }
        let now = day(today);
        let begun = scheduler.begin_cycle(Budget::downloads(VISITS_A_DAY), now);
        begun.expect("a cycle");
        loop {
            let pages = scheduler.decide(now).pages.to_vec();
            if pages.is_empty() {
                break;
            }
            let outcomes: Vec<Outcome> = pages
                .iter()
                .map(|page| {
                    if std::mem::take(&mut stale[page.index()]) {
                        Outcome::Changed
                    } else {
                        Outcome::Unchanged
                    }
                })
                .collect();
            found += outcomes
                .iter()
                .filter(|&&found| found == Outcome::Changed)
                .count() as u64;
            scheduler.observe_batch(now, &outcomes).expect("in order");
        }
    }
    found
}

#[test]
fn knowing_that_pages_change_in_spells_finds_more_changes() {
    let all = |policy| (1..=2).map(|seed| found(policy, seed)).sum::<u64>();
    let (learned, steady) = (all("bayes"), all("bayes:law=poisson"));
    let in_turn = all("round-robin");
    assert!(learned * 100 > steady * 115, "{learned} {steady} {in_turn}");
    assert!(steady > in_turn, "{learned} {steady} {in_turn}");
}
