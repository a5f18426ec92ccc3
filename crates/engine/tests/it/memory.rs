//! A page takes at most 64 bytes.

use recrawl_engine::Scheduler;
use recrawl_model::{Budget, Outcome, SiteId, Weight};

use crate::world::day;

#[test]
fn a_page_takes_at_most_64_bytes_with_any_policy_weighted_or_not() {
    const PAGES: u32 = 20_000;
    for entry in recrawl_policy::ENTRIES {
        for weight in [1.0, 2.0] {
            let policy = recrawl_engine::parse(entry.name).expect("a policy");
            let mut scheduler = Scheduler::new(policy.as_ref(), 1);
            scheduler.reserve(PAGES as usize);
            let weight = Weight::new(weight).expect("a weight");
            for page in 0..PAGES {
                scheduler.add_held_page(SiteId(page / 100), weight, day(0));
            }
            if !policy.needs_truth() {
                scheduler
                    .begin_cycle(Budget::downloads(100), day(1))
                    .expect("a cycle");
                let visits = scheduler.decide(day(1)).len();
                scheduler
                    .observe_batch(day(1), &vec![Outcome::Changed; visits])
                    .expect("in order");
            }
            let bytes = scheduler.memory_bytes() as f64 / f64::from(PAGES);
            assert!(bytes <= 64.0, "{}: {bytes} bytes a page", entry.name);
            assert!(bytes >= 40.0, "{}: {bytes} bytes were counted", entry.name);
        }
    }
}
