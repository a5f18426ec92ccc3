//! Pages handed out and not seen yet: [`Leases`].

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use recrawl_model::PageId;

/// Pages that were handed out to a crawler and are not handed out again until
/// they were seen or the time is over, by a clock that nobody sets. They are forgotten on a restart.
#[derive(Debug, Default)]
pub(crate) struct Leases(Mutex<BTreeMap<PageId, Duration>>);

impl Leases {
    /// Takes the first `most` of `pages` that nobody holds, and holds them for
    /// `length`. Where `all` are wanted and fewer are free, takes none.
    pub(crate) fn take(
        &self,
        pages: impl Iterator<Item = PageId>,
        (most, all): (usize, bool),
        now: Duration,
        length: Option<Duration>,
    ) -> Option<Vec<PageId>> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|_, until| *until > now);
        let free = pages.filter(|page| !held.contains_key(page));
        let taken: Vec<PageId> = free.take(most).collect();
        if all && taken.len() < most {
            return None;
        }
        if let Some(length) = length {
            held.extend(taken.iter().map(|&page| (page, now + length)));
        }
        Some(taken)
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
        let at = Duration::from_secs;
        let hour = Some(at(3_600));
        let pages = || [3, 1, 2].map(PageId).into_iter();
        let take = |most, now, length| leases.take(pages(), (most, false), at(now), length);
        assert_eq!(take(2, 0, hour), Some([3, 1].map(PageId).to_vec()));
        assert_eq!(take(2, 1, None), Some(vec![PageId(2)]));
        assert_eq!(
            leases.take(pages(), (2, true), at(1), hour),
            None,
            "one is free"
        );
        assert_eq!(
            take(2, 1, hour),
            Some(vec![PageId(2)]),
            "nothing was held by these"
        );
        leases.end([PageId(1)]);
        assert_eq!(take(2, 2, hour), Some(vec![PageId(1)]));
        assert_eq!(take(9, 3_601, hour), Some([3, 2].map(PageId).to_vec()));
        assert_eq!(leases.len(), 3);
    }
}
