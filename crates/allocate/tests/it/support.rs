//! Problems to solve.

use proptest::prelude::*;
use recrawl_allocate::{Measure, Pages, Price, solve};

/// Rates and weights over several orders of magnitude, and a budget that may be
/// scarce or plentiful.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) measure: Measure,
    pub(crate) rates: Vec<f64>,
    pub(crate) weights: Vec<f64>,
    pub(crate) budget: f64,
}

impl Problem {
    pub(crate) fn pages(&self) -> Pages<'_, f64> {
        Pages::new(self.measure, &self.rates, &self.weights).expect("as many weights as rates")
    }

    pub(crate) fn price(&self) -> Price {
        solve(&[self.pages()], self.budget).expect("a valid problem")
    }

    /// The exact visits of each page at a price.
    pub(crate) fn visits(&self, price: Price) -> Vec<f64> {
        let columns = self.rates.iter().zip(&self.weights);
        columns
            .map(|(&rate, &weight)| price.visits(self.measure, rate, weight))
            .collect()
    }

    /// Σ w score.
    pub(crate) fn score(&self, visits: &[f64]) -> f64 {
        let columns = self.rates.iter().zip(&self.weights).zip(visits);
        columns
            .map(|((&rate, &weight), &visits)| weight * self.measure.score(rate, visits))
            .sum()
    }
}

pub(crate) fn measures() -> impl Strategy<Value = Measure> {
    prop::sample::select(&Measure::ALL[..])
}

/// Problems whose whole budget can be used.
pub(crate) fn problems() -> impl Strategy<Value = Problem> {
    let page = (-7.0..5.0f64, -4.0..4.0f64);
    (measures(), prop::collection::vec(page, 1..40), -6.0..4.0f64).prop_map(
        |(measure, pages, log_share)| {
            let rates: Vec<f64> = pages.iter().map(|(log_rate, _)| log_rate.exp()).collect();
            let weights = pages
                .iter()
                .map(|(_, log_weight)| log_weight.exp())
                .collect();
            let changes: f64 = rates.iter().sum();
            let share = if measure == Measure::HarmonicWithFeed {
                (log_share - 4.0).exp() // below 1: no more changes than there are
            } else {
                log_share.exp()
            };
            Problem {
                measure,
                rates,
                weights,
                budget: changes * share,
            }
        },
    )
}
