//! Pages handed out and not seen yet: [`Leases`].

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use recrawl_model::{PageId, Timestamp};

/// Pages that were handed out to a crawler and are not handed out again until
/// they were seen or the time is over. They are forgotten on a restart.
#[derive(Debug, Default)]
pub(crate) struct Leases(Mutex<BTreeMap<PageId, Timestamp>>);

impl Leases {
    /// Takes the first `most` of `pages` that nobody holds, and holds them.
    pub(crate) fn take(
        &self,
        pages: impl Iterator<Item = PageId>,
        most: usize,
        now: Timestamp,
        length: Option<Duration>,
    ) -> Vec<PageId> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|_, until| *until > now);
        let taken: Vec<PageId> = pages
            .filter(|page| !held.contains_key(page))
            .take(most)
            .collect();
        if let Some(length) = length {
            held.extend(taken.iter().map(|&page| (page, now.after(length))));
        }
        taken
    }

    /// Lets go of pages that were seen.
    pub(crate) fn end(&self, pages: impl IntoIterator<Item = PageId>) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for page in pages {
            held.remove(&page);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_handed_out_once_until_it_is_seen_or_time_is_over() {
        let leases = Leases::default();
        let at = Timestamp::from_seconds;
        let hour = Some(Duration::from_secs(3_600));
        let pages = || [3, 1, 2].map(PageId).into_iter();
        assert_eq!(leases.take(pages(), 2, at(0), hour), [3, 1].map(PageId));
        assert_eq!(leases.take(pages(), 2, at(1), None), [PageId(2)]);
        assert_eq!(
            leases.take(pages(), 2, at(1), hour),
            [PageId(2)],
            "None holds nothing"
        );
        leases.end([PageId(1)]);
        assert_eq!(leases.take(pages(), 2, at(2), hour), [PageId(1)]);
        assert_eq!(leases.take(pages(), 9, at(3_601), hour), [3, 2].map(PageId));
        assert_eq!(leases.len(), 3);
    }
}
