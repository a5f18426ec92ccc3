//! What a cycle asked for and may still spend: [`Ledger`].

use recrawl_model::{Budget, Cost, Outcome, Overspent, PageId, VisitKind};

use crate::Collection;
use crate::site_caps::SiteCaps;

/// Most visits in one batch: few enough that pages, world and batch stay in a
/// core's cache, enough that asking for a batch costs nothing a visit.
pub const BATCH: usize = 8_192;

/// The one place where budgets are spent and pages are marked as asked for.
/// No policy can overspend or ask twice, whatever it does.
#[derive(Debug)]
pub struct Ledger {
    budget: Budget,
    /// Marks of each page. A byte a page and not a bit a mark: neighbours are
    /// asked for one after the other and would wait for each other's word.
    marks: Vec<u8>,
    batch: Vec<PageId>,
    kind: VisitKind,
    /// Cost of each visit of the batch.
    cost: Cost,
    /// Cost of each sample of this cycle.
    sample_cost: Cost,
    /// Samples of this cycle that saw a change and were not downloaded yet.
    changed_samples: Vec<PageId>,
    /// How often a site may be visited in a cycle, if there is a limit.
    caps: Option<SiteCaps>,
}

/// Not to be asked for again in this cycle: asked, in flight, or gone.
const CLOSED: u8 = 1;
/// Asked for and not yet observed, of this cycle or an earlier one.
const IN_FLIGHT: u8 = 2;
/// In flight as a sample, not as a download.
const SAMPLE: u8 = 4;
/// In flight since an earlier cycle.
const LATE: u8 = 8;

/// A visit that came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// What it was asked for as.
    pub kind: VisitKind,
    /// Whether the running cycle asked for it.
    pub of_this_cycle: bool,
}

impl Default for Ledger {
    fn default() -> Self {
        Self {
            budget: Budget::downloads(0),
            marks: Vec::new(),
            batch: Vec::new(),
            kind: VisitKind::Download,
            cost: Cost::DOWNLOAD,
            sample_cost: Cost::DOWNLOAD,
            changed_samples: Vec::new(),
            caps: None,
        }
    }
}

impl Ledger {
    /// Starts a cycle: every page may be asked for but those in flight.
    pub fn begin(&mut self, budget: Budget, collection: &Collection) {
        self.grow(collection.slots());
        self.budget = budget;
        self.batch.clear();
        self.changed_samples.clear();
        for marks in &mut self.marks {
            *marks = match *marks & (IN_FLIGHT | SAMPLE) {
                0 => 0,
                still => still | CLOSED | LATE,
            };
        }
        for page in collection.gone.ones() {
            self.marks[page] |= CLOSED;
        }
        if let Some(caps) = &mut self.caps {
            caps.begin(collection);
        }
    }

    /// Limits the visits of each site in a cycle, from the next cycle on.
    pub fn cap_sites(&mut self, most: Option<u32>) {
        self.caps = most.map(SiteCaps::new);
    }

    /// Counts a page as visited before the cycle was taken up again.
    pub fn visited_before(&mut self, page: PageId) {
        self.close(page);
        if let Some(caps) = &mut self.caps {
            caps.take(page);
        }
    }

    /// Takes back a visit of this cycle that was asked for and never made: what
    /// it cost may be spent again, on another page. Says whether there was one.
    pub fn withdraw(&mut self, page: PageId) -> bool {
        let Some(arrival) = self.arrive(page) else {
            return false;
        };
        if arrival.of_this_cycle {
            self.budget.give_back(match arrival.kind {
                VisitKind::Download => Cost::DOWNLOAD,
                VisitKind::Sample => self.sample_cost,
            });
            if let Some(caps) = &mut self.caps {
                caps.give_back(page);
            }
        }
        true
    }

    /// Spends part of the budget on something no policy asked for.
    ///
    /// # Errors
    /// [`Overspent`] if less is left; then nothing is spent.
    pub fn spend(&mut self, cost: Cost) -> Result<(), Overspent> {
        self.budget.spend(cost)
    }

    /// Makes room for pages added.
    pub fn grow(&mut self, pages: usize) {
        if pages > self.marks.len() {
            self.marks.resize(pages, 0);
        }
    }

    /// Asks for the memory of `pages` pages once.
    pub fn reserve(&mut self, pages: usize) {
        let more = pages.saturating_sub(self.marks.len());
        self.marks.reserve_exact(more);
    }

    /// Keeps a page from being asked for in this cycle.
    pub fn close(&mut self, page: PageId) {
        self.marks[page.index()] |= CLOSED;
    }

    /// Whether a page may still be asked for in this cycle.
    pub(crate) fn is_open(&self, page: PageId) -> bool {
        self.marks[page.index()] & CLOSED == 0
            && self.caps.as_ref().is_none_or(|caps| caps.allow(page))
    }

    /// Forgets a page that was removed: it is in flight no more and is not
    /// asked for again. What it cost stays spent.
    pub fn forget(&mut self, page: PageId) {
        self.marks[page.index()] = CLOSED;
        self.changed_samples.retain(|&other| other != page);
    }

