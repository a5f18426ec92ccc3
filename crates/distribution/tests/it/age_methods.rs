//! M1 and M2: ages told by last-modified dates.

use recrawl_distribution::{Grid, Method, estimate};

use crate::simulated::{Law, pareto_age, visit};

/// The limit of M1's tail for Pareto updates and exponential visits of mean 1:
/// `E[G(x+S) - G(x)] / E[G(S)]`, by summing over S.
fn m1_tail(x: f64) -> f64 {
    let mean = |x: f64| -> f64 {
        (0..40_000)
            .map(|n| (f64::from(n) + 0.5) * 1e-3)
            .map(|s| (pareto_age(x + s) - pareto_age(x)) * (-s).exp() * 1e-3)
            .sum()
    };
    mean(x) / mean(0.0)
}

#[test]
fn m1_tends_to_the_limit_of_theorem_2_and_to_neither_ages_nor_lifetimes() {
    let samples = visit(Law::Pareto, Law::Exponential(1.0), 60_000.0, 1, true);
    let grid = Grid::new(0.5, 4.0, samples.unit()).expect("a grid");
    let curve = estimate(Method::M1, &samples, &grid).expect("dates are told");
    for point in &curve.points {
        let tail = 1.0 - point.cdf.expect("M1 has a value everywhere");
        assert!((tail - m1_tail(point.x)).abs() < 0.01, "x = {}", point.x);
    }
    let tail = 1.0 - curve.points[1].cdf.expect("a value");
    let (ages, lifetimes) = (1.0 - pareto_age(1.0), 2f64.powi(-3));
    assert!(tail > lifetimes + 0.02 && tail < ages - 0.02, "{tail}");
    assert_eq!(curve.rate, None);
}

#[test]
fn m1_is_right_for_poisson_updates() {
    let samples = visit(
        Law::Exponential(0.5),
        Law::Exponential(1.0),
        40_000.0,
        2,
        true,
    );
    let grid = Grid::new(0.25, 2.0, samples.unit()).expect("a grid");
    for point in estimate(Method::M1, &samples, &grid).expect("dates").points {
        let truth = -(-2.0 * point.x).exp_m1();
        assert!((point.cdf.expect("a value") - truth).abs() < 0.01);
    }
}

#[test]
fn m2_tends_to_the_age_distribution() {
    let samples = visit(Law::Pareto, Law::Exponential(1.0), 60_000.0, 3, true);
    let grid = Grid::new(0.25, 6.0, samples.unit()).expect("a grid");
    for point in estimate(Method::M2, &samples, &grid).expect("dates").points {
        let ours = point.cdf.expect("a value");
        assert!(
            (ours - pareto_age(point.x)).abs() < 0.012,
            "x = {}",
            point.x
        );
        assert_eq!(point.age_cdf, Some(ours));
    }
}

#[test]
fn m2_finds_the_mean_update_and_the_update_law_of_figure_8() {
    let samples = visit(Law::Pareto, Law::Constant(0.01), 5_000.0, 8, true);
    let grid = Grid::new(0.1, 4.0, samples.unit()).expect("a grid");
    let curve = estimate(Method::M2, &samples, &grid).expect("dates");
    let mean = curve.mean_update.expect("M2 gives it");
    assert!((mean - 0.5).abs() < 0.03, "{mean}");
    for point in curve.points {
        let truth = 1.0 - (1.0 + point.x).powi(-3);
        let ours = point.update_cdf.expect("M2 gives it");
        assert!(
            (ours - truth).abs() < 0.06,
            "x = {}: {ours} {truth}",
            point.x
        );
    }
}

#[test]
fn ages_are_needed_and_their_lack_is_said() {
    let samples = visit(Law::Pareto, Law::Constant(1.0), 100.0, 9, false);
    let grid = Grid::new(1.0, 5.0, samples.unit()).expect("a grid");
    for method in [Method::M1, Method::M2] {
        let refused = estimate(method, &samples, &grid).expect_err("no dates");
        assert!(refused.to_string().contains("needs last-modified times"));
    }
}
