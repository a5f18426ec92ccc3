//! What a cycle may spend: [`Budget`] and [`Cost`].

use std::ops::{Add, Mul, Sub};

use thiserror::Error;

/// Parts a download is divided into, so that sums of costs are exact.
const PARTS_PER_DOWNLOAD: u64 = 1_000_000;

/// A cost in downloads, exact to a millionth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Cost(u64);

/// A number that is no cost of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{0} is not a cost of a visit: it must be above 0 and at most 1 download")]
pub struct CostError(pub f64);

impl Cost {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// One download.
    pub const DOWNLOAD: Self = Self(PARTS_PER_DOWNLOAD);

    /// So many downloads, held at 18 million million.
    #[must_use]
    pub const fn downloads(count: u64) -> Self {
        Self(count.saturating_mul(PARTS_PER_DOWNLOAD))
    }

    /// A part of a download, rounded up to a millionth.
    ///
    /// # Errors
    /// [`CostError`] unless the part is above 0 and at most 1.
    pub fn part(of_download: f64) -> Result<Self, CostError> {
        if of_download > 0.0 && of_download <= 1.0 {
            Ok(Self((of_download * PARTS_PER_DOWNLOAD as f64).ceil() as u64))
        } else {
            Err(CostError(of_download))
        }
    }

    /// So many millionths of a download, the unit costs are stored in.
    #[must_use]
    pub const fn from_millionths(millionths: u64) -> Self {
        Self(millionths)
    }

    /// The cost in millionths of a download.
    #[must_use]
    pub const fn millionths(self) -> u64 {
        self.0
    }

    /// The cost as a number of downloads.
    #[must_use]
    pub fn in_downloads(self) -> f64 {
        self.0 as f64 / PARTS_PER_DOWNLOAD as f64
    }

    /// This cost scaled by `share` in 0 to 1, rounded down.
    #[must_use]
    pub fn scaled(self, share: f64) -> Self {
        Self((self.0 as f64 * share.clamp(0.0, 1.0)) as u64)
    }

    /// How many visits at cost `each` this pays for.
    #[must_use]
    pub const fn pays_for(self, each: Self) -> u64 {
        match self.0.checked_div(each.0) {
            Some(count) => count,
            None => u64::MAX,
        }
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// Never below zero.
impl Sub for Cost {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul<u64> for Cost {
    type Output = Self;

    fn mul(self, count: u64) -> Self {
        Self(self.0.saturating_mul(count))
    }
}

/// What one cycle may spend and has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    total: Cost,
    spent: Cost,
}

/// Spending that a budget does not allow; nothing was spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a cost of {} downloads is more than the {} left of {}", cost.in_downloads(), left.in_downloads(), total.in_downloads())]
pub struct Overspent {
    /// What was to be spent.
    pub cost: Cost,
    /// What was left.
    pub left: Cost,
    /// What the cycle had at its start.
    pub total: Cost,
}

impl Budget {
    /// So many downloads, none spent.
    #[must_use]
    pub const fn downloads(count: u64) -> Self {
        Self::of(Cost::downloads(count))
    }

    /// `total`, nothing spent.
    #[must_use]
    pub const fn of(total: Cost) -> Self {
        Self {
            total,
            spent: Cost::ZERO,
        }
    }

    /// The same budget with `spent` already gone: a cycle taken up again after
    /// a restart.
    #[must_use]
    pub const fn already_spent(mut self, spent: Cost) -> Self {
        self.spent = spent;
        self
    }

    /// What the cycle had at its start.
    #[must_use]
    pub const fn total(&self) -> Cost {
        self.total
    }

    /// What is gone.
    #[must_use]
    pub const fn spent(&self) -> Cost {
        self.spent
    }

    /// What is left.
    #[must_use]
    pub fn left(&self) -> Cost {
        self.total - self.spent
    }

    /// Spends `cost`.
    ///
    /// # Errors
    /// [`Overspent`] if less is left; then nothing is spent.
    pub fn spend(&mut self, cost: Cost) -> Result<(), Overspent> {
        if cost > self.left() {
            return Err(Overspent {
                cost,
                left: self.left(),
                total: self.total,
            });
        }
        self.spent = self.spent + cost;
        Ok(())
    }

    /// Takes back what was spent on something that did not happen; never more
    /// than was spent.
    pub fn give_back(&mut self, cost: Cost) {
        self.spent = self.spent - cost;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cost_outside_one_download_is_refused() {
        for number in [0.0, -0.5, 1.5, f64::NAN] {
            assert!(Cost::part(number).is_err(), "{number}");
        }
    }

    #[test]
    fn cheap_samples_leave_more_downloads() {
        // Section 3.1 of Cho & Ntoulas: 10,000 samples at a tenth of a download
        // leave 99,000 of 100,000.
        let mut budget = Budget::downloads(100_000);
        let sample = Cost::part(0.1).expect("a tenth");
        budget.spend(sample * 10_000).expect("enough");
        assert_eq!(budget.left().pays_for(Cost::DOWNLOAD), 99_000);
    }

    #[test]
    fn a_resumed_budget_pays_only_for_the_rest() {
        let budget = Budget::downloads(10).already_spent(Cost::downloads(8));
        assert_eq!(budget.left().pays_for(Cost::DOWNLOAD), 2);
    }

    proptest! {
        #[test]
        fn no_sequence_of_spending_passes_the_total(
            total in 0u64..100, costs in proptest::collection::vec(0.001..1.0f64, 0..200),
        ) {
            let mut budget = Budget::downloads(total);
            for cost in costs {
                let _ = budget.spend(Cost::part(cost).expect("in range"));
                prop_assert!(budget.spent() <= budget.total());
            }
        }
    }
}