    /// Opens a batch of visits that cost `cost` each.
    pub(crate) fn open(&mut self, kind: VisitKind, cost: Cost) {
        self.batch.clear();
        self.kind = kind;
        self.cost = cost;
        if kind == VisitKind::Sample {
            self.sample_cost = cost;
        }
    }

    /// Opens a batch of downloads.
    pub fn open_downloads(&mut self) {
        self.open(VisitKind::Download, Cost::DOWNLOAD);
    }

    /// Visits the batch may still take if `reserve` is to stay unspent.
    pub(crate) fn affordable(&self, reserve: Cost) -> u64 {
        let count = (self.budget.left() - reserve).pays_for(self.cost);
        count.saturating_sub(self.batch.len() as u64)
    }

    /// Puts a page in the batch unless it is closed. The caller has seen to
    /// the room.
    pub(crate) fn push(&mut self, page: PageId) -> bool {
        let open = self.is_open(page);
        if open {
            self.enter(page);
        }
        open
    }

    /// Puts up to `most` of these pages in the batch, in order, closed ones
    /// left out; returns how many were looked at. The caller has seen to the
    /// room.
    pub(crate) fn push_each(&mut self, pages: &[PageId], most: usize) -> usize {
        let run = &pages[..most.min(pages.len())];
        let marks = run.iter().map(|page| self.marks[page.index()]);
        let all_open = marks.fold(0, |any, marks| any | marks) & CLOSED == 0;
        if all_open && self.caps.is_none() {
            let mark = self.mark();
            for &page in run {
                self.marks[page.index()] |= mark;
            }
            self.batch.extend_from_slice(run);
            return run.len();
        }
        let full = self.batch.len() + most;
        let mut looked_at = 0;
        for &page in pages {
            if self.batch.len() == full {
                break;
            }
            self.push(page);
            looked_at += 1;
        }
        looked_at
    }

    /// Puts those of these pages in the batch that are open and affordable, in
    /// order; returns how many were looked at.
    pub fn ask_each(&mut self, pages: &[PageId]) -> usize {
        let room = usize::try_from(self.affordable(Cost::ZERO)).unwrap_or(usize::MAX);
        self.push_each(pages, room.min(BATCH))
    }

    fn enter(&mut self, page: PageId) {
        self.marks[page.index()] |= self.mark();
        self.batch.push(page);
        if let Some(caps) = &mut self.caps {
            caps.take(page);
        }
    }

    /// What a page of the batch is marked with.
    fn mark(&self) -> u8 {
        match self.kind {
            VisitKind::Download => CLOSED | IN_FLIGHT,
            VisitKind::Sample => CLOSED | IN_FLIGHT | SAMPLE,
        }
    }

    /// Puts samples that saw a change in the batch, to be downloaded.
    pub(crate) fn push_changed_samples(&mut self, most: usize) {
        let take = most.min(self.changed_samples.len());
        let rest = self.changed_samples.split_off(take);
        for page in std::mem::replace(&mut self.changed_samples, rest) {
            let allowed = self.caps.as_ref().is_none_or(|caps| caps.allow(page));
            if allowed && self.marks[page.index()] & IN_FLIGHT == 0 {
                self.enter(page);
            }
        }
    }

    /// Pays for the batch. A batch that cannot be paid is dropped whole.
    pub fn settle_batch(&mut self) {
        let cost = self.cost * self.batch.len() as u64;
        if self.budget.spend(cost).is_err() {
            debug_assert!(false, "a batch was opened beyond the budget");
            self.batch.clear();
        }
    }

    /// The batch last opened.
    #[must_use]
    pub fn batch(&self) -> &[PageId] {
        &self.batch
    }

    /// What its visits are.
    #[must_use]
    pub const fn kind(&self) -> VisitKind {
        self.kind
    }

    /// Takes the visit of a page off the list of those in flight; `None` if it
    /// was not on it.
    pub fn arrive(&mut self, page: PageId) -> Option<Arrival> {
        let marks = self.marks.get_mut(page.index())?;
        let before = *marks;
        if before & IN_FLIGHT == 0 {
            return None;
        }
        *marks &= CLOSED;
        Some(Arrival {
            kind: match before & SAMPLE {
                0 => VisitKind::Download,
                _ => VisitKind::Sample,
            },
            of_this_cycle: before & LATE == 0,
        })
    }

    /// Visits of the batch that are in flight.
    #[must_use]
    pub fn open_visits(&self) -> usize {
        let marks = self.batch.iter().map(|page| self.marks[page.index()]);
        marks.map(|marks| usize::from(marks & IN_FLIGHT != 0)).sum()
    }

    /// Takes all visits of the batch off the list of those in flight. Samples
    /// that saw a change are noted.
    pub fn arrive_batch(&mut self, outcomes: &[Outcome]) {
        for page in &self.batch {
            self.marks[page.index()] &= CLOSED;
        }
        if self.kind == VisitKind::Sample {
            let seen = self.batch.iter().zip(outcomes);
            let changed = seen.filter(|&(_, &outcome)| outcome == Outcome::Changed);
            self.changed_samples.extend(changed.map(|(&page, _)| page));
        }
    }

