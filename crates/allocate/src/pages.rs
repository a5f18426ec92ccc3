//! The columns a problem is given in: [`Pages`].

use std::ops::Range;

use crate::error::{AllocateError, checked};
use crate::measure::Measure;
use crate::price::Price;

/// The largest rate, weight, budget or bound that is taken; far below where
/// squares and ratios of them leave the range of `f64`.
pub const MOST: f64 = 1e30;

/// Rates and weights below this count as 0: such a page gets no visits.
pub const LEAST: f64 = 1e-30;

/// Pages that are scored by one measure: a column of rates and one of weights,
/// both `f32` or both `f64`.
///
/// Rates are changes per unit of time, any unit; visits come out in the same.
/// A page whose rate or weight is 0 (below [`LEAST`]) gets no visits.
#[derive(Debug, Clone, Copy)]
pub struct Pages<'a, N> {
    pub(crate) measure: Measure,
    pub(crate) rates: &'a [N],
    pub(crate) weights: &'a [N],
    pub(crate) most: f64,
}

impl<'a, N: Copy + Into<f64>> Pages<'a, N> {
    /// Pages of these rates and weights.
    ///
    /// # Errors
    /// [`AllocateError::Lengths`] unless there are as many rates as weights.
    /// Single values are checked when they are first read.
    pub fn new(measure: Measure, rates: &'a [N], weights: &'a [N]) -> Result<Self, AllocateError> {
        if rates.len() != weights.len() {
            return Err(AllocateError::Lengths {
                rates: rates.len(),
                weights: weights.len(),
            });
        }
        Ok(Self {
            measure,
            rates,
            weights,
            most: f64::INFINITY,
        })
    }

    /// No page more than `visits` per unit of time; 1 a cycle, for example,
    /// where a second visit in a cycle finds nothing.
    ///
    /// # Errors
    /// [`AllocateError::Limit`] unless `visits` is between 0 and [`MOST`].
    pub fn at_most(self, visits: f64) -> Result<Self, AllocateError> {
        Ok(Self {
            most: checked("at most", visits)?,
            ..self
        })
    }

    /// How many pages these are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rates.len()
    }

    /// Whether there is no page.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rates.is_empty()
    }

    /// Σ w score of the visits at a price found by [`crate::solve`]: what the
    /// budget buys. Its slope by the budget is the price, so a tenth more of the
    /// budget buys somewhat less than that times the price.
    #[must_use]
    pub fn score(&self, price: Price) -> f64 {
        let counted = self.iter().filter(|page| counts(page.0, page.1));
        counted
            .map(|(rate, weight)| {
                let visits = price.visits(self.measure, rate, weight).min(self.most);
                weight * self.measure.score(rate, visits)
            })
            .sum()
    }

    /// Some of them.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        Self {
            rates: &self.rates[range.clone()],
            weights: &self.weights[range],
            ..*self
        }
    }

    /// Rate and weight of each page.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (f64, f64)> {
        let columns = self.rates.iter().zip(self.weights);
        columns.map(|(&rate, &weight)| (rate.into(), weight.into()))
    }

    /// Refuses the first page whose rate or weight is none.
    pub(crate) fn check(&self) -> Result<(), AllocateError> {
        let all = self.iter().fold(true, |all, (rate, weight)| {
            all & is_valid(rate) & is_valid(weight)
        });
        if all {
            return Ok(());
        }
        let bad = self
            .iter()
            .enumerate()
            .find(|(_, (rate, weight))| !is_valid(*rate) || !is_valid(*weight));
        bad.map_or(Ok(()), |(page, (rate, weight))| {
            Err(AllocateError::Page { page, rate, weight })
        })
    }
}

/// Whether a page can get visits at all.
#[inline(always)] // part of the loops over pages
pub(crate) fn counts(rate: f64, weight: f64) -> bool {
    rate >= LEAST && weight >= LEAST
}

/// Whether a rate or weight is one.
#[inline(always)]
pub(crate) fn is_valid(value: f64) -> bool {
    (0.0..=MOST).contains(&value)
}
