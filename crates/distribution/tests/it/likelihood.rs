//! The maximum-likelihood method against M6 and the truth.

use recrawl_distribution::npmle::{Npmle, TOLERANCE};
use recrawl_distribution::{Bootstrap, Grid, Method, Samples, Study, estimate};

use crate::simulated::{Law, pareto_age, visit};

fn paths(until: f64, count: u64) -> impl Iterator<Item = Samples> {
    (0..count).map(move |seed| visit(Law::Pareto, Law::Exponential(1.0), until, 100 + seed, false))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Largest distance of a fitted age curve from the truth.
fn distance(fit: &Npmle) -> f64 {
    (1..=200)
        .map(|n| f64::from(n) * 0.05)
        .map(|x| (fit.age_cdf(x) - pareto_age(x)).abs())
        .fold(0.0, f64::max)
}

#[test]
fn at_a_thousand_it_is_twice_as_close_as_m6() {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for samples in paths(1_000.0, 40) {
        ours.push(distance(&Npmle::fit(&samples)));
        let grid = Grid::new(0.05, 10.0, samples.unit()).expect("a grid");
        let m6 = estimate(Method::M6, &samples, &grid).expect("an answer");
        let off = |p: &recrawl_distribution::Point| Some((p.cdf? - pareto_age(p.x - 0.025)).abs());
        theirs.push(m6.points.iter().filter_map(off).fold(0.0, f64::max));
    }
    let (ours, theirs) = (median(ours), median(theirs));
    assert!(2.0 * ours < theirs, "{ours} {theirs}");
    assert!(ours < 0.05, "{ours}");
}

#[test]
fn at_twenty_thousand_it_is_within_two_hundredths_and_its_mean_within_15_percent() {
    let fits: Vec<Npmle> = paths(20_000.0, 20).map(|s| Npmle::fit(&s)).collect();
    let closeness = median(fits.iter().map(distance).collect());
    let mean = median(fits.iter().map(|fit| 1.0 / fit.rate()).collect());
    assert!(closeness < 0.02, "{closeness}");
    assert!((mean / 0.5 - 1.0).abs() < 0.15, "{mean}");
    for fit in &fits {
        assert!(fit.gap <= TOLERANCE && fit.steps < 30);
        assert!(fit.smallest_lifetime() > 0.0 && fit.smallest_lifetime() < 0.1);
    }
}

#[test]
fn dates_of_some_visits_bring_it_closer() {
    let (mut bare, mut half, mut full) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..20 {
        let dated = visit(
            Law::Pareto,
            Law::Exponential(4.0),
            4_000.0,
            300 + seed,
            true,
        );
        let dates: Vec<Option<i64>> = dated.runs().iter().map(|run| run.modified).collect();
        let every_other: Vec<Option<i64>> = (0..)
            .zip(&dates)
            .map(|(run, date)| if run % 2 == 0 { None } else { *date })
            .collect();
        let none = vec![None; dates.len()];
        full.push(distance(&Npmle::fit(&dated)));
        half.push(distance(&Npmle::fit(
            &dated.clone().with_run_dates(&every_other),
        )));
        bare.push(distance(&Npmle::fit(&dated.with_run_dates(&none))));
    }
    let (bare, half, full) = (median(bare), median(half), median(full));
    assert!(full < half && half < bare, "{full} {half} {bare}");
}

#[test]
fn on_constant_visits_it_agrees_with_m4() {
    let samples = visit(Law::Pareto, Law::Constant(1.0), 5_000.0, 3, false);
    let grid = Grid::new(1.0, 8.0, samples.unit()).expect("a grid");
    let m4 = estimate(Method::M4, &samples, &grid).expect("an answer");
    let fit = Npmle::fit(&samples);
    for point in m4.points {
        let apart = fit.age_cdf(point.x) - point.cdf.expect("a value");
        assert!(apart.abs() < 0.01, "x = {}: {apart}", point.x);
    }
    assert_eq!(fit.smallest_lifetime(), 1.0);
}

#[test]
fn intervals_cover_the_truth_about_as_often_as_they_say() {
    let bootstrap = Bootstrap {
        replicates: 60,
        confidence: 0.9,
        seed: 1,
    };
    let (mut covered, mut all) = (0, 0);
    for samples in paths(600.0, 30) {
        let grid = Grid::new(0.5, 2.0, samples.unit()).expect("a grid");
        let study = Study::new(Method::Npmle, &samples, &grid, bootstrap).expect("an answer");
        let bands = study.bands.expect("enough runs");
        for (x, bands) in grid.xs().zip(bands.points) {
            let band = bands.age_cdf.expect("an interval");
            covered += usize::from(band.low <= pareto_age(x) && pareto_age(x) <= band.high);
            all += 1;
        }
    }
    let share = f64::from(covered as u32) / f64::from(all);
    assert!((0.75..=0.99).contains(&share), "{share}");
}

#[test]
fn the_update_curve_is_smoothed_closer_to_the_truth() {
    let (mut smooth, mut stepped) = (Vec::new(), Vec::new());
    for samples in paths(5_000.0, 12) {
        let fit = Npmle::fit(&samples);
        let apart = |curve: &dyn Fn(f64) -> f64| {
            (1..=200)
                .map(|n| f64::from(n) * 0.05)
                .map(|x| (curve(x) - (1.0 - (1.0 + x).powi(-3))).abs())
                .fold(0.0, f64::max)
        };
        smooth.push(apart(&|x| fit.update_cdf(x)));
        stepped.push(apart(&|x| fit.stepped_update_cdf(x)));
    }
    let (smooth, stepped) = (median(smooth), median(stepped));
    assert!(
        smooth < 0.15 && smooth < 0.6 * stepped,
        "{smooth} {stepped}"
    );
}
