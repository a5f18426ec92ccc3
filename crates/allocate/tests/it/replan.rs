//! Plans that follow single pages.

use rand::{RngExt, SeedableRng};
use recrawl_allocate::{Measure, Pages, Replanner, solve};

/// Rates over four orders of magnitude, weights over two.
fn random_pages(count: usize, rng: &mut rand_pcg::Pcg64) -> (Vec<f64>, Vec<f64>) {
    let page = |rng: &mut rand_pcg::Pcg64| {
        let rate = 10f64.powf(rng.random_range(-3.0..1.0));
        (rate, (0.01 + rng.random::<f64>()).recip())
    };
    (0..count).map(|_| page(rng)).unzip()
}

fn spent(measure: Measure, rates: &[f64], weights: &[f64], planner: &mut Replanner) -> f64 {
    let price = planner.price();
    let pages = rates.iter().zip(weights);
    pages
        .map(|(&rate, &weight)| price.visits(measure, rate, weight))
        .sum()
}

#[test]
fn a_plan_followed_page_by_page_is_the_plan_made_afresh() {
    let mut rng = rand_pcg::Pcg64::seed_from_u64(3);
    for measure in Measure::ALL {
        let (mut rates, weights) = random_pages(20_000, &mut rng);
        let budget = 2_000.0;
        let mut planner = Replanner::new(measure, budget).expect("valid");
        planner
            .extend(&Pages::new(measure, &rates, &weights).expect("valid"))
            .expect("valid");
        planner.price();
        for _ in 0..3_000 {
            let page = rng.random_range(0..rates.len());
            planner.remove(rates[page], weights[page]);
            rates[page] *= rng.random_range(0.2..2.0);
            planner.insert(rates[page], weights[page]).expect("valid");
        }
        let spent = spent(measure, &rates, &weights, &mut planner);
        // Demand for regular visits ends steeply, and a dozen pages in a bin do
        // not say where in it; for smooth demand bins are nearly exact.
        let close = match measure {
            Measure::Freshness | Measure::Changes => 5e-4,
            Measure::MemorylessFreshness | Measure::HarmonicWithFeed => 2e-6,
            Measure::Age | Measure::Harmonic => 1e-8,
        };
        assert!((spent / budget - 1.0).abs() < close, "{measure:?} {spent}");
        let pages = Pages::new(measure, &rates, &weights).expect("valid");
        let afresh = solve(&[pages], budget).expect("valid").value();
        let followed = planner.price().value();
        assert!((followed / afresh - 1.0).abs() < 2.0 * close, "{measure:?}");
    }
}

#[test]
fn pages_that_left_leave_no_trace() {
    let mut rng = rand_pcg::Pcg64::seed_from_u64(4);
    let (rates, weights) = random_pages(2_000, &mut rng);
    let mut planner = Replanner::new(Measure::Freshness, 1.0).expect("valid");
    for (&rate, &weight) in rates.iter().zip(&weights) {
        planner.insert(rate, weight).expect("valid");
    }
    planner.price();
    for (&rate, &weight) in rates.iter().zip(&weights) {
        planner.remove(rate, weight);
    }
    assert_eq!(planner.price().value(), 0.0);
    planner.insert(3.0, 1.0).expect("valid");
    let alone = planner.price().visits(Measure::Freshness, 3.0, 1.0);
    assert!((alone - 1.0).abs() < 1e-7, "{alone}");
}

#[test]
fn a_new_budget_moves_the_price() {
    let mut planner = Replanner::new(Measure::Harmonic, 1.0).expect("valid");
    planner.insert(1.0, 1.0).expect("valid");
    let visits = |planner: &mut Replanner| planner.price().visits(Measure::Harmonic, 1.0, 1.0);
    assert!((visits(&mut planner) - 1.0).abs() < 1e-7);
    planner.set_budget(2.0).expect("valid");
    assert!((visits(&mut planner) - 2.0).abs() < 1e-7);
    planner.set_budget(0.0).expect("valid");
    assert_eq!(visits(&mut planner), 0.0);
    assert!(planner.set_budget(-1.0).is_err());
    assert!(planner.insert(f64::NAN, 1.0).is_err());
}
