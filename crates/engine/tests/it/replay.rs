//! A log gives back what was grown live.

use recrawl_engine::Scheduler;
use recrawl_model::{Budget, HistorySetBuilder, Observation, Outcome, PageId, SiteId, Weight};

use crate::world::{World, day};

#[test]
fn summaries_rebuilt_from_a_log_equal_those_grown_live() {
    let policy = recrawl_engine::parse("frequency").expect("a policy");
    let mut world = World::new((0..50).map(|page| f64::from(page) / 50.0).collect(), 8);
    let mut live = Scheduler::new(policy.as_ref(), 1);
    let mut log = HistorySetBuilder::new();
    for page in 0..50 {
        let name = format!("https://site{}.org/{page:02}", page / 10);
        let logged = log.add_page(&name);
        let weight = Weight::new(f64::from(page % 3)).expect("a weight");
        log.set_weight(logged, day(0), weight.get());
        log.push(logged, day(0), Outcome::First, None);
        live.add_held_page(SiteId(page / 10), weight, day(0));
    }
    for now in 1..=30 {
        world.pass();
        live.begin_cycle(Budget::downloads(17), day(now))
            .expect("a cycle");
        loop {
            let batch = live.decide(day(now));
            if batch.is_empty() {
                break;
            }
            let visits: Vec<_> = batch.visits().collect();
            for visit in visits {
                let fails = (i64::from(visit.page.0) + now) % 7 == 0;
                let outcome = if fails {
                    Outcome::Unknown
                } else {
                    world.visit(visit.page, visit.kind)
                };
                log.push(visit.page, day(now), outcome, None);
                live.observe(visit.page, Observation::new(day(now), outcome))
                    .expect("asked for");
            }
        }
    }
    let log = log.build().expect("a history");
    let replayed = Scheduler::replay(policy.as_ref(), 9, &log).expect("a log");
    for page in log.pages() {
        assert_eq!(replayed.summary(page), live.summary(page));
        let weight = replayed.collection().weight(page);
        assert_eq!(weight, live.collection().weight(page));
    }
    let changes = |scheduler: &Scheduler| -> u32 {
        let pages = (0..50).map(PageId);
        pages
            .filter_map(|page| scheduler.summary(page))
            .map(recrawl_policy::Summary::changes)
            .sum()
    };
    assert!(changes(&replayed) > 50, "the log taught something");
}
