//! A policy that counts the visits to each page: [`Counting`].

use std::sync::{Arc, Mutex};

use recrawl_model::{Explanation, PageId, Timestamp};
use recrawl_policy::{Collection, Desk, Planner, Policy, Seen};

/// Visits to each page.
type Counts = Arc<Mutex<Vec<u32>>>;

/// Another policy, decision for decision, with its visits counted.
pub(crate) struct Counting {
    inner: Box<dyn Policy>,
    counts: Counts,
}

impl Counting {
    pub(crate) fn new(inner: Box<dyn Policy>, pages: usize) -> Self {
        Self {
            inner,
            counts: Arc::new(Mutex::new(vec![0; pages])),
        }
    }

    /// Where the counts appear.
    pub(crate) fn counts(&self) -> Counts {
        Arc::clone(&self.counts)
    }
}

impl Policy for Counting {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(CountingPlanner {
            inner: self.inner.planner(),
            counts: Arc::clone(&self.counts),
        })
    }

    fn needs_truth(&self) -> bool {
        self.inner.needs_truth()
    }
}

struct CountingPlanner {
    inner: Box<dyn Planner>,
    counts: Counts,
}

impl Planner for CountingPlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        self.inner.begin(desk);
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        self.inner.next(desk);
    }

    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        if let Ok(mut counts) = self.counts.lock() {
            for page in seen.pages {
                if let Some(count) = counts.get_mut(page.index()) {
                    *count += 1;
                }
            }
        }
        self.inner.learn(collection, seen);
    }

    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation {
        self.inner.explain(collection, page, now)
    }
}
