//! M3 to M6 and G-M4: visits that only see whether the page changed.

use std::f64::consts::PI;

use recrawl_distribution::metrics::{largest_distance, weighted_mean_relative_difference};
use recrawl_distribution::{Distribution, Grid, Method, Samples, estimate};

use crate::simulated::{Law, pareto_age, visit};

fn by(method: Method, samples: &Samples, bin: f64, max: f64) -> Distribution {
    let grid = Grid::new(bin, max, samples.unit()).expect("a grid");
    estimate(method, samples, &grid).expect("an answer")
}

fn cdf(distribution: &Distribution) -> Vec<f64> {
    distribution.points.iter().filter_map(|p| p.cdf).collect()
}

#[test]
fn means_of_m3_and_m4_are_four_thirds_and_pi_squared_sixths() {
    let samples = visit(Law::Pareto, Law::Constant(1.0), 400_000.0, 1, false);
    let d3 = by(Method::M3, &samples, 1.0, 5.0)
        .mean_kept
        .expect("lengths");
    let d4 = by(Method::M4, &samples, 1.0, 5.0)
        .mean_kept
        .expect("lengths");
    assert!((d3 - 4.0 / 3.0).abs() < 0.01, "{d3}");
    // The variance of ages is infinite: the mean comes in slowly.
    assert!((d4 - PI * PI / 6.0).abs() < 0.05, "{d4}");
    // In the limit E[D4] is the sum of the age tails at whole intervals.
    let limit: f64 = (0..2_000_000).map(|n| 1.0 - pareto_age(f64::from(n))).sum();
    assert!((limit - PI * PI / 6.0).abs() < 1e-6);
}

#[test]
fn m3_tends_to_the_limit_of_theorem_6() {
    let samples = visit(Law::Pareto, Law::Constant(1.0), 100_000.0, 2, false);
    for point in by(Method::M3, &samples, 1.0, 8.0).points {
        let tail = (pareto_age(point.x + 1.0) - pareto_age(point.x)) / pareto_age(1.0);
        assert!((1.0 - point.cdf.expect("a value") - tail).abs() < 0.006);
        assert_eq!((point.age_cdf, point.update_cdf), (None, None));
    }
}

/// Mean WMRD and KS of M4 and M5 over `runs` paths of length `until`, at the
/// lengths observed.
fn table_1(until: f64, runs: u64) -> [(f64, f64); 2] {
    [Method::M4, Method::M5].map(|method| {
        let (mut wmrd, mut ks) = (0.0, 0.0);
        for seed in 0..runs {
            let samples = visit(Law::Pareto, Law::Constant(1.0), until, 1_000 + seed, false);
            let longest = samples.runs().iter().map(|run| run.visits.len()).max();
            let most = longest.unwrap_or(1) as f64;
            let curve = cdf(&by(method, &samples, 1.0, most));
            let truth: Vec<f64> = (1..=curve.len()).map(|n| pareto_age(n as f64)).collect();
            wmrd += weighted_mean_relative_difference(&curve, &truth) / runs as f64;
            ks += largest_distance(&curve, &truth) / runs as f64;
        }
        (wmrd, ks)
    })
}

#[test]
fn errors_of_m4_and_m5_are_those_of_table_1_and_fall_with_the_root_of_time() {
    // Length, runs, WMRD and KS found in advance by an independent simulation.
    let expected = [
        (1e2, 200, 0.041, 0.065),
        (1e3, 100, 0.0104, 0.0224),
        (1e4, 40, 0.0023, 0.0069),
        (1e5, 10, 0.0006, 0.0019),
    ];
    let ours: Vec<_> = expected
        .iter()
        .map(|&(until, runs, ..)| table_1(until, runs))
        .collect();
    for ([m4, m5], (until, _, wmrd, ks)) in ours.iter().zip(expected) {
        for method in [m4, m5] {
            let off = |ours: f64, published: f64| (ours / published).ln().abs();
            assert!(off(method.0, wmrd) < 0.45, "T = {until}: WMRD {}", method.0);
            assert!(off(method.1, ks) < 0.35, "T = {until}: KS {}", method.1);
        }
        assert!((m4.1 / m5.1 - 1.0).abs() < 0.1, "T = {until}");
    }
    // A hundred times the length makes KS ten times smaller.
    let ratio = ours[1][0].1 / ours[3][0].1;
    assert!((7.0..15.0).contains(&ratio), "{ratio}");
}

#[test]
fn m6_is_far_closer_than_g_m4_on_random_visits() {
    for visits in [Law::Exponential(1.0), Law::Uniform(1.0)] {
        let samples = visit(Law::Pareto, visits, 40_000.0, 6, false);
        let truth = |shift: f64| -> Vec<f64> {
            (1..=200)
                .map(|n| pareto_age((f64::from(n) - shift) * 0.05))
                .collect()
        };
        let m6 = by(Method::M6, &samples, 0.05, 10.0);
        let gm4 = by(Method::GM4, &samples, 0.05, 10.0);
        // The pairs of bin n stand for the middle of the bin.
        let raw = largest_distance(&cdf(&m6), &truth(0.5));
        let ages: Vec<f64> = m6.points.iter().filter_map(|p| p.age_cdf).collect();
        let corrected = largest_distance(&ages, &truth(0.0));
        let stretched = largest_distance(&cdf(&gm4), &truth(0.0));
        assert!(raw < 0.06, "{raw}");
        assert!(corrected < 0.03, "{corrected}");
        assert!(stretched > 0.3, "{stretched}");
    }
}

#[test]
fn half_a_bin_matters_to_m6() {
    // Without the correction the curve of wide bins would lie half a bin off.
    let samples = visit(Law::Pareto, Law::Exponential(1.0), 40_000.0, 7, false);
    let m6 = by(Method::M6, &samples, 0.2, 5.0);
    let first = &m6.points[0];
    let raw = first.cdf.expect("a value");
    let ages = first.age_cdf.expect("a value");
    assert!((raw - pareto_age(0.2)).abs() > 0.12, "{raw}");
    assert!((ages - pareto_age(0.2)).abs() < 0.03, "{ages}");
}

#[test]
fn on_constant_visits_m6_and_g_m4_have_no_benefit_over_m4_and_no_harm() {
    let samples = visit(Law::Pareto, Law::Constant(1.0), 20_000.0, 8, false);
    let m4 = cdf(&by(Method::M4, &samples, 1.0, 10.0));
    let gm4 = cdf(&by(Method::GM4, &samples, 1.0, 10.0));
    let m6 = by(Method::M6, &samples, 1.0, 10.0);
    assert!(largest_distance(&m4, &gm4) < 1e-12);
    for (point, m4) in m6.points.iter().zip(&m4) {
        // Distances are whole bins, so there is no half bin to take away.
        assert!((point.age_cdf.expect("a value") - m4).abs() < 0.005);
    }
}

#[test]
fn irregular_visits_make_the_methods_of_constant_visits_warn() {
    let samples = visit(Law::Pareto, Law::Exponential(1.0), 500.0, 9, false);
    for method in [Method::M3, Method::M4, Method::M5] {
        let answer = by(method, &samples, 1.0, 5.0);
        assert!(
            answer
                .warnings
                .iter()
                .any(|w| w.code() == "irregular visits")
        );
    }
}
