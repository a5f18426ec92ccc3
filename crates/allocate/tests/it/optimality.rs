//! What makes an allocation the best one.

use proptest::prelude::*;
use recrawl_allocate::{Measure, Pages, allocate, solve};

use crate::support::problems;

/// Table and closed form agree to this.
const CLOSE: f64 = 2e-9;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_budget_is_spent_to_one_part_in_a_billion(problem in problems()) {
        let mut room = vec![0.0; problem.rates.len()];
        let found = allocate(&problem.pages(), problem.budget, &mut room).expect("valid");
        prop_assert!((found.spent / problem.budget - 1.0).abs() < 1e-9, "{found:?}");
        // What is handed out is rounded to f32, one part in 2^24 a page.
        let rounded: f64 = room.iter().map(|&visits| f64::from(visits)).sum();
        prop_assert!((rounded / problem.budget - 1.0).abs() < 7e-8);
        let exact: f64 = problem.visits(found.price).iter().sum();
        prop_assert!((exact / problem.budget - 1.0).abs() < CLOSE, "{exact}");
    }

    /// Karush, Kuhn and Tucker: w times the marginal score is the price for
    /// every page visited, and no more than the price for those that are not.
    #[test]
    fn every_visited_page_gains_the_price_and_no_other_gains_more(problem in problems()) {
        let price = problem.price();
        let visits = problem.visits(price);
        for (page, &visits) in visits.iter().enumerate() {
            let (rate, weight) = (problem.rates[page], problem.weights[page]);
            let gain = weight * problem.measure.marginal_score(rate, visits) / price.value();
            let full = problem.measure == Measure::HarmonicWithFeed && visits >= rate;
            if visits == 0.0 {
                prop_assert!(gain <= 1.0 + CLOSE, "{page} {gain}");
            } else if full {
                prop_assert!(gain >= 1.0 - CLOSE, "{page} {gain}");
            } else {
                prop_assert!((gain - 1.0).abs() < CLOSE, "{page} {gain}");
            }
        }
    }

    #[test]
    fn no_exchange_between_two_pages_improves_the_score(
        problem in problems(),
        pairs in prop::collection::vec((0usize..40, 0usize..40, 1e-4..1.0f64), 30),
    ) {
        let visits = problem.visits(problem.price());
        let best = problem.score(&visits);
        for (from, to, part) in pairs {
            let (from, to) = (from % visits.len(), to % visits.len());
            let amount = visits[from] * part;
            let mut other = visits.clone();
            other[from] -= amount;
            other[to] += amount;
            let score = problem.score(&other);
            let scale = problem.weights.iter().sum::<f64>() + best.abs();
            prop_assert!(score <= best + 1e-13 * scale, "{from} to {to}: {score} {best}");
        }
    }

    /// The price is what one visit more adds to the score.
    #[test]
    fn the_score_grows_with_the_budget_at_the_price(problem in problems()) {
        let mut richer = problem.clone();
        richer.budget *= 1.0 + 1e-4;
        prop_assume!(problem.measure != Measure::HarmonicWithFeed || richer.price().value() > 0.0);
        let (price, lower) = (problem.price(), richer.price());
        let gained = problem.pages().score(lower) - problem.pages().score(price);
        let added = richer.budget - problem.budget;
        let noise = 1e-12 * problem.pages().score(price).abs();
        prop_assert!(gained <= price.value() * added * (1.0 + 1e-5) + noise, "{gained}");
        prop_assert!(gained >= lower.value() * added * (1.0 - 1e-5) - noise, "{gained}");
    }

    #[test]
    fn the_order_of_pages_does_not_matter(problem in problems(), turn in 0usize..40) {
        let mut other = problem.clone();
        other.rates.reverse();
        other.weights.reverse();
        let turn = turn % other.rates.len();
        other.rates.rotate_left(turn);
        other.weights.rotate_left(turn);
        let (one, two) = (problem.price().value(), other.price().value());
        prop_assert!((one / two - 1.0).abs() < CLOSE, "{one} {two}");
    }

    #[test]
    fn more_budget_lowers_the_price_and_takes_visits_from_no_page(
        problem in problems(), factor in 1.01..3.0f64,
    ) {
        let mut richer = problem.clone();
        richer.budget *= factor;
        let (price, lower) = (problem.price(), richer.price());
        prop_assert!(lower.value() <= price.value() * (1.0 + CLOSE));
        let (visits, more) = (problem.visits(price), richer.visits(lower));
        prop_assert!(visits.iter().zip(&more).all(|(a, b)| *b >= *a * (1.0 - CLOSE)));
    }

    /// A day is 24 hours: rates, budget and visits scale together.
    #[test]
    fn the_unit_of_time_does_not_matter(problem in problems()) {
        let mut hours = problem.clone();
        for rate in &mut hours.rates {
            *rate /= 24.0;
        }
        hours.budget /= 24.0;
        let (daily, hourly) = (problem.visits(problem.price()), hours.visits(hours.price()));
        let largest = daily.iter().copied().fold(0.0, f64::max);
        for (daily, hourly) in daily.iter().zip(&hourly) {
            prop_assert!((hourly * 24.0 - daily).abs() <= 1e-6 * largest, "{daily} {hourly}");
        }
    }

    #[test]
    fn no_page_gets_more_than_its_bound_and_the_rest_is_spent(
        problem in problems(), bound in 0.01..2.0f64,
    ) {
        prop_assume!(problem.measure != Measure::HarmonicWithFeed);
        let mean = problem.budget / problem.rates.len() as f64;
        let pages = problem.pages().at_most(bound * mean).expect("valid");
        let mut room = vec![0.0; problem.rates.len()];
        let found = allocate(&pages, problem.budget, &mut room).expect("valid");
        let most = (bound * mean) as f32;
        prop_assert!(room.iter().all(|&visits| visits <= most));
        let expected = problem.budget * bound.min(1.0);
        prop_assert!((found.spent / expected - 1.0).abs() < 1e-9, "{} {expected}", found.spent);
    }
}

#[test]
fn a_hundred_thousand_pages_in_single_precision_spend_the_budget() {
    use rand::RngExt;
    let mut rng = rand_pcg::Pcg64::new(5, 7);
    let count = 100_000;
    let rates: Vec<f32> = (0..count)
        .map(|_| 10f32.powf(rng.random_range(-3.0..1.0)))
        .collect();
    let weights: Vec<f32> = (0..count)
        .map(|_| (0.01 + rng.random::<f32>()).recip())
        .collect();
    let mut room = vec![0.0; count];
    for measure in Measure::ALL {
        let pages = Pages::new(measure, &rates, &weights).expect("valid");
        let found = allocate(&pages, 10_000.0, &mut room).expect("valid");
        assert!((found.spent / 1e4 - 1.0).abs() < 1e-9, "{measure:?}");
        let rounded: f64 = room.iter().map(|&visits| f64::from(visits)).sum();
        assert!((rounded / 1e4 - 1.0).abs() < 1e-9, "{measure:?} {rounded}");
        let price = solve(&[pages], 10_000.0).expect("valid");
        assert!((price.value() / found.price.value() - 1.0).abs() < CLOSE);
    }
}
