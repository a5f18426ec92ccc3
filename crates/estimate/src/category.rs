//! `category`: which of a few classes of change a page belongs to.

use std::time::Duration;

use recrawl_model::{History, days};
use thiserror::Error;

use crate::{Confidence, Detail, Estimate, Estimator, Evidence};

/// Cho & Garcia-Molina section 6: Bayes over classes of pages.
///
/// Class k changes every `spans[k]` on average. A changed interval of t days
/// multiplies its probability by `1 - exp(-t/span)`, an unchanged one by
/// `exp(-t/span)`. The answer is the most probable class, the slower of two
/// that tie, and the rate is that class's. Intervals of any length.
#[derive(Debug, Clone)]
pub struct Category {
    rates: Vec<f64>,
    prior: Vec<f64>,
    confidence: Confidence,
}

/// Settings that make no classes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CategoryError {
    /// No class at all.
    #[error("no category is given; name at least one mean time between changes, as 1d,7d,30d")]
    Empty,
    /// A prior of another length than the classes.
    #[error("{given} prior weights are given for {needed} categories; give one a category")]
    PriorLength {
        /// Weights given.
        given: usize,
        /// Classes.
        needed: usize,
    },
    /// A weight that is negative or not a number, or all of them zero.
    #[error("category prior weights must not be negative, and one must be above 0")]
    PriorWeight,
}

impl Category {
    /// Classes by their mean time between changes, with prior weights (all
    /// alike where `None`).
    ///
    /// # Errors
    /// [`CategoryError`] says which setting is wrong.
    pub fn new(
        spans: &[Duration],
        prior: Option<&[f64]>,
        confidence: Confidence,
    ) -> Result<Self, CategoryError> {
        if spans.is_empty() {
            return Err(CategoryError::Empty);
        }
        let prior = prior.map_or_else(|| vec![1.0; spans.len()], <[f64]>::to_vec);
        if prior.len() != spans.len() {
            return Err(CategoryError::PriorLength {
                given: prior.len(),
                needed: spans.len(),
            });
        }
        let total: f64 = prior.iter().sum();
        if prior.iter().any(|&weight| weight < 0.0) || !total.is_finite() || total <= 0.0 {
            return Err(CategoryError::PriorWeight);
        }
        let rates = spans.iter().map(|&span| 1.0 / days(span)).collect();
        Ok(Self {
            rates,
            prior,
            confidence,
        })
    }