    /// Notes a sample that saw a change: its page may be downloaded.
    pub fn note_changed_sample(&mut self, page: PageId) {
        self.changed_samples.push(page);
    }

    /// What the cycle may spend and has spent.
    #[must_use]
    pub const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.marks.capacity()
            + (self.batch.capacity() + self.changed_samples.capacity()) * size_of::<PageId>()
            + self.caps.as_ref().map_or(0, SiteCaps::memory_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pages_pushed_together_enter_as_one_by_one(
            closed in proptest::collection::vec(any::<bool>(), 0..30),
            most in 0usize..40,
        ) {
            let pages: Vec<_> = (0..closed.len() as u32).map(PageId).collect();
            let mut together = Ledger::default();
            together.grow(pages.len());
            let shut = pages.iter().zip(&closed).filter(|&(_, &closed)| closed);
            shut.for_each(|(&page, _)| together.close(page));
            let looked_at = together.push_each(&pages, most);
            let open = pages.iter().filter(|page| !closed[page.index()]);
            let expected: Vec<_> = open.copied().take(most).collect();
            prop_assert_eq!(together.batch(), &expected[..]);
            prop_assert_eq!(together.open_visits(), expected.len());
            if expected.len() < most {
                prop_assert_eq!(looked_at, pages.len());
            } else {
                let last = expected.last().map_or(0, |page| page.index() + 1);
                prop_assert_eq!(looked_at, last);
            }
        }
    }

    fn two_sites() -> Collection {
        let mut collection = Collection::new();
        for page in 0..6 {
            collection.add(recrawl_model::SiteId(page / 3), recrawl_model::Weight::ONE);
        }
        collection.settle();
        collection
    }

    #[test]
    fn a_site_gets_no_more_visits_than_its_cap_in_each_cycle() {
        let collection = two_sites();
        let mut ledger = Ledger::default();
        ledger.cap_sites(Some(2));
        let pages: Vec<_> = (0..6).map(PageId).collect();
        for _ in 0..2 {
            ledger.begin(Budget::downloads(10), &collection);
            ledger.open_downloads();
            ledger.push_each(&pages, 6);
            assert_eq!(ledger.batch(), [0, 1, 3, 4].map(PageId));
            assert!(!ledger.is_open(PageId(2)));
            ledger.settle_batch();
            ledger.arrive_batch(&[Outcome::Unchanged; 4]);
        }
        ledger.begin(Budget::downloads(10), &collection);
        ledger.visited_before(PageId(2));
        ledger.open_downloads();
        ledger.push_each(&pages, 6);
        assert_eq!(ledger.batch(), [0, 3, 4].map(PageId));
    }

    #[test]
    fn a_visit_never_made_is_paid_back_once_and_its_page_stays_closed() {
        let collection = two_sites();
        let mut ledger = Ledger::default();
        ledger.cap_sites(Some(1));
        ledger.begin(Budget::downloads(2), &collection);
        ledger.open_downloads();
        assert!(ledger.push(PageId(0)));
        ledger.settle_batch();
        assert!(ledger.withdraw(PageId(0)));
        assert!(!ledger.withdraw(PageId(0)));
        assert_eq!(ledger.budget().left(), Cost::downloads(2));
        assert!(!ledger.is_open(PageId(0)));
        assert!(ledger.is_open(PageId(1)), "the site has its visit back");
    }

    #[test]
    fn a_late_visit_never_made_pays_nothing_back() {
        let collection = two_sites();
        let mut ledger = Ledger::default();
        ledger.begin(Budget::downloads(2), &collection);
        ledger.open_downloads();
        assert!(ledger.push(PageId(0)));
        ledger.settle_batch();
        ledger.begin(Budget::downloads(1), &collection);
        assert!(ledger.withdraw(PageId(0)));
        assert_eq!(ledger.budget().left(), Cost::downloads(1));
    }

    #[test]
    fn a_visit_in_flight_closes_its_page_in_the_next_cycle() {
        let mut collection = Collection::new();
        for _ in 0..3 {
            collection.add(recrawl_model::SiteId(0), recrawl_model::Weight::ONE);
        }
        collection.remove(PageId(2));
        let mut ledger = Ledger::default();
        ledger.begin(Budget::downloads(1), &collection);
        ledger.open(VisitKind::Sample, Cost::DOWNLOAD);
        assert!(ledger.push(PageId(0)));
        ledger.begin(Budget::downloads(1), &collection);
        let open = [0, 1, 2].map(|page| ledger.is_open(PageId(page)));
        assert_eq!(open, [false, true, false]);
        let arrival = ledger.arrive(PageId(0)).expect("in flight");
        assert_eq!(
            (arrival.kind, arrival.of_this_cycle),
            (VisitKind::Sample, false)
        );
        assert_eq!(ledger.arrive(PageId(0)), None);
        assert!(!ledger.is_open(PageId(0)), "late visits close their page");
    }
}
