//! Laws that hold for any history.

use proptest::prelude::*;
use recrawl_estimate::{
    Auto, Category, Cho, Confidence, DateVariant, Duane, DuaneVariant, Estimator, Gamma,
    LastModified, Matloff, MaximumLikelihood, Naive, Placement, Weibull, WeibullVariant,
};
use recrawl_model::{Observation, Outcome};
use std::time::Duration;

use crate::support::{day, history};

const DAY: Duration = Duration::from_secs(86_400);

/// Methods that assume one constant rate.
fn constant_rate_methods() -> Vec<Box<dyn Estimator>> {
    let confidence = Confidence::default();
    vec![
        Box::new(Naive::new(confidence)),
        Box::new(Cho::new(confidence)),
        Box::new(MaximumLikelihood::new(confidence)),
        Box::new(Matloff::new(confidence)),
        Box::new(Gamma {
            confidence,
            ..Gamma::default()
        }),
        Box::new(Category::new(&[DAY, DAY * 7, DAY * 30], None, confidence).expect("classes")),
        Box::new(Auto::new(confidence)),
    ]
}

fn every_method() -> Vec<Box<dyn Estimator>> {
    let confidence = Confidence::default();
    let mut methods = constant_rate_methods();
    methods.push(Box::new(LastModified::new(
        DateVariant::Corrected,
        confidence,
    )));
    methods.push(Box::new(Weibull::new(
        WeibullVariant::Check,
        Placement::Middle,
        confidence,
    )));
    methods.push(Box::new(Duane::new(
        DuaneVariant::Cumulative,
        Placement::Middle,
        confidence,
    )));
    methods
}

/// The rate, or infinity where the data bound it from below only.
fn rate(method: &dyn Estimator, intervals: &[(f64, bool)]) -> f64 {
    let estimate = method.estimate(history(intervals).view());
    estimate
        .rate
        .map_or(f64::INFINITY, recrawl_model::Rate::daily)
}

fn intervals() -> impl Strategy<Value = Vec<(f64, bool)>> {
    prop::collection::vec((0.01f64..20.0, any::<bool>()), 1..40)
}

/// Equal up to the microseconds that times are rounded to.
fn alike(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-7 * a.abs().max(b.abs())
}

proptest! {
    #[test]
    fn more_changes_never_lower_a_constant_rate(seen in intervals(), which: prop::sample::Index) {
        let at = which.index(seen.len());
        let (mut fewer, mut more) = (seen.clone(), seen);
        fewer[at].1 = false;
        more[at].1 = true;
        for method in constant_rate_methods() {
            let irregular_matloff = method.name() == "matloff";
            if irregular_matloff {
                fewer.iter_mut().chain(&mut more).for_each(|interval| interval.0 = 1.0);
            }
            let (before, after) = (rate(&*method, &fewer), rate(&*method, &more));
            // The exact posterior obeys the law; the two numbers of the filter
            // do so up to their own error (ALGORITHMS 5: 8.1 % at the 95 % quantile).
            let slack = if method.name() == "gamma" { 0.1 } else { 1e-9 };
            prop_assert!(after >= before * (1.0 - slack), "{}: {before} {after}", method.name());
        }
    }

    #[test]
    fn scaling_time_scales_the_rate(seen in intervals(), factor in 0.1f64..10.0) {
        let scaled: Vec<_> = seen.iter().map(|&(days, changed)| (days * factor, changed)).collect();
        for method in every_method() {
            if method.name() == "category" {
                continue; // its classes are fixed in time
            }
            let (plain, stretched) = (rate(&*method, &seen), rate(&*method, &scaled));
            prop_assert!(alike(plain, stretched * factor), "{}: {plain} {stretched}", method.name());
        }
    }

    #[test]
    fn splitting_an_unchanged_interval_changes_nothing_for_likelihoods(
        seen in intervals(), length in 0.1f64..10.0, share in 0.1f64..0.9,
    ) {
        let (mut whole, mut split) = (seen.clone(), seen);
        whole.push((length, false));
        split.extend([(length * share, false), (length * (1.0 - share), false)]);
        for method in constant_rate_methods() {
            if ["mle", "naive", "category"].contains(&method.name()) {
                let (a, b) = (rate(&*method, &whole), rate(&*method, &split));
                prop_assert!(alike(a, b), "{}: {a} {b}", method.name());
            }
        }
    }

    #[test]
    fn a_failed_visit_in_between_changes_nothing(seen in intervals(), which: prop::sample::Index) {
        let plain = history(&seen);
        let at = which.index(seen.len());
        let mut with_failure = recrawl_model::HistoryBuf::new();
        let mut clock = 0.0;
        for (index, observation) in plain.view().observations().enumerate() {
            if index == at + 1 {
                let failed = Observation::new(day(clock + seen[at].0 / 2.0), Outcome::Unknown);
                with_failure.push(failed).expect("in order");
            }
            with_failure.push(observation).expect("in order");
            clock += if index == 0 { 0.0 } else { seen[index - 1].0 };
        }
        for method in every_method() {
            let (a, b) = (method.estimate(plain.view()), method.estimate(with_failure.view()));
            prop_assert_eq!(a, b);
        }
    }

    #[test]
    fn the_interval_holds_the_estimate_and_never_runs_backwards(seen in intervals()) {
        for method in every_method() {
            let estimate = method.estimate(history(&seen).view());
            if let (Some(low), Some(high)) = (estimate.low, estimate.high) {
                prop_assert!(low <= high, "{}", method.name());
            }
            // Corrections for bias may leave the interval of another centre.
            if ["naive", "cho", "mle", "category"].contains(&method.name())
                && let Some(rate) = estimate.rate
            {
                prop_assert!(estimate.low.is_none_or(|low| low <= rate), "{}", method.name());
                prop_assert!(estimate.high.is_none_or(|high| high.daily() >= rate.daily() * (1.0 - 1e-9)), "{}", method.name());
            }
        }
    }

    #[test]
    fn pooling_one_page_is_estimating_it(seen in intervals()) {
        let page = history(&seen);
        for method in every_method() {
            prop_assert_eq!(method.estimate(page.view()), method.estimate_pooled(&[page.view()]));
        }
    }
}

#[test]
fn without_two_visits_every_method_says_why_it_cannot_answer() {
    for method in every_method() {
        let estimate = method.estimate(history(&[]).view());
        assert_eq!(estimate.rate, None, "{}", method.name());
        assert!(estimate.note.is_some(), "{}", method.name());
        assert_eq!((estimate.tally.visits, estimate.tally.intervals), (1, 0));
    }
}
