use super::*;
use crate::bayes::posterior::Shown;

/// Changes seen as they happened, in so many days.
fn counted(changes: f64, days: f64) -> Shown {
    Shown {
        changes: changes as f32,
        interval: 1e-6,
        days: days as f32,
    }
}

/// Pages seen for 100 days, changing at the given rates.
fn pages(rates: &[f64]) -> Members {
    rates
        .iter()
        .map(|rate| counted(rate * 100.0, 100.0))
        .collect()
}

#[test]
fn pages_alike_and_pages_that_differ_are_told_apart() {
    let hierarchy = Hierarchy::new(7.0);
    let mut alike = pages(&[0.1; 40]);
    let mut rates = vec![0.0; 36];
    rates.extend([1.0; 4]);
    let mut unlike = pages(&rates);
    let unknown = hierarchy.unknown_site();
    let (alike, unlike) = (
        hierarchy.site(unknown, &mut alike, 1.0).expect("pages"),
        hierarchy.site(unknown, &mut unlike, 1.0).expect("pages"),
    );
    assert!(alike.prior.shape > 15.0, "{alike:?}");
    assert!(unlike.prior.shape < 0.3, "{unlike:?}");
    for rate in [alike, unlike] {
        assert!((rate.prior.mean / 0.1 - 1.0).abs() < 0.25, "{rate:?}");
    }
}

#[test]
fn a_site_with_little_evidence_stays_near_the_collection() {
    let mut hierarchy = Hierarchy::new(7.0);
    let unknown = hierarchy.unknown_site();
    let known: Vec<Told> = (0..30)
        .filter_map(|_| hierarchy.site(unknown, &mut pages(&[0.02; 20]), 1.0))
        .collect();
    hierarchy.learn(&known, 7.0);
    assert!(
        (hierarchy.sites.mean / 0.02 - 1.0).abs() < 0.1,
        "{hierarchy:?}"
    );
    let little = hierarchy.site(
        hierarchy.unknown_site(),
        &mut Members::from_iter([counted(1.0, 1.0)]),
        1.0,
    );
    let little = little.expect("a page");
    assert!(little.prior.mean < 0.05, "{little:?}");
}

#[test]
fn the_shape_that_many_sites_hint_at_is_found_though_each_says_little() {
    let mut hierarchy = Hierarchy::new(7.0);
    let unknown = hierarchy.unknown_site();
    let mut alike = pages(&[0.08, 0.1, 0.12]);
    let one = hierarchy.site(unknown, &mut alike, 1.0).expect("pages");
    let known = [one; 60];
    for _ in 0..10 {
        hierarchy.learn(&known, 7.0);
    }
    let many = hierarchy.site(unknown, &mut alike, 1.0).expect("pages");
    assert!(one.prior.shape < 60.0, "{one:?}");
    assert!(many.prior.shape > 2.5 * one.prior.shape, "{many:?}");
}

#[test]
fn a_page_of_any_site_is_less_certain_than_one_of_a_known_site() {
    let hierarchy = Hierarchy::new(7.0);
    assert!(hierarchy.any_page().shape < hierarchy.unknown_site().shape);
}
