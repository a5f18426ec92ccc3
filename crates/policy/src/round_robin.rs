//! `round-robin`: every page in turn.

use recrawl_model::{Explanation, PageId, Timestamp};

use crate::{Collection, Desk, Entry, Planner, Policy, Seen};

/// Visits pages in the order they were added, and goes on in the next cycle
/// where the last one ended.
#[derive(Debug, Clone, Copy, Default)]
pub struct RoundRobin;

pub(crate) const ENTRY: Entry = Entry {
    name: "round-robin",
    summary: "every page in turn",
    keys: &[],
    read: |_| Ok(Box::new(RoundRobin)),
};

impl Policy for RoundRobin {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(Turn::default())
    }
}

/// Where the turn stands.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    next: usize,
    /// Where it stood when the cycle began.
    first: usize,
    /// Pages not looked at in this cycle.
    left: usize,
}

impl Planner for Turn {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        self.first = self.next;
        self.left = desk.collection().slots();
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        self.next_where(desk, |_, _| true);
    }

    fn learn(&mut self, _: &Collection, _: &Seen<'_>) {}

    fn explain(&self, collection: &Collection, page: PageId, _: Timestamp) -> Explanation {
        let slots = collection.slots().max(1);
        let turns = (page.index() + slots - self.first % slots) % slots;
        Explanation::new(
            0.0 - turns as f64, // not -turns: the first would have -0
            "its turn: minus the pages that come before it",
        )
    }
}

impl Turn {
    /// Asks for the next pages in turn that are `wanted`.
    pub(crate) fn next_where(
        &mut self,
        desk: &mut Desk<'_>,
        wanted: impl Fn(&Collection, PageId) -> bool,
    ) {
        let slots = desk.collection().slots();
        let mut room = desk.room();
        while room > 0 && self.left > 0 {
            if self.next >= slots {
                self.next = 0;
            }
            let page = PageId(self.next as u32);
            self.next += 1;
            self.left -= 1;
            if wanted(desk.collection(), page) && desk.push(page) {
                room -= 1;
            }
        }
    }
}
