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
mod neighbours;
mod planner;
mod pool;
mod posterior;
mod probe;
mod rate_doubt;
mod recency;
mod sentinel;
mod shown_columns;
mod silence;
mod site;
mod storm;
mod view;
mod visits;
mod waited;
mod ways;

use crate::arguments::Key;
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
/// - *silence*: sites stop changing; those too fast to be kept fresh are looked into
///   now and then, in case they have;
/// - *exploration*: knowing a page's rate is worth visits to come;
/// - *neighbours*: bursts strike parts of a site; pages named next to each other
///   tell of each other, as far as that has foretold visits better;
/// - *recency*: whether pages change in spells, by a clock or at steady rates;
/// - *forgetting*: how often pages change their ways is learned too.
///
/// `docs/decisions/bayes.md` tells what was tried; `docs/bayes.md` how it works.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bayes {
    /// What visits are to achieve; default [`Objective::Changes`].
    pub objective: Objective,
    /// How the chance of a change goes with the time since the last one.
    pub law: Law,
}

/// How the chance of a change goes with the time since the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Law {
    /// As visits show: pages may change in spells, or by a clock.
    #[default]
    Learned,
    /// Not at all: pages change at steady rates.
    Poisson,
}

const LAW_KEY: Key = Key {
    name: "law",
    default: "learned",
    meaning: "how chances go with the time since a change: learned, or poisson for not at all",
};

pub(crate) const ENTRY: Entry = Entry {
    name: "bayes",
    summary: "learns rates from site to page, notices bursts, explores where it pays",
    keys: &[OBJECTIVE_KEY, LAW_KEY],
    read: |arguments| {
        Ok(Box::new(Bayes {
            objective: Objective::take(arguments)?,
            law: arguments.choice(
                LAW_KEY.name,
                &[("learned", Law::Learned), ("poisson", Law::Poisson)],
            )?,
        }))
    },
};

impl Policy for Bayes {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(planner::BayesPlanner::new(self.objective, self.law))
    }

    fn page_bytes(&self) -> usize {
        size_of::<evidence::Evidence>()
    }
}
