//! Cost of a visit in the engine alone: 352,800 pages on 252 sites, 100,000
//! visits a cycle, a world that answers from a table.

#![expect(
    clippy::expect_used,
    reason = "a benchmark that cannot run should stop"
)]

use divan::Bencher;
use divan::counter::ItemsCount;
use recrawl_engine::Scheduler;
use recrawl_model::{Budget, Outcome, PageId, Rate, SiteId, Timestamp, Weight};
use recrawl_policy::Truth;

const SITES: u32 = 252;
const PAGES_A_SITE: u32 = 1_400;
const BUDGET: u64 = 100_000;

fn main() {
    divan::main();
}

fn day(n: i64) -> Timestamp {
    Timestamp::from_seconds(n * 86_400)
}

/// A page changes if its number, scrambled, falls below its site's share.
fn outcome(page: PageId) -> Outcome {
    let scrambled = page.0.wrapping_mul(0x9E37_79B9) >> 16;
    let share = (page.0 / PAGES_A_SITE) * 65_536 / SITES;
    if scrambled < share {
        Outcome::Changed
    } else {
        Outcome::Unchanged
    }
}

struct Table;

impl Truth for Table {
    fn changed(&self, page: PageId) -> bool {
        outcome(page) == Outcome::Changed
    }

    fn rate(&self, page: PageId) -> Rate {
        Rate::per_day(f64::from(page.0 / PAGES_A_SITE) / f64::from(SITES)).expect("a share")
    }
}

fn cycle(scheduler: &mut Scheduler, now: Timestamp, outcomes: &mut Vec<Outcome>) -> usize {
    scheduler
        .begin_cycle_knowing(Budget::downloads(BUDGET), now, &Table)
        .expect("a cycle");
    let mut visits = 0;
    loop {
        let batch = scheduler.decide(now);
        if batch.is_empty() {
            return visits;
        }
        visits += batch.len();
        outcomes.clear();
        outcomes.extend(batch.pages.iter().map(|&page| outcome(page)));
        scheduler.observe_batch(now, outcomes).expect("in order");
    }
}

#[divan::bench(args = recrawl_policy::ENTRIES.iter().map(|entry| entry.name))]
fn visits(bencher: Bencher, policy: &str) {
    let policy = recrawl_policy::parse(policy).expect("its own name");
    let mut scheduler = Scheduler::new(policy.as_ref(), 1);
    for page in 0..SITES * PAGES_A_SITE {
        scheduler.add_held_page(SiteId(page / PAGES_A_SITE), Weight::ONE, day(0));
    }
    let mut now = 0;
    let mut outcomes = Vec::new();
    bencher.counter(ItemsCount::new(BUDGET)).bench_local(|| {
        now += 1;
        cycle(&mut scheduler, day(now), &mut outcomes)
    });
}
