//! Fitted laws, how ages lean, and the sandwich of M1 and M3.

use recrawl_distribution::npmle::Npmle;
use recrawl_distribution::parametric::{Law as Fitted, LawKind, fit_all};
use recrawl_distribution::{Ageing, Bootstrap, Filling, Grid, Method, Samples, Study};

use crate::simulated::{Law, visit};

fn study(samples: &Samples) -> Study {
    let grid = Grid::new(0.5, 5.0, samples.unit()).expect("a grid");
    let bootstrap = Bootstrap {
        replicates: 40,
        ..Bootstrap::default()
    };
    Study::new(Method::Npmle, samples, &grid, bootstrap).expect("an answer")
}

#[test]
fn pareto_updates_are_fitted_by_the_pareto_law_and_not_by_the_exponential() {
    for seed in 0..4 {
        let samples = visit(Law::Pareto, Law::Exponential(1.0), 20_000.0, seed, false);
        let fits = fit_all(&samples, &Npmle::fit(&samples));
        let of = |kind| {
            *fits
                .iter()
                .find(|fit| fit.law.kind() == kind)
                .expect("fitted")
        };
        let (pareto, exponential) = (of(LawKind::Lomax), of(LawKind::Exponential));
        let Fitted::Lomax { shape, scale } = pareto.law else {
            panic!("kind and law agree");
        };
        assert!((2.5..3.6).contains(&shape), "{shape}");
        assert!((0.75..1.35).contains(&scale), "{scale}");
        // A log-normal law of spread 1.1 is hard to tell from this one; the
        // exponential is not.
        assert!(pareto.aic < fits[0].aic + 40.0);
        assert!(exponential.aic > pareto.aic + 1_000.0);
        assert!(exponential.distance > 4.0 * pareto.distance);
    }
}

#[test]
fn poisson_updates_are_told_to_be_good_enough() {
    let study = study(&visit(
        Law::Exponential(0.5),
        Law::Exponential(1.0),
        5_000.0,
        2,
        false,
    ));
    let exponential = study
        .parametric
        .iter()
        .find(|f| f.law.kind() == LawKind::Exponential);
    let exponential = exponential.expect("always fitted");
    assert!(exponential.aic < study.parametric[0].aic + 2.5);
    assert!(exponential.distance < 0.05);
    let Fitted::Exponential { rate } = exponential.law else {
        panic!("kind and law agree")
    };
    assert!((rate - 2.0).abs() < 0.1, "{rate}");
}

#[test]
fn ages_lean_as_the_law_does() {
    for (updates, ageing) in [
        (Law::Pareto, Ageing::NewWorseThanUsed),
        (Law::Uniform(1.0), Ageing::NewBetterThanUsed),
        (Law::Exponential(0.5), Ageing::Memoryless),
    ] {
        let samples = visit(updates, Law::Exponential(0.5), 3_000.0, 3, false);
        assert_eq!(study(&samples).ageing, Some(ageing));
    }
}

#[test]
fn m1_m3_and_the_limit_of_m1_lie_between_the_tails() {
    for (visits, dated, filling) in [
        (Law::Constant(0.5), false, Filling::M3),
        (Law::Exponential(0.5), true, Filling::M1),
        (Law::Exponential(0.5), false, Filling::M1Limit),
    ] {
        let sandwich = study(&visit(Law::Pareto, visits, 10_000.0, 4, dated)).sandwich;
        assert_eq!(sandwich.filling, filling);
        assert!(sandwich.between >= 0.9, "{filling:?}: {}", sandwich.between);
        // Not because the tails coincide.
        let widest = sandwich.layers.iter().map(|l| l.age_tail - l.update_tail);
        assert!(widest.fold(0.0, f64::max) > 0.05);
    }
}

#[test]
fn dates_and_bits_give_the_same_laws() {
    let fitted = |dated| {
        let samples = visit(
            Law::Exponential(2.0),
            Law::Exponential(1.0),
            10_000.0,
            5,
            dated,
        );
        let fits = fit_all(&samples, &Npmle::fit(&samples));
        let rates = fits.iter().filter_map(|fit| match fit.law {
            Fitted::Exponential { rate } => Some(rate),
            _ => None,
        });
        rates.sum::<f64>()
    };
    assert!((fitted(true) - 0.5).abs() < 0.02 && (fitted(false) - 0.5).abs() < 0.02);
}
