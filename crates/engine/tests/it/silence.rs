//! A site that changes too often to be kept fresh, and stops: whether `bayes` notices.

use rand::RngExt;
use recrawl_model::SiteId;

use crate::world::days_of;

const FAST: usize = 300;
const SLOW: usize = 600;
const STOPS: u32 = 40;
const DAYS: i64 = 120;
/// So few that the slow site takes them all: the other is not seen again by chance.
const VISITS_A_DAY: u64 = 12;

/// Pages of the fast site that are out of date in the end, when it has not changed for
/// eighty days.
fn stale_in_the_end(policy: &str, seed: u64) -> usize {
    let sites: Vec<SiteId> = (0..FAST + SLOW)
        .map(|page| SiteId(u32::from(page >= FAST)))
        .collect();
    let (mut today, mut stale_pages) = (0, 0);
    days_of(
        policy,
        seed,
        (&sites, DAYS, VISITS_A_DAY),
        |chance, stale| {
            today += 1;
            let fast = if today <= STOPS { 0.3 } else { 0.0 };
            for (page, stale) in stale.iter_mut().enumerate() {
                let rate = if page < FAST { fast } else { 0.05 };
                *stale |= chance.random::<f64>() < rate;
            }
            stale_pages = stale[..FAST].iter().filter(|&&stale| stale).count();
        },
    );
    stale_pages
}

#[test]
fn a_site_that_was_left_alone_is_seen_again_once_it_has_stopped() {
    for seed in 1..=4 {
        let stale = stale_in_the_end("bayes:objective=freshness", seed);
        assert!(stale < FAST / 10, "seed {seed}: {stale}");
    }
}
