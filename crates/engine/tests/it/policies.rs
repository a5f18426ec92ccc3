//! Each policy against a baseline, on worlds where it must win.

use recrawl_model::{Budget, Observation, Outcome, PageId, SiteId, VisitKind, Weight};

use crate::world::{World, day};

/// Twenty sites of forty pages: a quarter change much, the others little.
fn peaks() -> World {
    let chances = (0..800).map(|page| if page / 40 % 4 == 0 { 0.8 } else { 0.05 });
    World::new(chances.collect(), 11)
}

fn ratio(policy: &str, budget: u64, cycles: i64) -> f64 {
    let mut world = peaks();
    let mut scheduler = world.scheduler(policy, 40, 3);
    world.change_ratio(&mut scheduler, budget, cycles)
}

#[test]
fn sampling_finds_sites_that_change_and_greedy_finds_most() {
    let round_robin = ratio("round-robin", 200, 4);
    let proportional = ratio("proportional:samples=4", 200, 4);
    let greedy = ratio("greedy:samples=4", 200, 4);
    let adaptive = ratio("adaptive:samples=2", 200, 4);
    let oracle = ratio("oracle", 200, 4);
    assert!(proportional > round_robin, "{proportional} {round_robin}");
    assert!(greedy > proportional + 0.05, "{greedy} {proportional}");
    assert!(adaptive > round_robin + 0.2, "{adaptive} {round_robin}");
    assert!(oracle > greedy && oracle > 0.9, "{oracle} {greedy}");
}

#[test]
fn adaptive_samples_only_as_long_as_a_site_is_in_doubt() {
    // Section 3.4 of Cho & Ntoulas: shares 0, 0.45, 0.55 and 1, 200 of 400 pages.
    let mut world = World::new(vec![0.0; 400], 1);
    let mut scheduler = world.scheduler("adaptive:samples=10", 100, 6);
    for (site, changed) in [0, 45, 55, 100].into_iter().enumerate() {
        world.changed[site * 100..site * 100 + changed].fill(true);
    }
    world.cycle(&mut scheduler, 200, 1);
    let visits: Vec<u32> = world
        .downloads
        .chunks(100)
        .map(|site| site.iter().sum())
        .collect();
    assert_eq!((visits[0], visits[3]), (10, 100), "clear after one round");
    assert!(visits[1] >= 20 && visits[2] >= 20, "in doubt: {visits:?}");
}

#[test]
fn visits_of_an_earlier_cycle_are_no_samples_of_this_one() {
    let world = World::new(vec![0.0; 60], 1);
    let mut scheduler = world.scheduler("greedy:samples=2", 30, 1);
    let begin = |scheduler: &mut recrawl_engine::Scheduler, now| {
        scheduler
            .begin_cycle(Budget::downloads(14), day(now))
            .expect("a cycle");
    };
    // Nothing of the first cycle comes back in time: two samples of each site
    // and ten more pages of one of them are in flight.
    begin(&mut scheduler, 1);
    let mut late: Vec<PageId> = scheduler.decide(day(1)).pages.to_vec();
    late.extend_from_slice(scheduler.decide(day(1)).pages);
    let of = |pages: &[PageId], site: u32| pages.iter().filter(|page| page.0 / 30 == site).count();
    let busy = u32::from(of(&late, 1) > of(&late, 0));
    assert_eq!((late.len(), of(&late, busy)), (14, 12));
    // In the second, one sample of the other site has changed.
    begin(&mut scheduler, 2);
    let samples: Vec<PageId> = scheduler.decide(day(2)).pages.to_vec();
    let mut changed = Some(Outcome::Changed);
    for page in samples {
        let other = page.0 / 30 != busy;
        let outcome = if other { changed.take() } else { None };
        let seen = Observation::new(day(2), outcome.unwrap_or(Outcome::Unchanged));
        scheduler.observe(page, seen).expect("asked for");
    }
    for page in late {
        let seen = Observation::new(day(2), Outcome::Changed);
        scheduler.observe(page, seen).expect("in flight");
    }
    let rest = scheduler.decide(day(2));
    assert_eq!((rest.len(), of(rest.pages, 1 - busy)), (10, 10));
}

