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
        // Pages held from the start are told too, without a visit.
        if seen.of_this_cycle
            && let Ok(mut counts) = self.counts.lock()
        {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::arena::{Arena, Terms};
    use crate::{Collections, Scale, Setup};
    use recrawl_simulate::{Reading, Score};

    #[test]
    fn as_many_visits_are_counted_as_were_made() {
        let data = Collections::default();
        let setup = Setup {
            scale: Scale::Small,
            seed: 1,
            data: &data,
        };
        let arena = Arena::named(&setup, "v", "cho-ntoulas-v", 1).expect("a world");
        let greedy = recrawl_policy::parse("greedy:samples=10").expect("a policy");
        let counting = Counting::new(greedy, arena.pages);
        let counts = counting.counts();
        let policies: [Box<dyn Policy>; 1] = [Box::new(counting)];
        let terms = Terms {
            downloads: 100_000.0,
            cycles: 3,
            reading: Reading::PerCycle,
        };
        let summaries = arena.run_policies(&policies, terms).expect("it runs");
        let made = summaries[0]
            .mean(Score::Downloads)
            .expect("downloads")
            .value
            * 3.0;
        let counts = counts.lock().expect("nobody panicked");
        let counted: u32 = counts.iter().sum();
        assert_eq!(f64::from(counted), made);
        assert!(counts.iter().all(|&count| count <= 3));
    }
}
