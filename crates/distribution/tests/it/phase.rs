//! Visits in step with updates.

use recrawl_distribution::{
    DistributionError, Grid, Method, Samples, Warning, estimate, phase_lock,
};
use recrawl_model::{HistoryBuf, Observation, Outcome, TimeUnit, Timestamp};

use crate::simulated::{Law, visit};

#[test]
fn updates_every_1_seen_every_2_have_age_zero_always_and_are_refused() {
    let mut history = HistoryBuf::new();
    for n in 0..50 {
        let at = Timestamp::from_seconds(2 * n);
        let outcome = if n == 0 {
            Outcome::First
        } else {
            Outcome::Changed
        };
        let seen = Observation::new(at, outcome).with_last_modified(at);
        assert_eq!(seen.at.since(at).as_secs(), 0);
        history.push(seen).expect("in order");
    }
    let refused = Samples::from_history(history.view(), TimeUnit::Second).expect_err("locked");
    assert_eq!(refused, DistributionError::AlwaysChanged { intervals: 49 });
    assert!(refused.to_string().contains("phase lock"));
}

#[test]
fn a_beat_is_a_warning_in_the_answer() {
    let samples = visit(Law::Constant(2.5), Law::Constant(1.0), 200.0, 1, false);
    let grid = Grid::new(1.0, 5.0, samples.unit()).expect("a grid");
    let answer = estimate(Method::M4, &samples, &grid).expect("an answer");
    let said = answer
        .warnings
        .iter()
        .map(ToString::to_string)
        .find(|w| w.starts_with("phase lock"));
    let said = said.expect("a warning");
    assert!(
        said.contains("period 2.4937") && said.contains("visit at random times"),
        "{said}"
    );
}

#[test]
fn random_visits_or_random_updates_do_not_lock() {
    for seed in 0..50 {
        let by_clock = visit(
            Law::Constant(2.5),
            Law::Exponential(1.0),
            200.0,
            seed,
            false,
        );
        assert_eq!(phase_lock(&by_clock), None);
        for updates in [Law::Pareto, Law::Exponential(3.0), Law::Uniform(2.0)] {
            let steady = visit(updates, Law::Constant(1.0), 300.0, seed, true);
            assert_eq!(phase_lock(&steady), None, "seed {seed}");
        }
    }
}

#[test]
fn random_visits_find_the_law_that_constant_ones_cannot() {
    // Updates every 2.5: ages are uniform on 0 to 2.5.
    let samples = visit(
        Law::Constant(2.5),
        Law::Exponential(1.0),
        20_000.0,
        3,
        false,
    );
    let grid = Grid::new(0.25, 5.0, samples.unit()).expect("a grid");
    let answer = estimate(Method::Npmle, &samples, &grid).expect("an answer");
    for point in &answer.points {
        let truth = (point.x / 2.5).min(1.0);
        assert!(
            (point.age_cdf.expect("a value") - truth).abs() < 0.02,
            "x = {}",
            point.x
        );
    }
    let mean = answer.mean_update.expect("a value");
    assert!((mean - 2.5).abs() < 0.05, "{mean}");
    assert!(
        !answer
            .warnings
            .iter()
            .any(|w| matches!(w, Warning::PhaseLock { .. }))
    );
}