#[test]
fn fixed_visits_only_what_is_due_where_it_is_told_so() {
    let mut world = World::new(vec![0.5; 30], 1);
    let mut scheduler = world.scheduler("fixed:interval=3d,spend=due", 10, 1);
    let visits: Vec<usize> = (1..=9)
        .map(|now| world.cycle(&mut scheduler, 20, now).downloads)
        .collect();
    // Thirty pages due on day 3: twenty then, ten a day later, and so on.
    assert_eq!(visits, [0, 0, 20, 10, 0, 20, 10, 0, 20]);
}

#[test]
fn theorem_2_sizes_do_no_worse_than_a_sample_of_one() {
    let one = ratio("greedy:samples=1", 200, 6);
    for policy in ["greedy:samples=theorem2", "greedy:samples=theorem2-printed"] {
        let sized = ratio(policy, 200, 6);
        assert!(sized > one, "{policy}: {sized} {one}");
    }
}

#[test]
fn subset_beats_greedy_where_the_budget_is_small() {
    let greedy = ratio("greedy:samples=4", 85, 12);
    let subset = ratio("subset:peak=0.25,samples=4", 85, 12);
    assert!(subset > greedy + 0.1, "{subset} {greedy}");
}

#[test]
fn learners_beat_round_robin_in_the_long_run() {
    // Pages of one site differ, so only page histories tell.
    let mixed = || {
        let chances = (0..400).map(|page| if page % 5 == 0 { 0.6 } else { 0.01 });
        World::new(chances.collect(), 4)
    };
    let long_run = |policy: &str| {
        let mut world = mixed();
        let mut scheduler = world.scheduler(policy, 40, 3);
        world.change_ratio(&mut scheduler, 80, 60)
    };
    let round_robin = long_run("round-robin");
    for policy in [
        "frequency",
        "rate-oracle",
        "nutch-adaptive",
        "stormcrawler-adaptive",
    ] {
        let learned = long_run(policy);
        assert!(
            learned > round_robin + 0.05,
            "{policy}: {learned} {round_robin}"
        );
    }
    assert!(long_run("rate-oracle") >= long_run("frequency"));
}

#[test]
fn optimal_freshness_keeps_more_copies_fresh_than_round_robin() {
    let fresh = |policy: &str| {
        let kinds = [0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6];
        let chances = (0..300).map(|page| kinds[page % kinds.len()]).collect();
        let mut world = World::new(chances, 9);
        let mut scheduler = world.scheduler(policy, 30, 3);
        let mut fresh = 0;
        for now in 1..=160 {
            let harvest = world.cycle(&mut scheduler, 120, now);
            fresh += if now > 80 { harvest.fresh } else { 0 };
        }
        fresh as f64 / (300.0 * 80.0)
    };
    let (round_robin, optimal) = (fresh("round-robin"), fresh("optimal-freshness"));
    let (bound, changes) = (fresh("rate-oracle:objective=freshness"), fresh("frequency"));
    assert!(optimal > round_robin + 0.015, "{optimal} {round_robin}");
    assert!((bound - optimal).abs() < 0.01, "{bound} {optimal}");
    // Who chases changes does not keep copies fresh.
    assert!(changes < round_robin, "{changes} {round_robin}");
}

#[test]
fn cheap_samples_are_followed_by_downloads_of_what_changed() {
    let mut world = peaks();
    let mut scheduler = world.scheduler("greedy:samples=4,sample-cost=0.1", 40, 3);
    let cheap = world.cycle(&mut scheduler, 200, 1);
    // 80 samples cost 8 downloads, and all the rest is downloaded.
    assert_eq!((cheap.samples, cheap.downloads), (80, 192));
    let mut world = peaks();
    let mut scheduler = world.scheduler("greedy:samples=4", 40, 3);
    let dear = world.cycle(&mut scheduler, 200, 1);
    assert!(cheap.changed > dear.changed, "{cheap:?} {dear:?}");
}

