//! The visits of a cycle in advance: [`Scheduler::plan`].

use recrawl_model::{Budget, Timestamp, Visit};
use recrawl_policy::PolicyError;

use crate::Scheduler;

impl Scheduler {
    /// The visits a cycle with this budget would make from `at` on, in order,
    /// as far as can be said before any of them is answered. No page comes
    /// twice, and all of them together cost the budget at most. A policy that
    /// samples first decides on the rest without what samples would teach.
    ///
    /// The visits are asked for: a driver may go on to make them and
    /// [`Scheduler::observe`] what they teach.
    ///
    /// # Errors
    /// [`PolicyError::NeedsTruth`] for the policies that bound the others.
    pub fn plan(&mut self, budget: Budget, at: Timestamp) -> Result<Vec<Visit>, PolicyError> {
        self.begin_cycle(budget, at)?;
        let mut visits = Vec::new();
        loop {
            let batch = self.decide(at);
            if batch.is_empty() {
                return Ok(visits);
            }
            visits.extend(batch.visits());
        }
    }
}
