//! The rules of a simulated cycle, on a world small enough to count by hand.

use std::time::Duration;

use recrawl_model::Timestamp;
use recrawl_simulate::{
    CycleBudget, Histories, HistoriesError, Membership, PageLife, Reading, RecordedWorld, Score,
    Settings, Window,
};

use crate::{run_once, settings};

fn at(second: i64) -> Timestamp {
    Timestamp::from_seconds(second)
}

fn life(born: i64, died: Option<i64>) -> PageLife {
    PageLife {
        site: 0,
        born: at(born),
        died: died.map(at),
        watched_until: None,
        weight: 1.0,
        bytes: Some(100),
    }
}

fn times(seconds: &[i64]) -> Vec<Timestamp> {
    seconds.iter().copied().map(at).collect()
}

/// Cycles of ten seconds from 0 on. A changes at 4 and 14; B never does and
/// dies at 15; C is born at 5 and changes at 7 and 12.
fn three_lives() -> Histories {
    let mut histories = Histories::new();
    histories
        .push(life(-5, None), &times(&[4, 14]))
        .expect("A is in order");
    histories
        .push(life(-5, Some(15)), &[])
        .expect("B is in order");
    histories
        .push(life(5, None), &times(&[7, 12]))
        .expect("C is in order");
    histories
}

fn window(cycles: u32) -> Window {
    Window {
        start: at(0),
        cycle: Duration::from_secs(10),
        cycles,
    }
}

fn in_tens(budget: CycleBudget) -> Settings {
    Settings {
        cycle: Duration::from_secs(10),
        ..settings(2, budget)
    }
}

fn world() -> RecordedWorld {
    RecordedWorld::new(&three_lives(), window(2), Membership::Everyone).expect("three pages")
}

