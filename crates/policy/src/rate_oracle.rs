//! `rate-oracle`: knows how often each page changes. A bound, not a policy.

use recrawl_model::{Explanation, PageId, Timestamp};

use crate::objective::OBJECTIVE_KEY;
use crate::ranking::Ranking;
use crate::{Collection, Desk, Entry, Objective, Planner, Policy, Seen};

/// Visits the pages worth most by their true rates: importance times
/// [`Objective::value`]. Only a simulation can tell it the rates.
#[derive(Debug, Clone, Copy, Default)]
pub struct RateOracle {
    /// What visits are to achieve; default [`Objective::Changes`].
    pub objective: Objective,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "rate-oracle",
    summary: "knows how often each page really changes: what learning rates could win",
    keys: &[OBJECTIVE_KEY],
    read: |arguments| {
        Ok(Box::new(RateOracle {
            objective: Objective::take(arguments)?,
        }))
    },
};

impl Policy for RateOracle {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(RateOraclePlanner {
            objective: self.objective,
            ranking: Ranking::default(),
            began: None,
        })
    }

    fn needs_truth(&self) -> bool {
        true
    }
}

struct RateOraclePlanner {
    objective: Objective,
    ranking: Ranking,
    /// Start of the first cycle.
    began: Option<Timestamp>,
}

impl Planner for RateOraclePlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        let (truth, now, objective) = (desk.truth(), desk.now, self.objective);
        let began = *self.began.get_or_insert(now);
        self.ranking.rank(desk, |collection, page| {
            let rate = truth.map_or(0.0, |truth| truth.rate(page).daily());
            // A first visit finds no change but pays later: a page never seen
            // counts as one that has waited since the run began.
            let summary = collection.summary(page);
            let days = summary.days_unseen(now).unwrap_or(now.days_since(began));
            Some(collection.weight(page) * summary.back_off() * objective.value(rate, days))
        });
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        self.ranking.next(desk);
    }

    fn learn(&mut self, _: &Collection, _: &Seen<'_>) {}

    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation {
        let days = collection.summary(page).days_unseen(now);
        Explanation::new(
            collection.weight(page),
            "importance, times what a visit is worth at the true rate, which it is told",
        )
        .because(Explanation::new(days.unwrap_or(0.0), "days unseen"))
    }
}
