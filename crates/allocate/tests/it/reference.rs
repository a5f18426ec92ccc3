//! Numbers computed elsewhere.

use recrawl_allocate::{Measure, Pages, allocate, solve};

/// Visits of pages with rates 1 to 5, equal weights.
fn visits(measure: Measure, budget: f64) -> [f32; 5] {
    let (rates, weights) = ([1.0f32, 2.0, 3.0, 4.0, 5.0], [1.0; 5]);
    let pages = Pages::new(measure, &rates, &weights).expect("five of each");
    let mut visits = [0.0; 5];
    let found = allocate(&pages, budget, &mut visits).expect("valid");
    assert!((found.spent / budget - 1.0).abs() < 1e-9, "{measure:?}");
    visits
}

/// ALGORITHMS, section 6: independent solutions for rates 1 to 5.
#[test]
fn five_pages_get_the_visits_published_for_each_measure() {
    for (measure, budget, expected) in [
        (Measure::Freshness, 5.0, [1.150, 1.358, 1.354, 1.138, 0.0]),
        (Measure::Age, 5.0, [0.835, 0.968, 1.034, 1.071, 1.093]),
        (
            Measure::MemorylessFreshness,
            1.0,
            [0.657, 0.343, 0.0, 0.0, 0.0],
        ),
        (Measure::Harmonic, 5.0, [0.783, 0.947, 1.037, 1.096, 1.137]),
    ] {
        let ours = visits(measure, budget);
        for (ours, expected) in ours.iter().zip(expected) {
            assert!((ours - expected).abs() < 6e-4, "{measure:?}: {ours:?}");
        }
    }
}

#[test]
fn changes_of_equal_weight_are_visited_in_proportion_to_rates() {
    for budget in [0.001, 0.3, 5.0, 1e4] {
        for (page, visits) in visits(Measure::Changes, budget).iter().enumerate() {
            let expected = budget * (page as f64 + 1.0) / 15.0;
            let off = f64::from(*visits) / expected - 1.0;
            assert!(off.abs() < 1e-7, "page {page} of {budget}: {visits}");
        }
    }
}

#[test]
fn no_page_is_visited_twice_a_cycle_if_that_is_the_bound() {
    // Proportional to rates until the fastest two are full: 1 + 1 + 3/6 (1+2+3)/3.
    let (rates, weights) = ([1.0f64, 2.0, 3.0, 9.0, 30.0], [1.0; 5]);
    let pages = Pages::new(Measure::Changes, &rates, &weights)
        .and_then(|pages| pages.at_most(1.0))
        .expect("valid");
    let mut visits = [0.0; 5];
    allocate(&pages, 3.0, &mut visits).expect("valid");
    for (ours, expected) in visits.iter().zip([1.0 / 6.0, 2.0 / 6.0, 0.5, 1.0, 1.0]) {
        assert!((ours - expected).abs() < 1e-6, "{visits:?}");
    }
    let found = allocate(&pages, 7.0, &mut visits).expect("valid");
    assert_eq!((visits, found.spent), ([1.0; 5], 5.0));
}

/// Kolobov et al. (2019): pages with a feed share a budget in proportion to
/// their weights, none above its rate, `p = min(1, B w/(λ Σ w))`, what a full
/// page leaves going to the others.
#[test]
fn pages_with_feeds_share_by_weight_and_saturate_one_by_one() {
    let (rates, weights) = ([0.5f64, 2.0, 10.0], [2.0, 1.0, 1.0]);
    let pages = Pages::new(Measure::HarmonicWithFeed, &rates, &weights).expect("valid");
    // By weight 2, 1, 1: the first can use 0.5, the others then get 1.75 each.
    let price = solve(&[pages], 4.0).expect("valid");
    let visits: Vec<f64> = (rates.iter().zip(&weights))
        .map(|(&rate, &weight)| price.visits(Measure::HarmonicWithFeed, rate, weight))
        .collect();
    for (ours, expected) in visits.iter().zip([0.5, 1.75, 1.75]) {
        assert!((ours - expected).abs() < 1e-8, "{visits:?}");
    }
    assert_eq!(solve(&[pages], 20.0).expect("valid").value(), 0.0);
}

/// The split between both kinds of pages by one price is the best of a search
/// over all splits, each kind solved alone, which is the published algorithm.
#[test]
fn one_price_splits_a_budget_between_both_kinds_as_a_search_would() {
    let (silent_rates, silent_weights) = ([0.3f64, 1.0, 4.0], [1.0, 2.0, 1.0]);
    let (told_rates, told_weights) = ([0.2f64, 3.0], [3.0, 1.0]);
    let silent = Pages::new(Measure::Harmonic, &silent_rates, &silent_weights).expect("valid");
    let told = Pages::new(Measure::HarmonicWithFeed, &told_rates, &told_weights).expect("valid");
    let score =
        |pages: Pages<'_, f64>, measure: Measure, rates: &[f64], weights: &[f64], budget| {
            let price = solve(&[pages], budget).expect("valid");
            let pages = rates.iter().zip(weights);
            let scores = pages.map(|(&rate, &weight)| {
                weight * measure.score(rate, price.visits(measure, rate, weight))
            });
            scores.sum::<f64>()
        };
    let split = |part: f64| {
        score(
            silent,
            Measure::Harmonic,
            &silent_rates,
            &silent_weights,
            2.0 - part,
        ) + score(
            told,
            Measure::HarmonicWithFeed,
            &told_rates,
            &told_weights,
            part,
        )
    };
    let (mut low, mut high) = (1e-6f64, 2.0 - 1e-6);
    for _ in 0..80 {
        let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if split(one) < split(other) {
            low = one;
        } else {
            high = other;
        }
    }
    let price = solve(&[silent, told], 2.0).expect("valid");
    let ours: f64 = (told_rates.iter().zip(&told_weights))
        .map(|(&rate, &weight)| price.visits(Measure::HarmonicWithFeed, rate, weight))
        .sum();
    assert!((ours - low).abs() < 1e-5, "{ours} {low}");
}
