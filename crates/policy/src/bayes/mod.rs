//! `bayes`: learns from site to page, and spends where it pays most.

mod activity;
mod after_change;
mod burst_law;
mod calendar;
mod claims;
mod columns;
mod dates;
mod elementary;
mod evidence;
mod exploration;
mod followed;
mod forgetting;
mod half;
mod hierarchy;
mod hints;
mod horizon;
mod knowledge;
mod levels;
mod members;
mod planner;
mod pool;
mod posterior;
mod probe;
mod rate_doubt;
mod shown_columns;
mod site;
mod storm;
mod view;
mod visits;
mod waited;
mod ways;

use crate::objective::OBJECTIVE_KEY;
use crate::{Entry, Objective, Planner, Policy};

/// Hierarchical empirical Bayes. A page's rate is believed to follow a gamma
/// law: a prior that its site and the collection have taught, and two numbers
/// of its own visits. On top of it:
///
/// - *activity*: pages of a site move together in bursts; the first visits of
///   a cycle tell how busy each site is, and the rest are spent accordingly;
/// - *probes*: a site is looked into when what a look would tell about its
///   other pages is worth more than the visit;
/// - *exploration*: knowing a page's rate is worth visits to come;
/// - *forgetting*: how often pages change their ways is learned too.
///
/// `docs/decisions/bayes.md` tells what was tried; `docs/bayes.md` how it works.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bayes {
    /// What visits are to achieve; default [`Objective::Changes`].
    pub objective: Objective,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "bayes",
    summary: "learns rates from site to page, notices bursts, explores where it pays",
    keys: &[OBJECTIVE_KEY],
    read: |arguments| {
        Ok(Box::new(Bayes {
            objective: Objective::take(arguments)?,
        }))
    },
};

impl Policy for Bayes {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(planner::BayesPlanner::new(self.objective))
    }

    fn page_bytes(&self) -> usize {
        size_of::<evidence::Evidence>()
    }
}
