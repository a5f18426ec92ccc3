//! Pages in order of when they are due: [`DueQueue`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use recrawl_model::{PageId, Timestamp};

/// Pages by due time: setting one and taking the first cost O(log n).
///
/// A page set again leaves its old entry in the heap, which is passed over when
/// it comes up; the heap is made anew when most of it is such.
#[derive(Debug, Clone, Default)]
pub struct DueQueue {
    heap: BinaryHeap<Reverse<(Timestamp, PageId)>>,
    due: Vec<Option<Timestamp>>,
    pages: usize,
}

impl DueQueue {
    /// How many pages wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages
    }

    /// Whether no page waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// Sets when a page is due, whatever it was before; `None` for never.
    pub fn set(&mut self, page: PageId, due: Option<Timestamp>) {
        if self.due.len() <= page.index() {
            self.due.resize(page.index() + 1, None);
        }
        let before = std::mem::replace(&mut self.due[page.index()], due);
        if before == due {
            return;
        }
        self.pages -= usize::from(before.is_some());
        self.pages += usize::from(due.is_some());
        if let Some(due) = due {
            self.heap.push(Reverse((due, page)));
        }
        if self.heap.len() > 2 * self.pages + 64 {
            let set = &self.due;
            self.heap
                .retain(|Reverse((due, page))| set[page.index()] == Some(*due));
        }
    }

    /// When a page is due.
    #[must_use]
    pub fn due(&self, page: PageId) -> Option<Timestamp> {
        self.due.get(page.index()).copied().flatten()
    }

    /// Takes the page that has been due longest, if one is due `now`.
    pub fn take_due(&mut self, now: Timestamp) -> Option<PageId> {
        let first = self.first()?;
        if first > now {
            return None;
        }
        let Reverse((_, page)) = self.heap.pop()?;
        self.due[page.index()] = None;
        self.pages -= 1;
        Some(page)
    }

    /// When the next page is due.
    pub fn first(&mut self) -> Option<Timestamp> {
        while let Some(&Reverse((due, page))) = self.heap.peek() {
            if self.due[page.index()] == Some(due) {
                return Some(due);
            }
            self.heap.pop();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_micros(second * 1_000_000)
    }

    #[test]
    fn pages_come_out_in_order_of_their_last_setting() {
        let mut queue = DueQueue::default();
        for (page, second) in [(0, 30), (1, 10), (2, 20), (1, 40), (3, 5)] {
            queue.set(PageId(page), Some(at(second)));
        }
        queue.set(PageId(3), None);
        assert_eq!((queue.len(), queue.first()), (3, Some(at(20))));
        assert_eq!(queue.take_due(at(19)), None);
        assert_eq!(queue.take_due(at(100)), Some(PageId(2)));
        assert_eq!(queue.take_due(at(100)), Some(PageId(0)));
        assert_eq!(queue.due(PageId(1)), Some(at(40)));
        assert_eq!(queue.take_due(at(100)), Some(PageId(1)));
        assert_eq!(queue.take_due(at(100)), None);
        assert!(queue.is_empty());
    }

    proptest! {
        #[test]
        fn the_queue_is_a_sorted_map_whatever_is_set(
            settings in prop::collection::vec((0u32..20, prop::option::of(0i64..50)), 0..400),
        ) {
            let mut queue = DueQueue::default();
            let mut truth = std::collections::BTreeMap::new();
            for (page, second) in settings {
                queue.set(PageId(page), second.map(at));
                match second {
                    Some(second) => truth.insert(page, second),
                    None => truth.remove(&page),
                };
                prop_assert!(queue.heap.len() <= 2 * truth.len() + 65);
            }
            let mut expected: Vec<_> = truth.into_iter().map(|(page, second)| (second, page)).collect();
            expected.sort_unstable();
            for (_, page) in expected {
                prop_assert_eq!(queue.take_due(at(1_000)), Some(PageId(page)));
            }
            prop_assert!(queue.is_empty() && queue.first().is_none());
        }
    }
}
