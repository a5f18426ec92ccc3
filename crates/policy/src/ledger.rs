//! What a cycle asked for and may still spend: [`Ledger`].

use recrawl_model::{Budget, Cost, Outcome, PageId, VisitKind};

use crate::Collection;
use crate::bits::Bits;

/// Most visits in one batch: few enough that pages, world and batch stay in a
/// core's cache, enough that asking for a batch costs nothing a visit.
pub const BATCH: usize = 8_192;

/// The one place where budgets are spent and pages are marked as asked for.
/// No policy can overspend or ask twice, whatever it does.
#[derive(Debug)]
pub struct Ledger {
    budget: Budget,
    /// Not to be asked for again in this cycle: asked, in flight, or gone.
    closed: Bits,
    /// Asked for and not yet observed, of this cycle or an earlier one.
    in_flight: Bits,
    /// In flight as a sample, not as a download.
    samples: Bits,
    /// In flight since an earlier cycle.
    late: Bits,
    batch: Vec<PageId>,
    kind: VisitKind,
    /// Cost of each visit of the batch.
    cost: Cost,
    /// Samples of this cycle that saw a change and were not downloaded yet.
    changed_samples: Vec<PageId>,
}

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
            closed: Bits::default(),
            in_flight: Bits::default(),
            samples: Bits::default(),
            late: Bits::default(),
            batch: Vec::new(),
            kind: VisitKind::Download,
            cost: Cost::DOWNLOAD,
            changed_samples: Vec::new(),
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
        self.closed.become_union(&self.in_flight, &collection.gone);
        self.late.copy_from(&self.in_flight);
    }

    /// Makes room for pages added.
    pub fn grow(&mut self, pages: usize) {
        for bits in self.columns() {
            bits.grow(pages);
        }
    }

    /// Asks for the memory of `pages` pages once.
    pub fn reserve(&mut self, pages: usize) {
        for bits in self.columns() {
            bits.reserve(pages);
        }
    }

    fn columns(&mut self) -> [&mut Bits; 4] {
        [
            &mut self.closed,
            &mut self.in_flight,
            &mut self.samples,
            &mut self.late,
        ]
    }

    /// Keeps a page from being asked for in this cycle.
    pub fn close(&mut self, page: PageId) {
        self.closed.set(page.index());
    }

    /// Whether a page may still be asked for in this cycle.
    pub(crate) fn is_open(&self, page: PageId) -> bool {
        !self.closed.get(page.index())
    }

    /// Forgets a page that was removed: it is in flight no more and is not
    /// asked for again. What it cost stays spent.
    pub fn forget(&mut self, page: PageId) {
        self.closed.set(page.index());
        self.in_flight.clear(page.index());
        self.samples.clear(page.index());
        self.late.clear(page.index());
        self.changed_samples.retain(|&other| other != page);
    }

    /// Opens a batch of visits that cost `cost` each.
    pub(crate) fn open(&mut self, kind: VisitKind, cost: Cost) {
        self.batch.clear();
        self.kind = kind;
        self.cost = cost;
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
        if self.closed.get(page.index()) {
            return false;
        }
        self.closed.set(page.index());
        self.enter(page);
        true
    }

    fn enter(&mut self, page: PageId) {
        self.in_flight.set(page.index());
        if self.kind == VisitKind::Sample {
            self.samples.set(page.index());
        }
        self.batch.push(page);
    }

    /// Puts samples that saw a change in the batch, to be downloaded.
    pub(crate) fn push_changed_samples(&mut self, most: usize) {
        let take = most.min(self.changed_samples.len());
        let rest = self.changed_samples.split_off(take);
        for page in std::mem::replace(&mut self.changed_samples, rest) {
            if !self.in_flight.get(page.index()) {
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
        if page.index() >= self.in_flight.slots() || !self.in_flight.get(page.index()) {
            return None;
        }
        self.in_flight.clear(page.index());
        let sample = self.samples.get(page.index());
        let late = self.late.get(page.index());
        self.samples.clear(page.index());
        self.late.clear(page.index());
        Some(Arrival {
            kind: if sample {
                VisitKind::Sample
            } else {
                VisitKind::Download
            },
            of_this_cycle: !late,
        })
    }

    /// Visits of the batch that are in flight.
    #[must_use]
    pub fn open_visits(&self) -> usize {
        let open = |page: &&PageId| self.in_flight.get(page.index());
        self.batch.iter().filter(open).count()
    }

    /// Takes all visits of the batch off the list of those in flight and hands
    /// each on with its outcome. Samples that saw a change are noted.
    pub fn arrive_batch(&mut self, outcomes: &[Outcome], mut hand_on: impl FnMut(PageId, Outcome)) {
        let samples = self.kind == VisitKind::Sample;
        for (&page, &outcome) in self.batch.iter().zip(outcomes) {
            self.in_flight.clear(page.index());
            if samples {
                self.samples.clear(page.index());
                if outcome == Outcome::Changed {
                    self.changed_samples.push(page);
                }
            }
            hand_on(page, outcome);
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
        self.closed.memory_bytes()
            + self.in_flight.memory_bytes()
            + self.samples.memory_bytes()
            + self.late.memory_bytes()
            + (self.batch.capacity() + self.changed_samples.capacity()) * size_of::<PageId>()
    }
}
