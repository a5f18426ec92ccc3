//! `greedy`: sample every site, then download whole sites, best first.

use recrawl_model::Cost;

use crate::samples::{SAMPLE_COST_KEY, SAMPLES_KEY, Samples};
use crate::two_stage::{Allocation, TwoStagePlanner};
use crate::{Entry, Planner, Policy};

/// Samples the same number of pages of every site, ranks sites by the weighted
/// share of samples that changed, ties at random, and downloads whole sites in
/// that order until the budget is spent: section 3.2 of Cho & Ntoulas. After
/// the same samples no other allocation expects more changes (Theorem 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Greedy {
    /// Pages sampled of each site; default [`Samples::Auto`].
    pub samples: Samples,
    /// Cost of a sample; default one download.
    pub sample_cost: Cost,
}

impl Default for Greedy {
    fn default() -> Self {
        Self {
            samples: Samples::Auto,
            sample_cost: Cost::DOWNLOAD,
        }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "greedy",
    summary: "sample every site, then download the sites with most changed samples",
    keys: &[SAMPLES_KEY, SAMPLE_COST_KEY],
    read: |arguments| {
        Ok(Box::new(Greedy {
            samples: Samples::take(arguments)?,
            sample_cost: arguments.sample_cost()?,
        }))
    },
};

impl Policy for Greedy {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(TwoStagePlanner::new(
            self.samples,
            self.sample_cost,
            Allocation::BestFirst,
        ))
    }
}
