//! Inputs at the edge.

use proptest::prelude::*;
use recrawl_allocate::{AllocateError, Measure, Pages, allocate, solve};

use crate::support::measures;

fn run(measure: Measure, rates: &[f64], weights: &[f64], budget: f64) -> (Vec<f32>, f64) {
    let pages = Pages::new(measure, rates, weights).expect("as many weights as rates");
    let mut room = vec![f32::NAN; rates.len()];
    let found = allocate(&pages, budget, &mut room).expect("valid");
    (room, found.spent)
}

#[test]
fn pages_that_never_change_or_count_for_nothing_get_no_visits() {
    for measure in Measure::ALL {
        let (visits, _) = run(measure, &[0.0, 1.0, 2.0, 1e-31], &[1.0, 0.0, 1.0, 1.0], 0.5);
        assert_eq!([visits[0], visits[1], visits[3]], [0.0; 3], "{measure:?}");
        assert!((visits[2] - 0.5).abs() < 1e-7, "{measure:?} {visits:?}");
    }
}

#[test]
fn without_a_page_worth_a_visit_nothing_is_spent() {
    for measure in Measure::ALL {
        assert_eq!(run(measure, &[], &[], 3.0).1, 0.0);
        assert_eq!(
            run(measure, &[0.0, 1.0], &[1.0, 0.0], 3.0),
            (vec![0.0; 2], 0.0)
        );
        assert_eq!(
            run(measure, &[2.0, 1.0], &[1.0, 3.0], 0.0),
            (vec![0.0; 2], 0.0)
        );
    }
}

proptest! {
    #[test]
    fn one_page_gets_all_there_is(
        measure in measures(),
        log_rate in -60.0..60.0f64, log_weight in -60.0..60.0f64, log_budget in -60.0..60.0f64,
    ) {
        let (rate, budget) = (log_rate.exp(), log_budget.exp());
        let (visits, spent) = run(measure, &[rate], &[log_weight.exp()], budget);
        let expected = if measure == Measure::HarmonicWithFeed { budget.min(rate) } else { budget };
        prop_assert!((spent / expected - 1.0).abs() < 1e-9, "{spent} {expected}");
        prop_assert!((f64::from(visits[0]) / expected - 1.0).abs() < 1e-7);
    }

    #[test]
    fn rates_and_weights_sixty_orders_apart_still_spend_the_budget(
        measure in measures(),
        pages in prop::collection::vec((-69.0..69.0f64, -69.0..69.0f64), 1..20),
        log_budget in -40.0..40.0f64,
    ) {
        let rates: Vec<f64> = pages.iter().map(|(log_rate, _)| log_rate.exp()).collect();
        let weights: Vec<f64> = pages.iter().map(|(_, log_weight)| log_weight.exp()).collect();
        let budget = log_budget.exp();
        let (visits, spent) = run(measure, &rates, &weights, budget);
        prop_assert!(visits.iter().all(|visits| visits.is_finite() && *visits >= 0.0));
        let most = if measure == Measure::HarmonicWithFeed { rates.iter().sum() } else { budget };
        prop_assert!((spent / budget.min(most) - 1.0).abs() < 1e-9, "{spent} {budget}");
    }

    /// Equal pages get equal parts, also where a part is so small that no price
    /// in double precision asks for it.
    #[test]
    fn equal_pages_get_equal_parts(
        measure in measures(), count in 1usize..30, log_budget in -30.0..-1.0f64,
    ) {
        let budget = log_budget.exp();
        let (visits, _) = run(measure, &vec![2.0; count], &vec![0.7; count], budget);
        let part = budget / count as f64;
        prop_assert!(visits.iter().all(|&ours| (f64::from(ours) / part - 1.0).abs() < 1e-7));
    }
}

#[test]
fn what_is_no_rate_weight_or_budget_is_refused_by_name() {
    let refuse = |rates: &[f64], weights: &[f64], budget: f64| {
        let pages = Pages::new(Measure::Age, rates, weights)?;
        let mut room = vec![7.0; rates.len()];
        let found = allocate(&pages, budget, &mut room).map(|found| found.spent);
        assert!(room.iter().all(|&place| place == 7.0), "nothing is written");
        found
    };
    assert_eq!(
        refuse(&[1.0], &[], 1.0).map_err(|error| error.to_string()),
        Err("1 rates, 0 weights: give one of each per page".to_owned())
    );
    assert_eq!(
        refuse(&[1.0, -2.0], &[1.0, 1.0], 1.0).map_err(|error| error.to_string()),
        Err("page 1 has rate -2 and weight 1: both must be between 0 and 1e30".to_owned())
    );
    for bad in [f64::NAN, f64::INFINITY, -1.0, 2e30] {
        assert!(matches!(
            refuse(&[1.0], &[bad], 1.0),
            Err(AllocateError::Page { page: 0, .. })
        ));
        assert!(matches!(
            refuse(&[bad], &[1.0], 1.0),
            Err(AllocateError::Page { page: 0, .. })
        ));
        assert!(matches!(
            refuse(&[1.0], &[1.0], bad),
            Err(AllocateError::Limit { .. })
        ));
    }
    let pages = Pages::new(Measure::Age, &[1.0], &[1.0]).expect("one of each");
    assert!(pages.at_most(f64::NAN).is_err());
    assert!(matches!(
        allocate(&pages, 1.0, &mut []),
        Err(AllocateError::Room { room: 0, pages: 1 })
    ));
    assert!(solve(&[pages], f64::NAN).is_err());
}
