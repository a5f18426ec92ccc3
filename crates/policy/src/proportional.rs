//! `proportional`: sample every site, then download in proportion.

use recrawl_model::Cost;

use crate::samples::{SAMPLE_COST_KEY, SAMPLES_KEY, Samples};
use crate::two_stage::{Allocation, TwoStagePlanner};
use crate::{Entry, Planner, Policy};

/// Samples the same number of pages of every site and shares the rest of the
/// budget in proportion to the weight of changed samples: section 3.2 of Cho &
/// Ntoulas. What a small site cannot take goes to the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proportional {
    /// Pages sampled of each site; default [`Samples::Auto`].
    pub samples: Samples,
    /// Cost of a sample; default one download.
    pub sample_cost: Cost,
}

impl Default for Proportional {
    fn default() -> Self {
        Self {
            samples: Samples::Auto,
            sample_cost: Cost::DOWNLOAD,
        }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "proportional",
    summary: "sample every site, then download in proportion to changed samples",
    keys: &[SAMPLES_KEY, SAMPLE_COST_KEY],
    read: |arguments| {
        Ok(Box::new(Proportional {
            samples: Samples::take(arguments)?,
            sample_cost: arguments.sample_cost()?,
        }))
    },
};

impl Policy for Proportional {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(TwoStagePlanner::new(
            self.samples,
            self.sample_cost,
            Allocation::Proportional,
        ))
    }
}