    /// Posterior probability of each class.
    #[must_use]
    pub fn probabilities(&self, evidence: &Evidence) -> Vec<f64> {
        let unchanged: f64 = evidence.unchanged().iter().sum();
        let log_weights: Vec<f64> = self
            .rates
            .iter()
            .zip(&self.prior)
            .map(|(&rate, &prior)| {
                let changed: f64 = evidence
                    .changed()
                    .iter()
                    .map(|t| (-(-rate * t).exp_m1()).ln())
                    .sum();
                prior.ln() + changed - rate * unchanged
            })
            .collect();
        let most = log_weights
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = log_weights.iter().map(|w| (w - most).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    }

    /// Slowest and fastest rate of the fewest classes that together hold the
    /// confidence asked for.
    fn interval(&self, probabilities: &[f64]) -> (Option<f64>, Option<f64>) {
        let mut order: Vec<usize> = (0..probabilities.len()).collect();
        order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
        let (mut held, mut low, mut high) = (0.0, f64::INFINITY, 0.0);
        for class in order {
            low = self.rates[class].min(low);
            high = self.rates[class].max(high);
            held += probabilities[class];
            if held >= self.confidence.level() {
                break;
            }
        }
        (Some(low), Some(high))
    }
}

impl Estimator for Category {
    fn name(&self) -> &'static str {
        "category"
    }

    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate {
        let evidence = Evidence::of(histories);
        let tally = evidence.tally();
        if tally.intervals == 0 {
            return Estimate::no_interval(self.name(), tally);
        }
        let probabilities = self.probabilities(&evidence);
        let slower_first = |&a: &usize, &b: &usize| {
            probabilities[a]
                .total_cmp(&probabilities[b])
                .then(self.rates[b].total_cmp(&self.rates[a]))
        };
        let class = (0..self.rates.len())
            .max_by(slower_first)
            .unwrap_or_default();
        let bounds = self.interval(&probabilities);
        Estimate::new(self.name(), tally, self.rates[class], bounds).with_detail(Detail::Category {
            class,
            probabilities,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::{HistoryBuf, Observation, Outcome, Timestamp};

    const DAY: Duration = Duration::from_secs(86_400);

    fn week_or_month() -> Category {
        Category::new(&[DAY * 7, DAY * 30], None, Confidence::default()).expect("classes")
    }

    #[test]
    fn the_papers_example_moves_to_the_weekly_class() {
        // Two changes, five days apart: 0.769/0.231, then 0.917/0.083 (ALGORITHMS 1.3).
        let once = week_or_month().probabilities(&Evidence::from_intervals([(5.0, true)]));
        assert!((once[0] - 0.769).abs() < 5e-4 && (once[1] - 0.231).abs() < 5e-4);
        let twice = week_or_month().probabilities(&Evidence::from_intervals([(5.0, true); 2]));
        assert!((twice[0] - 0.917).abs() < 5e-4 && (twice[1] - 0.083).abs() < 5e-4);
    }

    /// How often n visits every t days put a page of this rate into the
    /// monthly class, by the exact binomial sum.
    fn called_monthly(rate: f64, t: f64, n: usize) -> f64 {
        let share = -(-rate * t).exp_m1();
        let mut probability = (1.0 - share).powi(n as i32);
        let mut monthly = 0.0;
        for changes in 0..=n {
            let history = visits(t, n, changes);
            let estimate = week_or_month().estimate(history.view());
            if let Detail::Category { class: 1, .. } = estimate.detail {
                monthly += probability;
            }
            probability *= (n - changes) as f64 / (changes + 1) as f64 * share / (1.0 - share);
        }
        monthly
    }

    /// n visits every t days after the first, the last `changes` of which saw a change.
    fn visits(t: f64, n: usize, changes: usize) -> HistoryBuf {
        let mut history = HistoryBuf::new();
        for visit in 0..=n {
            let at = Timestamp::from_seconds((visit as f64 * t * 86_400.0) as i64);
            let outcome = match visit {
                0 => Outcome::First,
                _ if visit + changes > n => Outcome::Changed,
                _ => Outcome::Unchanged,
            };
            history
                .push(Observation::new(at, outcome))
                .expect("in order");
        }
        history
    }

    #[test]
    fn pages_are_put_into_the_monthly_class_as_often_as_in_the_reference() {
        // ALGORITHMS 1.3: the figures of the paper's section 6.
        let (monthly, weekly) = (1.0 / 30.0, 1.0 / 7.0);
        for (rate, t, n, expected) in [
            (monthly, 10.0, 3, 0.804),
            (monthly, 10.0, 10, 0.964),
            (monthly, 10.0, 20, 0.989),
            (weekly, 10.0, 3, 0.145),
            (weekly, 10.0, 10, 0.067),
            (weekly, 10.0, 20, 0.010),
            (monthly, 1.0, 10, 0.717),
            (weekly, 1.0, 10, 0.240),
            (monthly, 7.0, 10, 0.962),
            (weekly, 7.0, 10, 0.118),
            (monthly, 30.0, 10, 0.931),
            (weekly, 30.0, 10, 0.008),
            (monthly, 60.0, 10, 0.766),
            (weekly, 60.0, 10, 0.002),
        ] {
            let share = called_monthly(rate, t, n);
            assert!(
                (share - expected).abs() < 1e-3,
                "rate={rate} t={t} n={n}: {share}"
            );
        }
    }

    #[test]
    fn a_tie_goes_to_the_slower_class() {
        let spans = [DAY, DAY * 2];
        let halves = Category::new(&spans, None, Confidence::default()).expect("classes");
        let mut nothing_learned = HistoryBuf::new();
        let start = Timestamp::from_seconds(0);
        nothing_learned
            .push(Observation::new(start, Outcome::First))
            .expect("in order");
        let at = Timestamp::from_micros(1); // too short to tell the classes apart
        nothing_learned
            .push(Observation::new(at, Outcome::Unchanged))
            .expect("in order");
        let estimate = halves.estimate(nothing_learned.view());
        assert_eq!(
            estimate.rate.map(recrawl_model::Rate::daily),
            Some(0.5),
            "the slower class"
        );
    }

    #[test]
    fn wrong_settings_are_named() {
        let make = |spans: &[Duration], prior: Option<&[f64]>| {
            Category::new(spans, prior, Confidence::default()).err()
        };
        assert_eq!(make(&[], None), Some(CategoryError::Empty));
        assert_eq!(
            make(&[DAY], Some(&[1.0, 1.0])),
            Some(CategoryError::PriorLength {
                given: 2,
                needed: 1
            })
        );
        assert_eq!(
            make(&[DAY], Some(&[-1.0])),
            Some(CategoryError::PriorWeight)
        );
        assert_eq!(make(&[DAY], Some(&[0.0])), Some(CategoryError::PriorWeight));
        assert_eq!(
            make(&[DAY], Some(&[f64::NAN])),
            Some(CategoryError::PriorWeight)
        );
    }
}