fn assert_close(found: Option<f64>, expected: f64) {
    let found = found.expect("a number");
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn every_score_is_what_a_hand_counts() {
    let cycles = run_once(
        &mut world(),
        "round-robin",
        &in_tens(CycleBudget::Downloads(3)),
    );
    let first = &cycles[0];
    // At 10: A changed, B did not, C is visited for the first time.
    assert_eq!((first.downloads, first.changed, first.first), (3, 1, 1));
    assert_close(Score::ChangeRatio.of(first), 1.0 / 3.0);
    assert_close(Score::Premature.of(first), 1.0 / 3.0);
    // Alive A 10 s, B 10, C 5; stale A 6, C 5 as nobody holds it.
    assert_close(Score::Freshness.of(first), 14.0 / 25.0);
    // Age A 6^2/2, C 5^2/2, in cycles of ten seconds.
    assert_close(Score::Age.of(first), (18.0 + 12.5) / 25.0 / 10.0);
    // Updates missed: A one for 6 s, C one for 3 s.
    assert_close(Score::Divergence.of(first), 9.0 / 25.0);
    assert_close(Score::Fairness.of(first), 1.0);
    assert_close(Score::DetectionDelay.of(first), 0.6);
    assert_close(Score::Caught.of(first), 0.5);
    assert_close(Score::Bytes.of(first), 300.0);

    let second = &cycles[1];
    // B is gone before the visits of the cycle and is not visited.
    assert_eq!((second.pages, second.downloads, second.changed), (3, 2, 2));
    assert_close(Score::Freshness.of(second), 11.0 / 25.0);
    assert_close(Score::Age.of(second), (18.0 + 32.0) / 25.0 / 10.0);
}

#[test]
fn a_ratio_is_of_the_pages_alive_at_the_start_of_each_cycle_rounded_down() {
    let cycles = run_once(
        &mut world(),
        "round-robin",
        &in_tens(CycleBudget::Ratio(0.9)),
    );
    let budgets: Vec<u64> = cycles.iter().map(|cycle| cycle.budget).collect();
    assert_eq!(budgets, [1, 2]); // of 2 and 3 pages
    assert!(cycles.iter().all(|cycle| cycle.downloads <= cycle.budget));
}

#[test]
fn a_share_of_nothing_is_still_one_download() {
    assert_eq!(CycleBudget::Ratio(0.001).of(7), 1);
}

#[test]
fn read_per_cycle_an_old_change_is_no_change() {
    // Seven changes in the first cycle and never again; nobody visits it then.
    let mut histories = Histories::new();
    for _ in 0..2 {
        let pushed = histories.push(life(-5, None), &times(&[4]));
        pushed.expect("in order");
    }
    let ratios = |reading| {
        let mut world =
            RecordedWorld::new(&histories, window(2), Membership::Everyone).expect("two pages");
        let settings = Settings {
            reading,
            ..in_tens(CycleBudget::Downloads(1))
        };
        let cycles = run_once(&mut world, "round-robin", &settings);
        cycles.iter().map(|cycle| cycle.changed).collect::<Vec<_>>()
    };
    assert_eq!(ratios(Reading::SinceLast), [1, 1]);
    assert_eq!(ratios(Reading::PerCycle), [1, 0]);
}

#[test]
fn only_those_who_stay_are_in_a_world_of_those_alive_throughout() {
    let mut world =
        RecordedWorld::new(&three_lives(), window(2), Membership::AliveThroughout).expect("A");
    let cycles = run_once(
        &mut world,
        "round-robin",
        &in_tens(CycleBudget::Downloads(1)),
    );
    assert!(
        cycles
            .iter()
            .all(|cycle| cycle.pages == 1 && cycle.changed == 1)
    );
}

#[test]
fn a_site_keeps_its_pages_up_to_the_end_of_its_history_and_no_longer() {
    let mut histories = Histories::new();
    for end in [10, 20] {
        let watched = PageLife {
            watched_until: Some(at(end)),
            ..life(-5, None)
        };
        histories.push(watched, &[]).expect("in order");
    }
    let mut world =
        RecordedWorld::new(&histories, window(2), Membership::Everyone).expect("two pages");
    let cycles = run_once(
        &mut world,
        "round-robin",
        &in_tens(CycleBudget::Downloads(2)),
    );
    let downloads: Vec<u64> = cycles.iter().map(|cycle| cycle.downloads).collect();
    assert_eq!(downloads, [2, 1]);
}

#[test]
fn a_site_whose_history_stops_in_the_last_cycle_reaches_the_end() {
    let mut histories = Histories::new();
    for end in [10, 12, 20] {
        let watched = PageLife {
            watched_until: Some(at(end)),
            ..life(-5, None)
        };
        histories.push(watched, &[]).expect("in order");
    }
    let mut world =
        RecordedWorld::new(&histories, window(2), Membership::AliveThroughout).expect("two pages");
    let cycles = run_once(
        &mut world,
        "round-robin",
        &in_tens(CycleBudget::Downloads(2)),
    );
    let pages: Vec<u64> = cycles.iter().map(|cycle| cycle.pages).collect();
    let downloads: Vec<u64> = cycles.iter().map(|cycle| cycle.downloads).collect();
    assert_eq!((pages, downloads), (vec![2, 2], vec![2, 2]));
}

#[test]
fn the_default_window_is_the_last_before_the_end() {
    let window = three_lives()
        .window(None, Duration::from_secs(5), 2)
        .expect("a window");
    // The last thing known is B's death at 15.
    assert_eq!((window.start, window.end()), (at(5), at(15)));
}

#[test]
fn a_cycle_longer_than_the_history_is_refused() {
    let refused = three_lives().window(None, Duration::from_secs(21), 1);
    assert!(matches!(refused, Err(HistoriesError::CycleTooLong { .. })));
    let refused = three_lives().window(Some(at(15)), Duration::from_secs(5), 1);
    assert!(matches!(refused, Err(HistoriesError::Outside { .. })));
}

#[test]
fn an_update_before_the_birth_is_refused() {
    let refused = Histories::new().push(life(5, None), &times(&[5]));
    assert!(matches!(refused, Err(HistoriesError::OutOfOrder { .. })));
}
