//! `changedetection-fixed`: the rule of changedetection.io.

use std::time::Duration;

use crate::due::{Constant, DUE_PAGE_BYTES, DuePlanner, SPEND_KEY, Spend};
use crate::{Entry, Planner, Policy};

/// changedetection.io's `time_between_check` as shipped (0.55.8): 3 hours,
/// with no jitter.
const TIME_BETWEEN_CHECKS: Duration = Duration::from_secs(3 * 3_600);

/// changedetection.io as shipped: a watch is due 3 hours after its last check,
/// failed or not; most overdue first; nothing is learned. It has no budget of
/// its own, so it gets that of the others (see [`Spend`]).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ChangedetectionFixed {
    /// Which pages a cycle may visit; default [`Spend::All`].
    pub spend: Spend,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "changedetection-fixed",
    summary: "changedetection.io as shipped: every page every 3 hours",
    keys: &[SPEND_KEY],
    read: |arguments| {
        Ok(Box::new(ChangedetectionFixed {
            spend: Spend::take(arguments)?,
        }))
    },
};

impl Policy for ChangedetectionFixed {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(DuePlanner::new(Constant(TIME_BETWEEN_CHECKS), self.spend))
    }

    fn page_bytes(&self) -> usize {
        DUE_PAGE_BYTES
    }
}
