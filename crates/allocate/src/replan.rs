//! A plan that follows single pages: [`Replanner`].

use crate::bins::{Bins, price_of};
use crate::error::{AllocateError, checked};
use crate::measure::Measure;
use crate::pages::{Pages, is_valid};
use crate::price::Price;

/// Keeps the price of a visit while rates and weights of pages change.
///
/// Pages are counted into bins by merit and not kept: a page whose rate was
/// learned anew moves between bins in O(1), and a new price is a search over the
/// bins, some thousands of numbers whatever the number of pages. Each page's
/// visits follow from the price when they are asked for, by [`Price::visits`].
///
/// The price spends the budget up to what bins can tell, about one part in 10^6
/// of it for collections of any size worth bins; a small collection with steep
/// demand is off by more, and better solved by [`crate::solve`].
#[derive(Debug, Clone)]
pub struct Replanner {
    bins: Bins,
    budget: f64,
    last: Option<f64>,
}

impl Replanner {
    /// No pages yet, and a budget of visits per unit of time.
    ///
    /// # Errors
    /// [`AllocateError::Limit`] unless the budget is between 0 and [`crate::MOST`].
    pub fn new(measure: Measure, budget: f64) -> Result<Self, AllocateError> {
        Ok(Self {
            bins: Bins::new(measure, f64::INFINITY),
            budget: checked("budget", budget)?,
            last: None,
        })
    }

    /// All these pages as well.
    ///
    /// # Errors
    /// If a rate or weight is not between 0 and [`crate::MOST`].
    pub fn extend<N: Copy + Into<f64>>(
        &mut self,
        pages: &Pages<'_, N>,
    ) -> Result<(), AllocateError> {
        pages.check()?;
        self.bins.fill(pages);
        Ok(())
    }

    /// One page more.
    ///
    /// # Errors
    /// If its rate or weight is not between 0 and [`crate::MOST`].
    pub fn insert(&mut self, rate: f64, weight: f64) -> Result<(), AllocateError> {
        Pages::new(Measure::Changes, &[rate], &[weight])?.check()?;
        self.bins.count(rate, weight, 1.0);
        Ok(())
    }

    /// One page less. Rate and weight must be those it was counted in with, to
    /// the last bit; nothing else is remembered of it.
    pub fn remove(&mut self, rate: f64, weight: f64) {
        if is_valid(rate) && is_valid(weight) {
            self.bins.count(rate, weight, -1.0);
        }
    }

    /// Another budget of visits per unit of time.
    ///
    /// # Errors
    /// [`AllocateError::Limit`] unless it is between 0 and [`crate::MOST`].
    pub fn set_budget(&mut self, budget: f64) -> Result<(), AllocateError> {
        self.budget = checked("budget", budget)?;
        Ok(())
    }

    /// The price of a visit now. The search starts at the last one.
    pub fn price(&mut self) -> Price {
        let filled = self.bins.filled();
        if self.budget == 0.0 {
            return Price::at(f64::INFINITY);
        }
        if filled.ceiling() <= self.budget {
            return Price::at(0.0);
        }
        let (price, _) = price_of(&[filled], self.budget, self.last);
        self.last = Some(price.value());
        price
    }
}
