//! `fixed`: every page at one interval.

use std::time::Duration;

use crate::arguments::Key;
use crate::due::{Constant, DUE_PAGE_BYTES, DuePlanner, SPEND_KEY, Spend};
use crate::{Entry, Planner, Policy};

/// A week, as most cron tables say.
const INTERVAL: Duration = Duration::from_secs(7 * 86_400);

/// Visits every page at one interval, most overdue first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fixed {
    /// Time between visits of a page; default 7 days.
    pub interval: Duration,
    /// Which pages a cycle may visit; default [`Spend::All`].
    pub spend: Spend,
}

impl Default for Fixed {
    fn default() -> Self {
        Self {
            interval: INTERVAL,
            spend: Spend::All,
        }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "fixed",
    summary: "every page at one interval, most overdue first",
    keys: &[
        Key {
            name: "interval",
            default: "7d",
            meaning: "time between visits of a page",
        },
        SPEND_KEY,
    ],
    read: |arguments| {
        Ok(Box::new(Fixed {
            interval: arguments.span("interval", INTERVAL)?,
            spend: Spend::take(arguments)?,
        }))
    },
};

impl Policy for Fixed {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(DuePlanner::new(Constant(self.interval), self.spend))
    }

    fn page_bytes(&self) -> usize {
        DUE_PAGE_BYTES
    }
}
