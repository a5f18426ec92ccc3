//! No path overspends or asks twice, whatever policy or driver.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use recrawl_engine::{ObserveError, Scheduler, Truth};
use recrawl_model::{Budget, Cost, Observation, Outcome, PageId, Rate, SiteId, VisitKind, Weight};

use crate::world::day;

/// Every policy, and settings that take other paths.
pub(crate) fn policies() -> Vec<String> {
    let names = recrawl_policy::ENTRIES
        .iter()
        .map(|entry| entry.name.to_owned());
    let more = [
        "greedy:samples=2",
        "greedy:samples=3,sample-cost=0.25",
        "greedy:samples=theorem2",
        "greedy:samples=theorem2-printed",
        "proportional:samples=2,sample-cost=0.3",
        "adaptive:samples=2",
        "adaptive:samples=2,sample-cost=0.1,confidence=0.5",
        "subset:samples=1,sample-cost=0.5,peak=0.5",
        "mixed:share=0.3,policy=greedy,samples=2,sample-cost=0.5",
        "mixed:share=0.5,policy=adaptive",
        "mixed:share=0.5,policy=frequency",
        "mixed:share=1,policy=oracle",
        "fixed:interval=2d,spend=due",
        "nutch-adaptive:spend=due",
        "rate-oracle:objective=age",
        "bayes:law=poisson",
    ];
    names.chain(more.map(str::to_owned)).collect()
}

/// Says anything, always the same.
struct Hearsay;

impl Truth for Hearsay {
    fn changed(&self, page: PageId) -> bool {
        page.0.is_multiple_of(3)
    }

    fn rate(&self, page: PageId) -> Rate {
        Rate::per_day(f64::from(page.0 % 7)).expect("a rate")
    }
}

/// What a driver may do next, the sensible and the senseless.
#[derive(Debug, Clone)]
enum Step {
    Begin { budget: u64, spent: u64 },
    Decide,
    ObserveBatch { outcome: Outcome },
    Observe { which: usize, outcome: Outcome },
    ObserveStranger { page: u32 },
    Add { site: u32, weight: u32 },
    Remove { page: u32 },
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::Changed),
        Just(Outcome::Unchanged),
        Just(Outcome::Unknown),
        Just(Outcome::First),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (0u64..40, 0u64..50).prop_map(|(budget, spent)| Step::Begin { budget, spent }),
        6 => Just(Step::Decide),
        4 => outcome().prop_map(|outcome| Step::ObserveBatch { outcome }),
        6 => (0usize..50, outcome()).prop_map(|(which, outcome)| Step::Observe { which, outcome }),
        1 => (0u32..80).prop_map(|page| Step::ObserveStranger { page }),
        1 => (0u32..8, 0u32..3).prop_map(|(site, weight)| Step::Add { site, weight }),
        1 => (0u32..60).prop_map(|page| Step::Remove { page }),
    ]
}

/// Books kept beside the scheduler's own.
struct Auditor {
    scheduler: Scheduler,
    now: i64,
    total: Cost,
    spent: Cost,
    sample_cost: Cost,
    in_flight: BTreeMap<PageId, VisitKind>,
    asked: BTreeSet<(PageId, bool)>,
    removed: BTreeSet<PageId>,
    asked_order: Vec<PageId>,
}

impl Auditor {
    fn new(text: &str) -> Self {
        let policy = recrawl_engine::parse(text).expect("a policy");
        let mut scheduler = Scheduler::new(policy.as_ref(), 7);
        for page in 0..40 {
            scheduler.add_held_page(SiteId(page % 5), Weight::ONE, day(0));
        }
        let sample_cost = text
            .split(',')
            .find_map(|part| part.split_once("sample-cost="))
            .map_or(1.0, |(_, cost)| cost.parse().expect("a number"));
        Self {
            scheduler,
            now: 0,
            total: Cost::ZERO,
            spent: Cost::ZERO,
            sample_cost: Cost::part(sample_cost).expect("a cost"),
            in_flight: BTreeMap::new(),
            asked: BTreeSet::new(),
            removed: BTreeSet::new(),
            asked_order: Vec::new(),
        }
    }

    fn begin(&mut self, budget: u64, spent: u64) {
        self.now += 1;
        let budget = Budget::downloads(budget).already_spent(Cost::downloads(spent));
        self.total = budget.total();
        self.spent = budget.spent();
        self.asked.clear();
        self.scheduler
            .begin_cycle_knowing(budget, day(self.now), &Hearsay)
            .expect("a cycle");
    }

    fn decide(&mut self) {
        let batch = self.scheduler.decide(day(self.now));
        let sample = batch.kind == VisitKind::Sample;
        let cost = if sample {
            self.sample_cost
        } else {
            Cost::DOWNLOAD
        };
        for visit in batch.visits() {
            self.spent = self.spent + cost;
            self.asked_order.push(visit.page);
            assert!(
                !self.removed.contains(&visit.page),
                "asked for a removed page"
            );
            assert!(
                self.in_flight.insert(visit.page, visit.kind).is_none(),
                "asked for a page in flight"
            );
            assert!(
                self.asked.insert((visit.page, sample)),
                "asked twice in one cycle"
            );
            assert!(
                !sample || !self.asked.contains(&(visit.page, false)),
                "sampled after it was downloaded"
            );
        }
        assert!(batch.is_empty() || self.spent <= self.total, "overspent");
        let budget = self.scheduler.budget();
        assert_eq!(budget.spent(), self.spent);
    }

