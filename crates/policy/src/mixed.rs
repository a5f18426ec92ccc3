//! `mixed`: a share of round robin beside another policy.

use recrawl_model::{Cost, Explanation, PageId, Timestamp};

use crate::arguments::{Arguments, Key, PolicyError};
use crate::round_robin::Turn;
use crate::{Collection, Desk, Entry, Planner, Policy, Seen, registry};

/// The share of the budget that goes round unless said otherwise.
const SHARE: f64 = 0.1;
/// The policy beside round robin unless said otherwise.
const POLICY: &str = "greedy";

/// Another policy spends its part of the budget, then round robin spends the
/// rest on pages not visited in this cycle, so that every page is visited
/// within a known number of cycles: section 3.6 of Cho & Ntoulas.
pub struct Mixed {
    /// Share of the budget for round robin, from 0 to 1; default 0.1.
    pub share: f64,
    /// The policy that spends the rest; default `greedy`.
    pub policy: Box<dyn Policy>,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "mixed",
    summary: "a share of round robin, the rest by another policy",
    keys: &[
        Key {
            name: "share",
            default: "0.1",
            meaning: "share of the budget spent on every page in turn",
        },
        Key {
            name: "policy",
            default: POLICY,
            meaning: "the policy that spends the rest; its keys may follow",
        },
    ],
    read,
};

fn read(arguments: &mut Arguments) -> Result<Box<dyn Policy>, PolicyError> {
    let share = arguments.number("share", SHARE, "a share from 0 to 1", |share| {
        (0.0..=1.0).contains(&share)
    })?;
    let name = arguments
        .take("policy")
        .unwrap_or_else(|| POLICY.to_owned());
    if name == ENTRY.name {
        return Err(arguments.refuse("policy", &name, "any policy but mixed itself"));
    }
    let policy = registry::read(arguments.take_all(&name))?;
    Ok(Box::new(Mixed { share, policy }))
}

impl Policy for Mixed {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(MixedPlanner {
            share: self.share,
            aside: Cost::ZERO,
            inner: self.policy.planner(),
            turn: Turn::default(),
            inner_done: false,
        })
    }

    fn needs_truth(&self) -> bool {
        self.policy.needs_truth()
    }

    fn page_bytes(&self) -> usize {
        self.policy.page_bytes()
    }
}

struct MixedPlanner {
    share: f64,
    /// What is put aside for round robin in this cycle.
    aside: Cost,
    inner: Box<dyn Planner>,
    turn: Turn,
    inner_done: bool,
}

impl Planner for MixedPlanner {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        self.aside = desk.left().scaled(self.share);
        self.inner_done = false;
        self.turn.begin(desk);
        self.inner.begin(&mut desk.keeping(self.aside));
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        if !self.inner_done {
            self.inner.next(&mut desk.keeping(self.aside));
            if !desk.is_empty() {
                return;
            }
            self.inner_done = true;
            desk.open_downloads();
        }
        self.turn.next(desk);
    }

    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        self.inner.learn(collection, seen);
    }

    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation {
        let inner = self.inner.explain(collection, page, now);
        Explanation::new(
            inner.value,
            format!(
                "its claim by the other policy, which spends {:.0} % of the budget",
                100.0 * (1.0 - self.share)
            ),
        )
        .because(inner)
        .because(self.turn.explain(collection, page, now))
    }
}
