//! Cycles and what they came to: [`Cycles`].

use std::collections::VecDeque;
use std::time::Duration;

use recrawl_model::{Cost, Outcome, Timestamp};

/// Cycles kept, the newest.
const MOST: usize = 4_096;

/// A cycle and its visits.
#[derive(Debug, Clone)]
pub(crate) struct Cycle {
    pub(crate) number: u64,
    pub(crate) began: Timestamp,
    pub(crate) length: Duration,
    pub(crate) budget: Cost,
    pub(crate) spent: Cost,
    /// Visits by outcome, in the order of [`Outcome`].
    pub(crate) outcomes: [u64; 4],
}

impl Cycle {
    pub(crate) const fn new(number: u64, began: Timestamp, length: Duration, budget: Cost) -> Self {
        Self {
            number,
            began,
            length,
            budget,
            spent: Cost::ZERO,
            outcomes: [0; 4],
        }
    }

    pub(crate) fn visits(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// Visits that saw a change, as a share of all.
    pub(crate) fn change_ratio(&self) -> Option<f64> {
        let visits = self.visits();
        (visits > 0).then(|| self.outcomes[Outcome::Changed as usize] as f64 / visits as f64)
    }
}

/// The newest cycles. Visits count in the cycle that runs when they end.
#[derive(Debug, Default)]
pub(crate) struct Cycles(VecDeque<Cycle>);

impl Cycles {
    pub(crate) fn begin(&mut self, cycle: Cycle) {
        self.0.push_back(cycle);
        if self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    pub(crate) fn spend(&mut self, cost: Cost) {
        if let Some(cycle) = self.0.back_mut() {
            cycle.spent = cycle.spent + cost;
        }
    }

    pub(crate) fn count(&mut self, outcome: Outcome) {
        if let Some(cycle) = self.0.back_mut() {
            cycle.outcomes[outcome as usize] += 1;
        }
    }

    /// The newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &Cycle> {
        self.0.iter().rev()
    }

    /// Beginnings, oldest first.
    pub(crate) fn beginnings(&self) -> Vec<Timestamp> {
        self.0.iter().map(|cycle| cycle.began).collect()
    }
}
