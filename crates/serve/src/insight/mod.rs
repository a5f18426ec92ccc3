//! What follows from the log: plans, expectations, comparisons. All of it is
//! computed from a [`Snapshot`] or the view, with time as an argument.

mod plan;
mod policies;
mod pulse;
mod snapshot;

pub(crate) use plan::{Plan, Turn};
pub(crate) use policies::{Contest, NoContest, RUNS, Scored};
pub(crate) use pulse::{Interval, Pulse, Sums};
pub(crate) use snapshot::Snapshot;