    fn observe_batch(&mut self, outcome: Outcome) {
        self.now += 1;
        let pages = self.in_flight.len();
        let result = self
            .scheduler
            .observe_batch(day(self.now), &vec![outcome; pages]);
        match result {
            Ok(()) => self.in_flight.clear(), // the batch was all that is in flight
            Err(ObserveError::BatchMismatch { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }

    fn observe(&mut self, which: usize, outcome: Outcome) {
        let Some(&page) = self
            .in_flight
            .keys()
            .nth(which % self.in_flight.len().max(1))
        else {
            return;
        };
        self.now += 1;
        self.in_flight.remove(&page);
        let seen = Observation::new(day(self.now), outcome);
        assert_eq!(self.scheduler.observe(page, seen), Ok(()));
        let again = self.scheduler.observe(page, seen);
        assert_eq!(again, Err(ObserveError::NotAskedFor { page }));
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Begin { budget, spent } => self.begin(budget, spent),
            Step::Decide => self.decide(),
            Step::ObserveBatch { outcome } => self.observe_batch(outcome),
            Step::Observe { which, outcome } => self.observe(which, outcome),
            Step::ObserveStranger { page } => {
                let page = PageId(page);
                if !self.in_flight.contains_key(&page) {
                    let before = *self.scheduler.budget();
                    let seen = Observation::new(day(self.now + 1), Outcome::Changed);
                    assert!(self.scheduler.observe(page, seen).is_err());
                    assert_eq!(*self.scheduler.budget(), before);
                }
            }
            Step::Add { site, weight } => {
                let weight = Weight::new(f64::from(weight)).expect("a weight");
                self.scheduler.add_page(SiteId(site), weight);
            }
            Step::Remove { page } => {
                let page = PageId(page);
                if self.scheduler.remove_page(page) {
                    self.removed.insert(page);
                    self.in_flight.remove(&page);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_driver_makes_any_policy_overspend_or_ask_twice(
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        for policy in policies() {
            let mut auditor = Auditor::new(&policy);
            for step in &steps {
                auditor.take(step);
            }
        }
    }

    #[test]
    fn the_same_seed_and_calls_ask_for_the_same_visits(
        steps in proptest::collection::vec(step(), 1..40),
    ) {
        for policy in policies() {
            let mut runs = [Auditor::new(&policy), Auditor::new(&policy)];
            for run in &mut runs {
                for step in &steps {
                    run.take(step);
                }
            }
            prop_assert_eq!(&runs[0].asked_order, &runs[1].asked_order, "{}", policy);
        }
    }
}

#[test]
fn a_resumed_cycle_spends_the_rest_and_leaves_visited_pages_alone() {
    for policy in policies() {
        if recrawl_engine::parse(&policy).is_ok_and(|policy| policy.needs_truth()) {
            continue;
        }
        let mut auditor = Auditor::new(&policy);
        let visited: Vec<PageId> = (0..15).map(PageId).collect();
        let budget = Budget::downloads(20).already_spent(Cost::downloads(15));
        auditor
            .scheduler
            .resume_cycle(budget, day(1), &visited)
            .expect("a cycle");
        let mut visits = 0.0;
        loop {
            let batch = auditor.scheduler.decide(day(1));
            if batch.is_empty() {
                break;
            }
            assert!(batch.pages.iter().all(|page| !visited.contains(page)));
            let cost = match batch.kind {
                VisitKind::Sample => auditor.sample_cost,
                VisitKind::Download => Cost::DOWNLOAD,
            };
            visits += cost.in_downloads() * batch.len() as f64;
            let outcomes = vec![Outcome::Unchanged; batch.len()];
            auditor
                .scheduler
                .observe_batch(day(1), &outcomes)
                .expect("in order");
        }
        assert!(visits <= 5.0, "{policy}: {visits}");
    }
}

#[test]
fn the_bounds_are_refused_where_nobody_knows_the_truth() {
    for name in ["oracle", "rate-oracle", "mixed:policy=oracle"] {
        let policy = recrawl_engine::parse(name).expect("a policy");
        let mut scheduler = Scheduler::new(policy.as_ref(), 1);
        let refused = scheduler.begin_cycle(Budget::downloads(1), day(1));
        let told = refused.expect_err("no truth").to_string();
        assert!(told.contains("only a simulation knows"), "{told}");
    }
}

#[test]
fn a_visit_in_flight_over_the_end_of_its_cycle_is_neither_asked_for_again_nor_lost() {
    let mut auditor = Auditor::new("round-robin");
    auditor.begin(40, 0);
    auditor.decide();
    auditor.begin(40, 0);
    auditor.decide();
    assert_eq!(
        auditor.asked_order.len(),
        40,
        "all pages are still in flight"
    );
    auditor.observe(0, Outcome::Changed);
    let summary = auditor.scheduler.summary(PageId(0)).expect("there");
    assert_eq!(summary.changes(), 1);
    auditor.begin(40, 0);
    auditor.decide();
    assert_eq!(auditor.asked_order[40..], [PageId(0)]);
}

#[test]
fn a_clock_that_jumps_back_teaches_nothing_and_frees_the_page() {
    let mut auditor = Auditor::new("round-robin");
    auditor.begin(1, 0);
    auditor.decide();
    let page = auditor.asked_order[0];
    let seen = Observation::new(day(-5), Outcome::Changed);
    assert!(matches!(
        auditor.scheduler.observe(page, seen),
        Err(ObserveError::OutOfOrder { .. })
    ));
    let summary = auditor.scheduler.summary(page).expect("there");
    assert_eq!((summary.intervals(), summary.last()), (0, Some(day(0))));
    assert!(auditor.scheduler.budget().left() == Cost::ZERO);
}

/// Sites differ, pages change by a rule that is the same on every machine.
fn seen_by_rule(page: PageId, turn: u64) -> Outcome {
    let mut mix = (u64::from(page.0) << 20 ^ turn).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mix = (mix ^ (mix >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let busy = 2 + 30 * u64::from(page.0 % 20) / 20;
    if (mix >> 11) % 100 < busy {
        Outcome::Changed
    } else {
        Outcome::Unchanged
    }
}

#[test]
fn the_default_policy_spends_its_budget_while_there_are_pages() {
    let policy = recrawl_policy::parse("bayes").expect("a policy");
    let mut scheduler = Scheduler::new(policy.as_ref(), 1);
    for page in 0..20_000 {
        scheduler.add_held_page(SiteId(page % 20), Weight::ONE, day(0));
    }
    for turn in 1..20u64 {
        let now = day(turn as i64);
        scheduler
            .begin_cycle(Budget::downloads(833), now)
            .expect("a cycle");
        loop {
            let batch = scheduler.decide(now);
            if batch.is_empty() {
                break;
            }
            let outcomes: Vec<Outcome> = batch
                .pages
                .iter()
                .map(|&page| seen_by_rule(page, turn))
                .collect();
            scheduler.observe_batch(now, &outcomes).expect("in order");
        }
        let left = scheduler.budget().left().in_downloads();
        assert_eq!(left, 0.0, "cycle {turn}");
    }
}

/// Pages asked for in a cycle, by batch; every visit finds the page unchanged.
fn asked_in_cycle(scheduler: &mut Scheduler, budget: u64, turn: i64) -> Vec<Vec<PageId>> {
    scheduler
        .begin_cycle(Budget::downloads(budget), day(turn))
        .expect("a cycle");
    let mut batches = Vec::new();
    loop {
        let batch = scheduler.decide(day(turn)).pages.to_vec();
        if batch.is_empty() {
            return batches;
        }
        let outcomes = vec![Outcome::Unchanged; batch.len()];
        scheduler
            .observe_batch(day(turn), &outcomes)
            .expect("in order");
        batches.push(batch);
    }
}

#[test]
fn newcomers_go_first_and_take_half_of_a_cycle_where_a_driver_wants_it() {
    let policy = recrawl_policy::parse("bayes").expect("a policy");
    let mut scheduler = Scheduler::new(policy.as_ref(), 1);
    scheduler.visit_newcomers_first();
    for _ in 0..50 {
        scheduler.add_held_page(SiteId(0), Weight::ONE, day(0));
    }
    for _ in 0..12 {
        scheduler.add_page(SiteId(1), Weight::ONE);
    }
    let new = |pages: &[PageId]| pages.iter().filter(|page| page.0 >= 50).count();
    let first = asked_in_cycle(&mut scheduler, 10, 1);
    assert_eq!(first[0], [50, 51, 52, 53, 54].map(PageId));
    assert_eq!(first.concat().len(), 10);
    let second = asked_in_cycle(&mut scheduler, 10, 2);
    let third = asked_in_cycle(&mut scheduler, 10, 3);
    assert_eq!(new(&second[0]), second[0].len(), "newcomers alone");
    let seen = (50..62).filter(|&page| {
        let summary = scheduler.summary(PageId(page)).expect("there");
        summary.last().is_some()
    });
    assert_eq!(seen.count(), 12);
    assert_eq!(second.concat().len() + third.concat().len(), 20);
}

#[test]
fn a_newcomer_whose_visit_failed_is_left_to_the_policy() {
    let policy = recrawl_policy::parse("round-robin").expect("a policy");
    let mut scheduler = Scheduler::new(policy.as_ref(), 1);
    scheduler.visit_newcomers_first();
    for _ in 0..5 {
        scheduler.add_held_page(SiteId(0), Weight::ONE, day(0));
    }
    let new = scheduler.add_page(SiteId(0), Weight::ONE);
    scheduler
        .record(new, Observation::new(day(0), Outcome::Unknown))
        .expect("in order");
    let asked = asked_in_cycle(&mut scheduler, 1, 1).concat();
    assert_ne!(asked, [new]);
}
