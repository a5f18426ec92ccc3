//! `random`: pages at random.

use rand::RngExt;
use recrawl_model::{Explanation, PageId, Timestamp};

use crate::{Collection, Desk, Entry, Planner, Policy, Seen};

/// Visits pages drawn at random without putting back, anew each cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

pub(crate) const ENTRY: Entry = Entry {
    name: "random",
    summary: "pages at random",
    keys: &[],
    read: |_| Ok(Box::new(Random)),
};

impl Policy for Random {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn planner(&self) -> Box<dyn Planner> {
        Box::new(Lottery::default())
    }

    fn page_bytes(&self) -> usize {
        size_of::<u32>()
    }
}

#[derive(Default)]
struct Lottery {
    /// All pages, those drawn in this cycle first.
    pages: Vec<u32>,
    drawn: usize,
}

impl Planner for Lottery {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        self.drawn = 0;
        let slots = desk.collection().slots();
        self.pages
            .reserve_exact(slots.saturating_sub(self.pages.len()));
        self.pages.extend(self.pages.len() as u32..slots as u32);
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        let mut room = desk.room();
        while room > 0 && self.drawn < self.pages.len() {
            let other = desk
                .chance
                .random_range(self.drawn as u32..self.pages.len() as u32);
            self.pages.swap(self.drawn, other as usize);
            room -= usize::from(desk.push(PageId(self.pages[self.drawn])));
            self.drawn += 1;
        }
    }

    fn learn(&mut self, _: &Collection, _: &Seen<'_>) {}

    fn explain(&self, collection: &Collection, _: PageId, _: Timestamp) -> Explanation {
        Explanation::new(
            1.0 / collection.live().max(1) as f64,
            "one page among all, at random",
        )
    }
}
