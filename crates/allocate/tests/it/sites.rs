//! Caps on sites.

use proptest::prelude::*;
use recrawl_allocate::{AllocateError, Measure, Pages, allocate, allocate_within_sites};

use crate::support::problems;

/// First pages of `sites` sites over `pages` pages, and the number of pages.
fn starts(pages: usize, sites: usize) -> Vec<usize> {
    (0..=sites).map(|site| pages * site / sites).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn caps_hold_the_budget_is_spent_and_no_allowed_exchange_helps(
        problem in problems(),
        sites in 1usize..6,
        shares in prop::collection::vec(0.0..1.0f64, 6),
        pairs in prop::collection::vec((0usize..40, 0usize..40, 1e-4..1.0f64), 30),
    ) {
        let count = problem.rates.len();
        let starts = starts(count, sites);
        let caps: Vec<f64> = shares[..sites].iter().map(|share| share * problem.budget).collect();
        let mut room = vec![0.0; count];
        let found = allocate_within_sites(
            &problem.pages(), &starts, &caps, problem.budget, &mut room,
        ).expect("valid");
        let used: Vec<f64> = starts.windows(2).map(|ends| {
            room[ends[0]..ends[1]].iter().map(|&visits| f64::from(visits)).sum()
        }).collect();
        for (used, cap) in used.iter().zip(&caps) {
            prop_assert!(*used <= cap * (1.0 + 1e-7), "{used} {cap}");
        }
        let most: f64 = starts.windows(2).zip(&caps).map(|(ends, &cap)| {
            let rates: f64 = problem.rates[ends[0]..ends[1]].iter().sum();
            if ends[0] == ends[1] { 0.0 }
            else if problem.measure == Measure::HarmonicWithFeed { cap.min(rates) }
            else { cap }
        }).sum();
        let expected = most.min(problem.budget);
        prop_assert!((found.spent - expected).abs() <= 1e-9 * expected, "{} {expected}", found.spent);

        let visits: Vec<f64> = room.iter().map(|&visits| f64::from(visits)).collect();
        let best = problem.score(&visits);
        prop_assume!(best.is_finite());
        let site_of = |page: usize| starts.partition_point(|&start| start <= page) - 1;
        let scale = problem.weights.iter().sum::<f64>() + best.abs();
        for (from, to, part) in pairs {
            let (from, to) = (from % count, to % count);
            let room_left = if site_of(from) == site_of(to) {
                f64::INFINITY
            } else {
                (caps[site_of(to)] - used[site_of(to)]).max(0.0)
            };
            let amount = (visits[from] * part).min(room_left);
            let mut other = visits.clone();
            other[from] -= amount;
            other[to] += amount;
            // Visits are rounded to f32: what rounding can win is first order.
            prop_assert!(problem.score(&other) <= best + 3e-7 * scale, "{from} to {to}");
        }
    }

    #[test]
    fn caps_no_site_reaches_change_nothing(problem in problems(), sites in 1usize..6) {
        let count = problem.rates.len();
        let (mut free, mut capped) = (vec![0.0; count], vec![0.0; count]);
        let starts = starts(count, sites);
        let pages = problem.pages();
        let caps = vec![f64::INFINITY; sites];
        let one = allocate(&pages, problem.budget, &mut free).expect("valid");
        let two = allocate_within_sites(&pages, &starts, &caps, problem.budget, &mut capped)
            .expect("valid");
        prop_assert!((one.price.value() / two.price.value() - 1.0).abs() < 2e-9);
        prop_assert!(two.site_prices.iter().all(|price| *price == two.price));
    }
}

#[test]
fn a_full_site_has_a_price_of_its_own_and_the_rest_goes_elsewhere() {
    // Two sites of two equal pages; the first may have one visit of the four.
    let (rates, weights) = ([1.0f64, 1.0, 1.0, 1.0], [5.0, 5.0, 1.0, 1.0]);
    let pages = Pages::new(Measure::Harmonic, &rates, &weights).expect("valid");
    let mut visits = [0.0; 4];
    let caps = [1.0, f64::INFINITY];
    let found = allocate_within_sites(&pages, &[0, 2, 4], &caps, 4.0, &mut visits).expect("valid");
    for (ours, expected) in visits.iter().zip([0.5, 0.5, 1.5, 1.5]) {
        assert!((ours - expected).abs() < 1e-6, "{visits:?}");
    }
    assert!(found.site_prices[0].value() > found.price.value());
    // Price = w λ/(f (f + λ)).
    assert!((found.site_prices[0].value() - 5.0 / 0.75).abs() < 1e-7);
    assert!((found.price.value() - 1.0 / 3.75).abs() < 1e-8);
}

/// Both pages stop being visited at one price, and a cap lies on the cliff.
#[test]
fn a_cap_on_a_cliff_of_demand_does_not_overspend() {
    let (rates, weights) = ([1.0f64, 3.304_859_982_238_889], [1.0, 1.0]);
    let pages = Pages::new(Measure::Changes, &rates, &weights).expect("valid");
    let budget = 0.110_714_798_562_820_85;
    let caps = [0.583_469_994_507_427_3, 0.844_555_555_366_727_3].map(|share| share * budget);
    let mut visits = [0.0; 2];
    let found = allocate_within_sites(&pages, &[0, 1, 2], &caps, budget, &mut visits);
    let spent = found.expect("valid").spent;
    assert!((spent / budget - 1.0).abs() < 1e-9, "{spent}");
    assert!(
        visits
            .iter()
            .zip(caps)
            .all(|(&used, cap)| f64::from(used) <= cap * (1.0 + 1e-7))
    );
}

#[test]
fn sites_that_do_not_fit_the_pages_are_refused() {
    let pages = Pages::new(Measure::Age, &[1.0, 1.0], &[1.0, 1.0]).expect("valid");
    let mut room = [0.0; 2];
    for (starts, caps) in [
        (&[0, 1][..], &[1.0][..]),
        (&[0, 2], &[1.0, 1.0]),
        (&[1, 2], &[1.0]),
        (&[0, 3, 2], &[1.0, 1.0]),
        (&[], &[]),
    ] {
        let refused = allocate_within_sites(&pages, starts, caps, 1.0, &mut room);
        assert!(
            matches!(refused, Err(AllocateError::Sites { .. })),
            "{starts:?}"
        );
    }
    let refused = allocate_within_sites(&pages, &[0, 2], &[-1.0], 1.0, &mut room);
    assert!(matches!(refused, Err(AllocateError::Limit { .. })));
}
