//! Laws of few numbers fitted by maximum likelihood to the same data as the
//! method of maximum likelihood without a form.

mod data;
mod laws;
mod simplex;

pub use laws::{Law, LawKind};

use crate::Samples;
use crate::npmle::{Npmle, cells};
use data::Data;

/// A fitted law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The law.
    pub law: Law,
    /// Akaike's criterion, lower is better: `2 k - 2 r L`, with k numbers
    /// fitted, L the mean log-likelihood of a visit's age and r the changes
    /// seen.
    ///
    /// Visits of one run repeat each other, so the sum over visits would count
    /// the evidence many times; each run counts once. For Poisson updates on
    /// constant visits this is exactly the criterion of the bits seen.
    pub aic: f64,
    /// Largest distance between the law's age curve and the one without a
    /// form: 0 fits perfectly.
    pub distance: f64,
}

/// Fits every law; best criterion first.
#[must_use]
pub fn fit_all(samples: &Samples, shape_free: &Npmle) -> Vec<Fit> {
    let data = Data::new(&cells(samples));
    let mean_gap =
        samples.in_unit(samples.times()[samples.visits() - 1]) / (samples.visits() - 1) as f64;
    let rate = -(-samples.retained()).ln_1p() / mean_gap;
    let mut fits: Vec<Fit> = LawKind::ALL
        .into_iter()
        .map(|kind| fit(kind, &data, rate, samples.changes(), shape_free))
        .collect();
    fits.sort_by(|a, b| a.aic.total_cmp(&b.aic));
    fits
}

fn fit(kind: LawKind, data: &Data, rate: f64, changes: usize, shape_free: &Npmle) -> Fit {
    let start = kind.start(rate);
    let best = simplex::minimise(
        |numbers| -data.mean_log_likelihood(&kind.at(numbers)),
        &start,
    );
    let law = kind.at(&best.place);
    let distance = data
        .lengths()
        .map(|x| (law.age_cdf(x) - shape_free.age_cdf(x)).abs())
        .fold(0.0, f64::max);
    Fit {
        law,
        aic: 2.0 * start.len() as f64 + 2.0 * changes as f64 * best.value,
        distance,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::TimeUnit;

    #[test]
    fn on_constant_visits_the_exponential_rate_is_minus_ln_of_the_unchanged_share() {
        // Runs of 1 and 3 in turn: ages cover each of 1, 2 and 3 intervals.
        let changed: Vec<bool> = (0..401).map(|n| n > 0 && matches!(n % 4, 0 | 1)).collect();
        let times: Vec<i64> = (0..401).map(|n| n * 86_400_000_000).collect();
        let samples = Samples::from_path(times, changed, TimeUnit::Day).expect("mixed");
        let fits = fit_all(&samples, &Npmle::fit(&samples));
        let exponential = fits
            .iter()
            .find(|fit| fit.law.kind() == LawKind::Exponential)
            .expect("always fitted");
        let Law::Exponential { rate } = exponential.law else {
            panic!("kind and law agree")
        };
        // Ages 1, 2, 3 intervals (upper ends) with shares 1/2, 1/4, 1/4: the
        // geometric law of that mean.
        let expected = -(1.0f64 - 1.0 / 1.75).ln();
        assert!((rate - expected).abs() < 0.02, "{rate} {expected}");
    }
}
