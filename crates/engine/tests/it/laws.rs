//! What must hold of every policy, or of one by a theorem.

use proptest::prelude::*;
use recrawl_model::PageId;

use crate::budget::policies;
use crate::world::World;

/// Chances of two kinds of site, ten pages each.
fn two_kinds(sites: usize, low: f64, high: f64) -> Vec<f64> {
    (0..sites * 10)
        .map(|page| if page / 10 % 4 == 0 { high } else { low })
        .collect()
}

#[test]
fn every_policy_gets_the_same_number_of_downloads() {
    for policy in policies() {
        if policy.contains("spend=due") || policy.contains("sample-cost") {
            continue;
        }
        let mut world = World::new(two_kinds(12, 0.1, 0.7), 3);
        let mut scheduler = world.scheduler(&policy, 10, 5);
        for now in 1..=6 {
            let harvest = world.cycle(&mut scheduler, 50, now);
            assert_eq!((harvest.downloads, harvest.samples), (50, 0), "{policy}");
        }
        let harvest = world.cycle(&mut scheduler, 1_000, 7);
        assert_eq!(
            harvest.downloads, 120,
            "{policy}: more than there are pages"
        );
    }
}

#[test]
fn no_policy_visits_without_pages_or_budget() {
    for policy in policies() {
        let mut empty = World::new(Vec::new(), 1);
        let mut scheduler = empty.scheduler(&policy, 10, 1);
        assert_eq!(empty.cycle(&mut scheduler, 10, 1).downloads, 0, "{policy}");
        let mut world = World::new(vec![0.5; 20], 1);
        let mut scheduler = world.scheduler(&policy, 10, 1);
        assert_eq!(world.cycle(&mut scheduler, 0, 1).downloads, 0, "{policy}");
    }
}

#[test]
fn round_robin_visits_every_page_once_a_round() {
    let mut world = World::new(vec![0.3; 70], 1);
    let mut scheduler = world.scheduler("round-robin", 10, 1);
    for now in 1..=7 {
        world.cycle(&mut scheduler, 20, now);
    }
    assert!(world.downloads.iter().all(|&visits| visits == 2));
}

#[test]
fn frequency_visits_every_page_once_before_any_page_again() {
    let mut world = World::new(vec![1.0; 60], 1);
    let mut scheduler = world.scheduler("frequency", 10, 1);
    for now in 1..=3 {
        world.cycle(&mut scheduler, 20, now);
    }
    assert!(world.downloads.iter().all(|&visits| visits == 1));
}

#[test]
fn mixed_visits_every_page_within_the_rounds_of_its_share() {
    // Half of 20 downloads go round 70 pages: at most 7 cycles.
    let mut world = World::new(vec![0.0; 70], 1);
    let mut scheduler = world.scheduler("mixed:share=0.5,policy=greedy,samples=1", 10, 1);
    for now in 1..=7 {
        world.cycle(&mut scheduler, 20, now);
    }
    assert!(world.downloads.iter().all(|&visits| visits > 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Theorem 3 of Cho & Ntoulas: when every page changes at some time, greedy
    /// downloads every page.
    #[test]
    fn greedy_downloads_every_page_that_ever_changes(
        seed: u64, samples in 1u32..4, chances in proptest::collection::vec(0.02..1.0f64, 40),
    ) {
        let mut world = World::new(chances, seed);
        let mut scheduler = world.scheduler(&format!("greedy:samples={samples}"), 10, seed);
        let mut now = 0;
        while world.downloads.contains(&0) && now < 2_000 {
            now += 1;
            world.cycle(&mut scheduler, 14, now);
        }
        prop_assert!(!world.downloads.contains(&0));
    }

    #[test]
    fn frequency_and_the_learners_starve_no_page(seed: u64) {
        for policy in ["frequency", "optimal-freshness", "optimal-age", "nutch-adaptive"] {
            // One in ten never changes; their turn must come again and again.
            let chances = (0..60).map(|page| if page % 10 == 0 { 0.0 } else { 0.3 }).collect();
            let mut world = World::new(chances, seed);
            let mut scheduler = world.scheduler(policy, 6, seed);
            for now in 1..=150 {
                world.cycle(&mut scheduler, 20, now);
            }
            prop_assert!(world.downloads.iter().all(|&visits| visits >= 3), "{policy}");
        }
    }
}

#[test]
fn pages_that_always_fail_do_not_keep_the_others_from_being_visited() {
    use recrawl_model::{Budget, Observation, Outcome};
    for policy in ["frequency", "optimal-freshness", "nutch-adaptive"] {
        let world = World::new(vec![0.5; 60], 1);
        let mut scheduler = world.scheduler(policy, 6, 1);
        let mut visits = [0; 60];
        for now in 1..=60 {
            let at = crate::world::day(now);
            scheduler
                .begin_cycle(Budget::downloads(10), at)
                .expect("a cycle");
            let pages: Vec<PageId> = scheduler.decide(at).pages.to_vec();
            for page in pages {
                visits[page.index()] += 1;
                let outcome = if page.0 < 15 {
                    Outcome::Unknown
                } else {
                    Outcome::Changed
                };
                scheduler
                    .observe(page, Observation::new(at, outcome))
                    .expect("asked for");
            }
        }
        let good: i32 = visits[15..].iter().sum();
        assert!(
            good > 400,
            "{policy}: {good} of 600 visits went to pages that answer"
        );
        assert!(visits[..15].iter().all(|&tries| tries > 1), "{policy}");
    }
}
