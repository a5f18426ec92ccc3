use super::*;
use crate::Seen;
use recrawl_model::{Outcome, Weight};

#[test]
fn time_since_the_last_visits_is_open_though_the_cycle_was_planned_before_them() {
    let hour = |n: i64| Timestamp::from_seconds(n * 3_600);
    let mut collection = Collection::new();
    let pages: Vec<PageId> = (0..LEAST_PAGES).map(PageId).collect();
    for &page in &pages {
        collection.add(SiteId(0), Weight::ONE);
        let first = collection.observe(page, hour(0), Outcome::First);
        first.expect("the first visit");
    }
    collection.settle();
    let mut knowledge = Knowledge::new(Law::Learned);
    for cycle in 1..=5 {
        knowledge.begin_cycle(&collection, hour(cycle * 24));
        let at = hour(cycle * 24 + 3);
        let seen = Seen {
            at,
            pages: &pages,
            outcomes: &[Outcome::Unchanged; LEAST_PAGES as usize],
            last_modified: None,
            of_this_cycle: true,
        };
        knowledge.learn(&collection, &seen);
        let visits = pages.iter().map(|&page| (page, Outcome::Unchanged));
        assert_eq!(collection.observe_each(at, visits), None);
    }
    let now = hour(6 * 24);
    knowledge.begin_cycle(&collection, now);
    let site = knowledge.site(SiteId(0)).expect("known");
    let wait = site.wait(&knowledge.calendar, hour(5 * 24 + 3), now);
    assert!((wait.open - 21.0 / 24.0).abs() < 1e-9, "{wait:?}");
    assert!(wait.past.abs() < 1e-9, "{wait:?}");
    assert!((knowledge.cycle_days - 1.0).abs() < 1e-9);
    assert!(site.busy().is_finite(), "{}", site.busy());
}

#[test]
fn a_site_nobody_looks_at_goes_by_plain_days() {
    let day = |n: i64| Timestamp::from_seconds(n * 86_400);
    let mut collection = Collection::new();
    for page in 0..LEAST_PAGES {
        collection.add(SiteId(0), Weight::ONE);
        let first = collection.observe(PageId(page), day(0), Outcome::First);
        first.expect("the first visit");
    }
    collection.settle();
    let mut knowledge = Knowledge::new(Law::Learned);
    for cycle in 1..=150 {
        knowledge.begin_cycle(&collection, day(cycle * 2));
    }
    let activity = &knowledge.activities[0];
    let calendar = &knowledge.calendar;
    // The last boundary is where the cycle was planned: it is not over.
    for boundary in 0..calendar.len() - 1 {
        let days = calendar.at(boundary).days_since(day(0)) as f32;
        assert_eq!(activity.busy[boundary], days, "boundary {boundary}");
    }
}

/// Mean of what is believed of a page visited every week, always changed, whose
/// date says so many days before the visit, beside one that never changes.
fn rate_with_dates(days_before: Option<i64>) -> f64 {
    let day = |n: i64| Timestamp::from_seconds(n * 86_400);
    let mut collection = Collection::new();
    for page in 0..2 {
        collection.add(SiteId(0), Weight::ONE);
        let first = collection.observe(PageId(page), day(0), Outcome::First);
        first.expect("the first visit");
    }
    collection.settle();
    let mut knowledge = Knowledge::new(Law::Learned);
    for week in 1..=80 {
        let now = day(week * 7);
        knowledge.begin_cycle(&collection, now);
        for (page, outcome) in [(0, Outcome::Changed), (1, Outcome::Unchanged)] {
            let dated = days_before.map(|days| day(week * 7 - days));
            let seen = Seen {
                at: now,
                pages: &[PageId(page)],
                outcomes: &[outcome],
                last_modified: if page == 0 { dated } else { Some(day(-9)) },
                of_this_cycle: true,
            };
            knowledge.learn(&collection, &seen);
            let visit = collection.observe(PageId(page), now, outcome);
            visit.expect("in order");
        }
    }
    knowledge.begin_cycle(&collection, day(81 * 7));
    let prior = knowledge.sites[0].prior();
    let belief = knowledge.evidence(PageId(0)).belief(prior);
    belief.expect("positive numbers").mean()
}

