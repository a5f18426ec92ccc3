use recrawl_import::{Found, ImportError, Merged, merge};
use recrawl_logs::{Format, ReadSettings, read_from};
use recrawl_model::{HistorySet, Outcome, Timestamp};
use recrawl_store::{Include, MemoryStore, Store, histories};

fn log(rows: &str) -> HistorySet {
    let text = format!("page,time,changed,weight\n{rows}");
    read_from(
        text.as_bytes(),
        Format::Csv,
        "log.csv",
        &ReadSettings::default(),
    )
    .expect("a log")
}

fn now() -> Timestamp {
    Timestamp::from_seconds(1_000_000)
}

fn records(store: &MemoryStore) -> usize {
    let mut count = 0;
    store.replay(&mut |_| count += 1).expect("a log");
    count
}

#[test]
fn importing_twice_adds_nothing_and_more_adds_the_rest() {
    let mut store = MemoryStore::new();
    let first = merge(&mut store, &log("a,0,,2\na,10,1,2\nb,5,,1\n"), now()).expect("new");
    let expected = Merged {
        pages: 2,
        observations: 3,
        known: 0,
    };
    assert_eq!(first, expected);
    let again = log("a,0,,2\na,10,1,2\nb,5,,1\nb,20,0,1\nc,7,,1\n");
    let second = merge(&mut store, &again, now()).expect("more");
    let expected = Merged {
        pages: 1,
        observations: 2,
        known: 3,
    };
    assert_eq!(second, expected);
    let set = histories(Include::All, |each| store.replay(each)).expect("histories");
    assert_eq!((set.len(), set.observations()), (3, 5));
    let page = set.find("a").expect("a page");
    assert_eq!(set.weight(page), 2.0);
    let outcomes: Vec<Outcome> = set
        .history(page)
        .observations()
        .map(|seen| seen.outcome)
        .collect();
    assert_eq!(outcomes, [Outcome::First, Outcome::Changed]);
}

#[test]
fn a_contradiction_is_told_and_nothing_is_imported() {
    let mut store = MemoryStore::new();
    merge(&mut store, &log("a,0,,1\na,10,1,1\n"), now()).expect("new");
    let before = records(&store);
    let refused = merge(
        &mut store,
        &log("a,0,,1\na,10,0,1\na,20,1,1\nz,0,,1\n"),
        now(),
    );
    let refused = refused.expect_err("changed or unchanged?");
    assert_eq!(
        refused.to_string(),
        "page `a` was changed at 1970-01-01T00:00:10Z in the store, and unchanged in what is \
         imported; nothing was imported"
    );
    assert_eq!(records(&store), before);
}

#[test]
fn older_observations_come_before_those_of_the_store() {
    let mut store = MemoryStore::new();
    merge(&mut store, &log("a,100,,1\na,110,1,1\n"), now()).expect("new");
    merge(&mut store, &log("a,0,,1\na,10,1,1\n"), now()).expect("older");
    let set = histories(Include::All, |each| store.replay(each)).expect("histories");
    let page = set.find("a").expect("a page");
    assert_eq!(set.history(page).len(), 4);
    // Nothing compared the first visit of the store with what was there before.
    assert_eq!(set.history(page).intervals().count(), 2);
}

#[test]
fn several_sources_become_one_or_none() {
    let found = |rows| Found {
        set: log(rows),
        notes: vec!["a note".to_owned()],
    };
    let joined = Found::join(vec![found("a,0,,1\n"), found("a,10,1,3\nb,0,,1\n")]);
    let joined = joined.expect("they agree");
    assert_eq!((joined.set.len(), joined.set.observations()), (2, 3));
    assert_eq!(joined.notes.len(), 2);
    let page = joined.set.find("a").expect("a page");
    assert_eq!(joined.set.weight(page), 3.0);
    let refused = Found::join(vec![found("a,0,,1\n"), found("a,0,,1\n")]);
    assert!(matches!(refused, Err(ImportError::Set(_))));
}
