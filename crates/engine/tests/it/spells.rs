//! Pages that change in spells: what `bayes` finds with and without laws by age.

use rand::RngExt;
use recrawl_model::SiteId;

use crate::world::days_of;

const PAGES: u32 = 400;
const DAYS: i64 = 120;
const VISITS_A_DAY: u64 = 60;

/// Changes found in a world where each page, alone on its site, changes nearly every
/// day for five, then not for fifty, on average.
fn found(policy: &str, seed: u64) -> u64 {
    let sites: Vec<SiteId> = (0..PAGES).map(SiteId).collect();
    let mut in_spell = vec![false; PAGES as usize];
    days_of(
        policy,
        seed,
        (&sites, DAYS, VISITS_A_DAY),
        |chance, stale| {
            for (in_spell, stale) in in_spell.iter_mut().zip(stale) {
                let turns = if *in_spell { 0.2 } else { 0.02 };
                *in_spell ^= chance.random::<f64>() < turns;
                *stale |= *in_spell && chance.random::<f64>() < 0.9;
            }
        },
    )
    .found
}

#[test]
fn knowing_that_pages_change_in_spells_finds_more_changes() {
    let all = |policy| (1..=2).map(|seed| found(policy, seed)).sum::<u64>();
    let (learned, steady) = (all("bayes"), all("bayes:law=poisson"));
    let in_turn = all("round-robin");
    assert!(learned * 100 > steady * 107, "{learned} {steady} {in_turn}");
    assert!(steady * 100 > in_turn * 130, "{learned} {steady} {in_turn}");
    assert!(
        learned * 100 > in_turn * 145,
        "{learned} {steady} {in_turn}"
    );
}
