//! A store becomes histories.

use recrawl_model::{Outcome, PageId, Weight};
use recrawl_store::{Include, MemoryStore, Record, Standing, Store, histories};

use crate::support::{added, at, seen};

#[test]
fn a_log_becomes_histories_and_a_failed_first_visit_is_no_first() {
    let mut store = MemoryStore::new();
    store
        .append(&[
            added(0),
            seen(0, 0, 1, Outcome::Unknown),
            added(1),
            seen(0, 0, 2, Outcome::First),
            seen(0, 1, 2, Outcome::First),
            seen(0, 0, 3, Outcome::Changed),
            Record::PageSet {
                page: PageId(1),
                at: at(4),
                standing: Standing::Gone,
                weight: Weight::new(3.0).expect("a weight"),
            },
            added(2),
            seen(0, 2, 5, Outcome::Unknown),
        ])
        .expect("possible records");
    let all = histories(Include::All, |each| store.replay(each)).expect("histories");
    assert_eq!((all.len(), all.observations()), (3, 3));
    let page = all.find("https://site0.example/0").expect("a page");
    let outcomes: Vec<Outcome> = all
        .history(page)
        .observations()
        .map(|seen| seen.outcome)
        .collect();
    assert_eq!(outcomes, [Outcome::First, Outcome::Changed]);
    let heavy = all.find("https://site1.example/1").expect("a page");
    assert_eq!((all.weight(heavy), all.site(heavy)), (3.0, "site1.example"));
    let never = all.find("https://site2.example/2").expect("a page");
    assert!(all.history(never).is_empty());

    let watched = histories(Include::Watched, |each| store.replay(each)).expect("histories");
    assert_eq!((watched.len(), watched.observations()), (2, 2));
    assert_eq!(watched.find("https://site1.example/1"), None);
}

#[test]
fn visits_given_up_at_the_time_of_another_are_left_out() {
    let mut store = MemoryStore::new();
    store
        .append(&[
            added(0),
            added(1),
            seen(0, 0, 1, Outcome::First),
            seen(0, 1, 1, Outcome::First),
            seen(0, 0, 1, Outcome::Unknown),
            seen(0, 1, 5, Outcome::Unknown),
            seen(0, 1, 5, Outcome::Unknown),
        ])
        .expect("possible records");
    let set = histories(Include::All, |each| store.replay(each)).expect("histories");
    let counts: Vec<usize> = set.pages().map(|page| set.history(page).len()).collect();
    assert_eq!(counts, [1, 2]);
}
