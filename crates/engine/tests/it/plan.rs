//! Plans from logs: order, budget, and what a policy hears on the way.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use recrawl_engine::{MOST_REPLAYED_CYCLES, Scheduler};
use recrawl_model::{
    Budget, Cost, Explanation, HistorySet, HistorySetBuilder, Outcome, PageId, Timestamp, Visit,
};
use recrawl_policy::{Collection, Desk, ENTRIES, Planner, Policy, Seen};

use crate::world::day;

const DAY: Duration = Duration::from_secs(86_400);

/// A log of (page, day, outcome); pages by their numbers, five to a site.
fn log(pages: u32, visits: &[(u32, i64, Outcome)]) -> HistorySet {
    let mut log = HistorySetBuilder::new();
    let name = |page: u32| format!("https://site{}.org/{page:03}", page / 5);
    let ids: Vec<PageId> = (0..pages).map(|page| log.add_page(&name(page))).collect();
    for &(page, at, outcome) in visits {
        log.push(ids[page as usize], day(at), outcome, None);
    }
    log.build().expect("a log")
}

/// What a policy hears of a log.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Heard {
    Cycle(Timestamp),
    Visit(PageId, Timestamp),
}

struct Listener(Arc<Mutex<Vec<Heard>>>);

impl Policy for Listener {
    fn name(&self) -> &'static str {
        "listener"
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(Self(Arc::clone(&self.0)))
    }
}

impl Planner for Listener {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        assert_eq!(desk.downloads_left(), 0, "a log is not paid for again");
        let mut heard = self.0.lock().expect("one thread");
        heard.push(Heard::Cycle(desk.now));
    }

    fn next(&mut self, _: &mut Desk<'_>) {}

    fn learn(&mut self, _: &Collection, seen: &Seen<'_>) {
        let mut heard = self.0.lock().expect("one thread");
        heard.push(Heard::Visit(seen.pages[0], seen.at));
    }

    fn explain(&self, _: &Collection, _: PageId, _: Timestamp) -> Explanation {
        Explanation::new(0.0, "listens only")
    }
}

fn heard(set: &HistorySet, until: Timestamp) -> Vec<Heard> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = Listener(Arc::clone(&heard));
    Scheduler::replay_in_cycles(&listener, 1, set, DAY, until).expect("a log");
    let heard = heard.lock().expect("one thread");
    heard.clone()
}

#[test]
fn a_log_is_heard_in_order_of_time_cycle_by_cycle() {
    use Outcome::{Changed, First, Unchanged};
    let set = log(
        2,
        &[
            (0, 1, First),
            (0, 2, Changed),
            (1, 1, First),
            (1, 4, Unchanged),
        ],
    );
    let visit = |page, at| Heard::Visit(PageId(page), day(at));
    let expected = [
        Heard::Cycle(day(1)),
        visit(0, 1),
        visit(1, 1),
        Heard::Cycle(day(2)),
        visit(0, 2),
        Heard::Cycle(day(3)),
        Heard::Cycle(day(4)),
        visit(1, 4),
        Heard::Cycle(day(5)),
    ];
    assert_eq!(heard(&set, day(6)), expected);
}

#[test]
fn only_the_last_cycles_of_a_long_log_are_begun() {
    let set = log(1, &[(0, 0, Outcome::First), (0, 999, Outcome::Changed)]);
    let heard = heard(&set, day(1_000));
    assert_eq!(heard[0], Heard::Visit(PageId(0), day(0)));
    let first = 1_000 - i64::from(MOST_REPLAYED_CYCLES);
    assert_eq!(heard[1], Heard::Cycle(day(first)));
    assert_eq!(heard.len(), 2 + MOST_REPLAYED_CYCLES as usize);
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::Changed),
        Just(Outcome::Unchanged),
        Just(Outcome::Unknown)
    ]
}

/// Logs of up to 20 pages over 20 days, each page visited at most once a day.
fn logs() -> impl Strategy<Value = HistorySet> {
    let visits = proptest::collection::btree_map((0..20u32, 0..20i64), outcome(), 1..120);
    (1..20u32, visits).prop_map(|(pages, visits)| {
        let rows: BTreeMap<(u32, i64), Outcome> = visits
            .into_iter()
            .map(|((page, at), outcome)| ((page % pages, at), outcome))
            .collect();
        let rows: Vec<_> = rows
            .into_iter()
            .map(|((page, at), outcome)| (page, at, outcome))
            .collect();
        log(pages, &rows)
    })
}

proptest! {
    #[test]
    fn a_plan_lists_no_page_twice_and_keeps_within_its_budget(
        set in logs(), budget in 1..25u64, seed: u64,
    ) {
        for entry in ENTRIES {
            let policy = recrawl_engine::parse(entry.name).expect("its own name");
            if policy.needs_truth() {
                continue;
            }
            let plan = || -> (Vec<Visit>, Scheduler) {
                let replayed = Scheduler::replay_in_cycles(policy.as_ref(), seed, &set, DAY, day(20));
                let mut scheduler = replayed.expect("a log");
                let visits = scheduler.plan(Budget::downloads(budget), day(20));
                (visits.expect("a plan"), scheduler)
            };
            let (visits, scheduler) = plan();
            let mut pages: Vec<PageId> = visits.iter().map(|visit| visit.page).collect();
            prop_assert!(pages.len() as u64 <= budget, "{}", entry.name);
            prop_assert!(scheduler.budget().spent() <= Cost::downloads(budget));
            for &page in &pages {
                let why = scheduler.explain(page, day(20)).expect("a page of the log");
                prop_assert!(why.value.is_finite(), "{}: {}", entry.name, why);
            }
            prop_assert_eq!(&plan().0, &visits, "{} is not repeatable", entry.name);
            pages.sort_unstable();
            pages.dedup();
            prop_assert_eq!(pages.len(), visits.len(), "{} asks twice", entry.name);
        }
    }

    #[test]
    fn a_plan_by_claims_goes_from_the_strongest_to_the_weakest(
        set in logs(), budget in 1..25u64, seed: u64,
    ) {
        for name in ["optimal-freshness", "optimal-age", "round-robin"] {
            let policy = recrawl_engine::parse(name).expect("a policy");
            let replayed = Scheduler::replay_in_cycles(policy.as_ref(), seed, &set, DAY, day(20));
            let mut scheduler = replayed.expect("a log");
            let visits = scheduler.plan(Budget::downloads(budget), day(20)).expect("a plan");
            let claim = |visit: &Visit| scheduler.explain(visit.page, day(20)).map(|why| why.value);
            let claims: Vec<f64> = visits.iter().map(|visit| claim(visit).expect("a page")).collect();
            // Claims are ranked in single precision.
            let falls = claims.is_sorted_by(|one, next| *one >= next - 1e-6 * next.abs());
            prop_assert!(falls, "{} {:?}", name, claims);
        }
    }
}

#[test]
fn a_policy_that_knows_the_truth_cannot_be_replayed() {
    let set = log(1, &[(0, 0, Outcome::First)]);
    let oracle = recrawl_engine::parse("oracle").expect("a policy");
    let refused = Scheduler::replay_in_cycles(oracle.as_ref(), 1, &set, DAY, day(1));
    let told = refused.err().map(|error| error.to_string());
    assert!(told.is_some_and(|told| told.contains("`oracle` knows what only a simulation knows")));
}