#[test]
fn a_changed_sample_counts_once_in_the_history() {
    let mut world = World::new(vec![1.0; 4], 1);
    let mut scheduler = world.scheduler("greedy:samples=2,sample-cost=0.5", 4, 1);
    world.cycle(&mut scheduler, 4, 1);
    for page in 0..4 {
        let summary = scheduler.summary(PageId(page)).expect("there");
        let changed = world.downloads[page as usize] > 0;
        assert_eq!(summary.changes(), u32::from(changed));
        assert_eq!(summary.intervals(), u32::from(changed));
    }
}

#[test]
fn weights_decide_which_sites_are_downloaded() {
    // Both sites change alike in number, but on site 1 the weighty pages change.
    let policy = recrawl_engine::parse("greedy:samples=10").expect("a policy");
    let mut scheduler = recrawl_engine::Scheduler::new(policy.as_ref(), 1);
    for page in 0..40u32 {
        let weight = if page % 2 == 0 { 9.0 } else { 1.0 };
        let weight = Weight::new(weight).expect("a weight");
        scheduler.add_held_page(SiteId(page / 20), weight, day(0));
    }
    let changed = |page: PageId| page.0.is_multiple_of(2) == (page.0 >= 20);
    scheduler
        .begin_cycle(Budget::downloads(30), day(1))
        .expect("a cycle");
    let mut of_site = [0, 0];
    loop {
        let batch = scheduler.decide(day(1));
        if batch.is_empty() {
            break;
        }
        assert_eq!(batch.kind, VisitKind::Download);
        for page in batch.pages {
            of_site[usize::from(page.0 >= 20)] += 1;
        }
        let outcomes: Vec<Outcome> = batch
            .pages
            .iter()
            .map(|&page| {
                if changed(page) {
                    Outcome::Changed
                } else {
                    Outcome::Unchanged
                }
            })
            .collect();
        scheduler
            .observe_batch(day(1), &outcomes)
            .expect("in order");
    }
    assert_eq!(of_site, [10, 20]);
}

#[test]
fn sites_of_unequal_size_are_ranked_by_share_not_by_count() {
    // A site of three pages that all changed comes before one of forty of
    // which half changed, though more of its samples changed.
    let mut world = World::new((0..43).map(|_| 0.0).collect(), 1);
    let policy = recrawl_engine::parse("greedy:samples=8").expect("a policy");
    let mut scheduler = recrawl_engine::Scheduler::new(policy.as_ref(), 1);
    for page in 0..43 {
        scheduler.add_held_page(SiteId(u32::from(page >= 40)), Weight::ONE, day(0));
        world.changed[page] = page >= 40 || page % 2 == 0;
    }
    let harvest = world.cycle(&mut scheduler, 11, 1);
    assert_eq!(harvest.downloads, 11);
    assert!(world.downloads[40..].iter().all(|&visits| visits == 1));
}

#[test]
fn every_policy_explains_its_claim() {
    for entry in recrawl_policy::ENTRIES {
        let mut world = peaks();
        let mut scheduler = world.scheduler(entry.name, 40, 3);
        for now in 1..=3 {
            world.cycle(&mut scheduler, 300, now);
        }
        let why = scheduler.explain(PageId(5), day(4)).expect("there");
        assert!(!why.meaning.is_empty() && !why.value.is_nan(), "{why}");
        assert!(scheduler.explain(PageId(800), day(4)).is_err());
    }
}

#[test]
fn pages_born_later_are_visited_and_dead_ones_are_not() {
    for policy in crate::budget::policies() {
        let mut world = World::new(vec![0.4; 60], 2);
        let mut scheduler = world.scheduler(&policy, 10, 2);
        world.cycle(&mut scheduler, 20, 1);
        for page in 0..5 {
            assert!(scheduler.remove_page(PageId(page)));
        }
        world.downloads.fill(0);
        world = World::new(vec![0.4; 63], 2);
        for _ in 0..3 {
            scheduler.add_page(SiteId(2), Weight::ONE);
        }
        for now in 2..=60 {
            world.cycle(&mut scheduler, 30, now);
        }
        assert!(
            world.downloads[..5].iter().all(|&visits| visits == 0),
            "{policy}"
        );
        assert!(
            world.downloads[60..].iter().all(|&visits| visits > 0),
            "{policy}"
        );
    }
}