#[test]
fn dates_tell_how_fast_a_page_is_that_changed_at_every_visit() {
    let (blind, fast, slow) = (
        rate_with_dates(None),
        rate_with_dates(Some(1)),
        rate_with_dates(Some(5)),
    );
    assert!(fast > 0.7 && fast < 1.2, "{fast}");
    assert!(slow > 0.15 && slow < 0.35, "{slow}");
    assert!(blind > slow, "{blind}");
}

/// What is believed, after 60 days of daily visits, of pages each alone on its site
/// that change every day for three days, then not for nine.
fn after_spells(law: Law) -> Knowledge {
    let day = |n: i64| Timestamp::from_seconds(n * 86_400);
    let mut collection = Collection::new();
    let pages: Vec<PageId> = (0..120).map(PageId).collect();
    for &page in &pages {
        collection.add(SiteId(page.0), Weight::ONE);
        let first = collection.observe(page, day(0), Outcome::First);
        first.expect("the first visit");
    }
    collection.settle();
    let mut knowledge = Knowledge::new(law);
    for today in 1..=60 {
        knowledge.begin_cycle(&collection, day(today));
        let outcome = |page: &PageId| match (today + i64::from(page.0)) % 12 {
            0..3 => Outcome::Changed,
            _ => Outcome::Unchanged,
        };
        let outcomes: Vec<Outcome> = pages.iter().map(outcome).collect();
        let seen = Seen {
            at: day(today),
            pages: &pages,
            outcomes: &outcomes,
            last_modified: None,
            of_this_cycle: true,
        };
        knowledge.learn(&collection, &seen);
        let visits = pages.iter().copied().zip(outcomes);
        assert_eq!(collection.observe_each(day(today), visits), None);
    }
    knowledge.begin_cycle(&collection, day(61));
    knowledge
}

#[test]
fn pages_that_change_in_spells_are_likelier_to_change_soon_after_a_change() {
    let day = |n: i64| Timestamp::from_seconds(n * 86_400);
    let recency =
        |knowledge: &Knowledge, quiet| f64::from(knowledge.recency_of(quiet, day(60), day(61)));
    let (learned, just) = (after_spells(Law::Learned), Quiet::JUST_CHANGED);
    let (soon, late) = (recency(&learned, just), recency(&learned, just.longer(4.0)));
    assert!(soon > 1.5 && late < 0.4, "{soon} {late}");
    assert!((recency(&learned, Quiet::NEVER_CHANGED) - 1.0).abs() < 1e-6);
    let steady = after_spells(Law::Poisson);
    let factor = recency(&steady, just);
    assert!((factor - 1.0).abs() < 1e-6, "{factor}");
}

#[test]
fn visits_of_a_page_between_two_cycles_are_learned_one_after_the_other() {
    let day = |n: i64| Timestamp::from_seconds(n * 86_400);
    let mut collection = Collection::new();
    collection.add(SiteId(0), Weight::ONE);
    let first = collection.observe(PageId(0), day(0), Outcome::First);
    first.expect("the first visit");
    collection.settle();
    let mut knowledge = Knowledge::new(Law::Learned);
    for cycle in 1..=4 {
        knowledge.begin_cycle(&collection, day(cycle * 9));
        for visit in 0..3 {
            let at = day(cycle * 9 + visit);
            let seen = Seen {
                at,
                pages: &[PageId(0)],
                outcomes: &[Outcome::Unchanged],
                last_modified: None,
                of_this_cycle: true,
            };
            knowledge.learn(&collection, &seen);
            let taken = collection.observe(PageId(0), at, Outcome::Unchanged);
            taken.expect("in order");
        }
    }
    knowledge.begin_cycle(&collection, day(45));
    let [changes, _, days] = knowledge.evidence(PageId(0)).parts();
    assert_eq!((changes, days), (0.0, 38.0));
}
