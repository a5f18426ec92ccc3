//! `optimal-freshness` and `optimal-age`: visit where waiting costs most.

use recrawl_model::{Explanation, PageId, Timestamp};

use crate::belief::Beliefs;
use crate::ranking::Ranking;
use crate::{Collection, Desk, Entry, Objective, Planner, Policy, Seen};

/// Visits the pages with the largest `w U(t)`: importance times Olston &
/// Pandey's threshold value (see [`Objective::value`]), expected under a
/// belief about the page's rate that is learned on the way. Where the rates
/// are known this is the optimal schedule; pages that change too fast to be
/// kept up with are left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Optimal {
    /// What visits are to achieve.
    pub objective: Objective,
}

pub(crate) const FRESHNESS: Entry = Entry {
    name: "optimal-freshness",
    summary: "visit where waiting costs most freshness, by rates learned on the way",
    keys: &[],
    read: |_| {
        Ok(Box::new(Optimal {
            objective: Objective::Freshness,
        }))
    },
};

pub(crate) const AGE: Entry = Entry {
    name: "optimal-age",
    summary: "visit where waiting costs most age, by rates learned on the way",
    keys: &[],
    read: |_| {
        Ok(Box::new(Optimal {
            objective: Objective::Age,
        }))
    },
};

impl Policy for Optimal {
    fn name(&self) -> &'static str {
        match self.objective {
            Objective::Age => AGE.name,
            Objective::Changes | Objective::Freshness => FRESHNESS.name,
        }
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(OptimalPlanner {
            objective: self.objective,
            beliefs: Beliefs::default(),
            ranking: Ranking::default(),
        })
    }

    fn page_bytes(&self) -> usize {
        Beliefs::PAGE_BYTES
    }
}

struct OptimalPlanner {
    objective: Objective,
    beliefs: Beliefs,
    ranking: Ranking,
}

/// The claim of a page never seen: before all others, for nothing is held.
const UNSEEN: f64 = 1e12;

impl OptimalPlanner {
    fn claim(&self, collection: &Collection, page: PageId, now: Timestamp) -> f64 {
        let summary = collection.summary(page);
        let back_off = summary.back_off() * collection.weight(page);
        let Some(days) = summary.days_unseen(now) else {
            return UNSEEN * back_off;
        };
        let belief = self.beliefs.get(collection, page, now);
        let value = belief.map_or(0.0, |belief| self.objective.expected_value(belief, days));
        value * back_off
    }
}

impl Planner for OptimalPlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        self.beliefs.grow(desk.collection().slots());
        let now = desk.now;
        let mut ranking = std::mem::take(&mut self.ranking);
        ranking.rank(desk, |collection, page| {
            Some(self.claim(collection, page, now))
        });
        self.ranking = ranking;
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        self.ranking.next(desk);
    }

    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        self.beliefs.learn(collection, seen);
    }

    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation {
        let summary = collection.summary(page);
        let meaning = match self.objective {
            Objective::Age => "importance x age a visit saves, less what waiting would",
            _ => "importance x freshness a visit wins, less what waiting would",
        };
        let mut why = Explanation::new(self.claim(collection, page, now), meaning)
            .because(Explanation::new(collection.weight(page), "importance"))
            .because(Explanation::new(
                summary.back_off(),
                "1/2 for each failed visit",
            ));
        if let Some(days) = summary.days_unseen(now) {
            why = why.because(Explanation::new(days, "days unseen"));
        }
        if let Some(belief) = self.beliefs.get(collection, page, now) {
            let rate = Explanation::new(belief.mean(), "changes a day, as believed")
                .because(Explanation::new(
                    f64::from(summary.changes()),
                    "changes seen",
                ))
                .because(Explanation::new(
                    f64::from(summary.intervals()),
                    "intervals",
                ));
            why = why.because(rate);
        }
        why
    }
}
