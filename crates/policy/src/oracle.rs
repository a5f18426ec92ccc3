//! `oracle`: knows which pages have changed. A bound, not a policy.

use recrawl_model::{Explanation, PageId, Timestamp};

use crate::ranking::Ranking;
use crate::{Collection, Desk, Entry, Planner, Policy, Seen};

/// Visits pages that have changed, the most important first, then the others.
/// Only a simulation can tell it which have.
#[derive(Debug, Clone, Copy, Default)]
pub struct Oracle;

pub(crate) const ENTRY: Entry = Entry {
    name: "oracle",
    summary: "knows which pages have changed: the most any policy could find",
    keys: &[],
    read: |_| Ok(Box::new(Oracle)),
};

impl Policy for Oracle {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(OraclePlanner::default())
    }

    fn needs_truth(&self) -> bool {
        true
    }
}

#[derive(Default)]
struct OraclePlanner {
    ranking: Ranking,
}

impl Planner for OraclePlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        let truth = desk.truth();
        self.ranking.rank(desk, |collection, page| {
            let changed = truth.is_some_and(|truth| truth.changed(page));
            Some(if changed {
                collection.weight(page)
            } else {
                -1.0
            })
        });
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        self.ranking.next(desk);
    }

    fn learn(&mut self, _: &Collection, _: &Seen<'_>) {}

    fn explain(&self, collection: &Collection, page: PageId, _: Timestamp) -> Explanation {
        Explanation::new(
            collection.weight(page),
            "importance, if the page has changed; the oracle is told which have",
        )
    }
}
