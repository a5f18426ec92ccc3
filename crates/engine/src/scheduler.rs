//! The loop's pure half: [`Scheduler`].

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use recrawl_model::{
    Budget, Explanation, Observation, Outcome, PageId, SiteId, Timestamp, Visit, VisitKind, Weight,
};
use recrawl_policy::{
    Arrival, Collection, Desk, Ledger, Planner, Policy, PolicyError, Seen, Summary, Truth,
};

use crate::ObserveError;
use crate::newcomers::Newcomers;

/// Visits asked for together.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// What all of them are.
    pub kind: VisitKind,
    /// The pages, each once.
    pub pages: &'a [PageId],
}

impl Batch<'_> {
    /// Whether nothing is asked for: the cycle is over.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// How many visits are asked for.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.pages.len()
    }

    /// The visits one by one.
    #[must_use]
    pub fn visits(&self) -> impl ExactSizeIterator<Item = Visit> {
        let kind = self.kind;
        self.pages.iter().map(move |&page| Visit { page, kind })
    }
}

/// Decides which pages to visit and takes in what visits teach. Pure: time,
/// chance (a seed) and observations are arguments.
pub struct Scheduler {
    pub(crate) collection: Collection,
    pub(crate) ledger: Ledger,
    pub(crate) planner: Box<dyn Planner>,
    pub(crate) newcomers: Newcomers,
    chance: Pcg64Mcg,
    policy: &'static str,
    needs_truth: bool,
    planner_page_bytes: usize,
}

impl Scheduler {
    /// A scheduler without pages. The same policy, seed and calls give the
    /// same visits on every machine.
    #[must_use]
    pub fn new(policy: &dyn Policy, seed: u64) -> Self {
        Self {
            collection: Collection::new(),
            ledger: Ledger::default(),
            planner: policy.planner(),
            newcomers: Newcomers::default(),
            chance: Pcg64Mcg::seed_from_u64(seed),
            policy: policy.name(),
            needs_truth: policy.needs_truth(),
            planner_page_bytes: policy.page_bytes(),
        }
    }

    /// Asks for the memory of `pages` pages once; without it the columns may
    /// hold twice what they need after growing.
    pub fn reserve(&mut self, pages: usize) {
        self.collection.reserve(pages);
        self.ledger.reserve(pages);
    }

    /// Adds a page nobody has visited: its first visit will be `First`. It may
    /// be asked for from the next cycle on.
    ///
    /// # Panics
    /// Beyond 2^32 - 1 pages.
    pub fn add_page(&mut self, site: SiteId, weight: Weight) -> PageId {
        let page = self.collection.add(site, weight);
        self.ledger.grow(page.index() + 1);
        self.ledger.close(page);
        page
    }

    /// Adds a page of which a fresh copy is held since `at`, as if its first
    /// visit had been then.
    ///
    /// # Panics
    /// Beyond 2^32 - 1 pages.
    pub fn add_held_page(&mut self, site: SiteId, weight: Weight, at: Timestamp) -> PageId {
        let page = self.add_page(site, weight);
        let known = self.record(page, Observation::new(at, Outcome::First));
        debug_assert!(known.is_ok(), "a new page takes any first observation");
        page
    }

    /// Takes a page out; a visit in flight is forgotten, its cost stays spent.
    /// Its `PageId` is not used again. Says whether the page was there.
    pub fn remove_page(&mut self, page: PageId) -> bool {
        let was_there = self.collection.remove(page);
        if was_there {
            self.ledger.forget(page);
        }
        was_there
    }

    /// Starts a cycle and ends the one before it; what that did not spend is
    /// lost. Visits still in flight stay in flight: their pages are not asked
    /// for again until they are observed ([`Outcome::Unknown`] gives up on
    /// one), and their observations count whenever they come.
    ///
    /// # Errors
    /// [`PolicyError::NeedsTruth`] for the policies that bound the others.
    pub fn begin_cycle(&mut self, budget: Budget, now: Timestamp) -> Result<(), PolicyError> {
        self.begin(budget, now, &[], None)
    }

    /// As [`Self::begin_cycle`] after a restart: `budget` says what is spent
    /// and `visited` which pages the cycle has asked for already.
    ///
    /// # Errors
    /// [`PolicyError::NeedsTruth`] for the policies that bound the others.
    pub fn resume_cycle(
        &mut self,
        budget: Budget,
        now: Timestamp,
        visited: &[PageId],
    ) -> Result<(), PolicyError> {
        self.begin(budget, now, visited, None)
    }

    /// As [`Self::begin_cycle`] in a simulation, which knows the truth. Only
    /// policies that bound the others look at it.
    ///
    /// # Errors
    /// None today: any policy can be begun with the truth.
    pub fn begin_cycle_knowing(
        &mut self,
        budget: Budget,
        now: Timestamp,
        truth: &dyn Truth,
    ) -> Result<(), PolicyError> {
        self.begin(budget, now, &[], Some(truth))
    }

    fn begin(
        &mut self,
        budget: Budget,
        now: Timestamp,
        visited: &[PageId],
        truth: Option<&dyn Truth>,
    ) -> Result<(), PolicyError> {
        if self.needs_truth && truth.is_none() {
            return Err(PolicyError::NeedsTruth {
                policy: self.policy.to_owned(),
            });
        }
        self.collection.settle();
        self.ledger.begin(budget, &self.collection);
        for &page in visited {
            if self.collection.contains(page) {
                self.ledger.visited_before(page);
            }
        }
        let left = self.ledger.budget().left();
        self.newcomers.begin(&self.collection, left);
        let mut desk = Desk::new(
            now,
            &mut self.collection,
            &mut self.ledger,
            &mut self.chance,
            truth,
        );
        self.planner.begin(&mut desk);
        Ok(())
    }

    /// The next visits of the cycle, none when it is over. They are paid for
    /// when asked for, so a visit that fails or is never made costs the same.
    ///
    /// Call it again after the batch's observations are in. It may be called
    /// before; the policy then decides on what it knows.
    pub fn decide(&mut self, now: Timestamp) -> Batch<'_> {
        self.ledger.open_downloads();
        self.newcomers.ask(&mut self.ledger);
        if self.ledger.batch().is_empty() {
            let mut desk = Desk::new(
                now,
                &mut self.collection,
                &mut self.ledger,
                &mut self.chance,
                None,
            );
            self.planner.next(&mut desk);
        }
        self.ledger.settle_batch();
        Batch {
            kind: self.ledger.kind(),
            pages: self.ledger.batch(),
        }
    }

    /// Takes in the observation of a visit asked for.
    ///
    /// A sample that saw a change is not evidence yet: the copy held is still
    /// the old one, and the download that follows will say the same.
    ///
    /// # Errors
    /// [`ObserveError`] if no visit of the page is in flight, or the time is
    /// not after the page's last observation.
    pub fn observe(&mut self, page: PageId, seen: Observation) -> Result<(), ObserveError> {
        if !self.collection.contains(page) {
            return Err(ObserveError::NoSuchPage { page });
        }
        let Some(arrival) = self.ledger.arrive(page) else {
            return Err(ObserveError::NotAskedFor { page });
        };
        self.take_in(page, seen, Some(arrival))
    }

    /// Takes in the observations of the whole last batch, made at one time, in
    /// the order of its pages. The fast way for simulators.
    ///
    /// # Errors
    /// [`ObserveError::BatchMismatch`] unless there is one outcome a visit and
    /// none of them was observed before; [`ObserveError::OutOfOrder`] for the
    /// first page whose last observation is not before `at` (the others are
    /// taken in).
    pub fn observe_batch(
        &mut self,
        at: Timestamp,
        outcomes: &[Outcome],
    ) -> Result<(), ObserveError> {
        let pages = self.ledger.batch();
        let open = self.ledger.open_visits();
        if outcomes.len() != pages.len() || open != pages.len() {
            return Err(ObserveError::BatchMismatch {
                outcomes: outcomes.len(),
                open,
            });
        }
        let seen = Seen {
            at,
            pages,
            outcomes,
            last_modified: None,
            of_this_cycle: true,
        };
        self.planner.learn(&self.collection, &seen);
        self.ledger.arrive_batch(outcomes);
        let samples = self.ledger.kind() == VisitKind::Sample;
        let visits = self.ledger.batch().iter().zip(outcomes);
        let evidence = visits
            .map(|(&page, &outcome)| (page, outcome))
            .filter(|&(_, outcome)| !samples || outcome != Outcome::Changed);
        match self.collection.observe_each(at, evidence) {
            None => Ok(()),
            Some((page, late)) => Err(ObserveError::OutOfOrder {
                page,
                at,
                previous: late.previous,
            }),
        }
    }

    /// Takes in an observation nobody asked for: of a log, or of another
    /// program. It costs nothing.
    ///
    /// # Errors
    /// [`ObserveError::NoSuchPage`] or [`ObserveError::OutOfOrder`].
    pub fn record(&mut self, page: PageId, seen: Observation) -> Result<(), ObserveError> {
        if !self.collection.contains(page) {
            return Err(ObserveError::NoSuchPage { page });
        }
        self.take_in(page, seen, None)
    }

    fn take_in(
        &mut self,
        page: PageId,
        seen: Observation,
        arrival: Option<Arrival>,
    ) -> Result<(), ObserveError> {
        if let Some(previous) = self.collection.summary(page).last()
            && seen.at <= previous
            && seen.outcome != Outcome::Unknown
        {
            return Err(ObserveError::OutOfOrder {
                page,
                at: seen.at,
                previous,
            });
        }
        let columns = Seen {
            at: seen.at,
            pages: &[page],
            outcomes: &[seen.outcome],
            last_modified: seen.last_modified,
            of_this_cycle: arrival.is_some_and(|arrival| arrival.of_this_cycle),
        };
        self.planner.learn(&self.collection, &columns);
        let sample = arrival.is_some_and(|arrival| arrival.kind == VisitKind::Sample);
        if sample && seen.outcome == Outcome::Changed {
            self.ledger.note_changed_sample(page);
            return Ok(());
        }
        let taken = self.collection.observe(page, seen.at, seen.outcome);
        taken.map_err(|late| ObserveError::OutOfOrder {
            page,
            at: late.at,
            previous: late.previous,
        })
    }

    /// Why the page would be visited at `now`, or not: what the policy's claim
    /// for it is made from.
    ///
    /// # Errors
    /// [`ObserveError::NoSuchPage`].
    pub fn explain(&self, page: PageId, now: Timestamp) -> Result<Explanation, ObserveError> {
        if !self.collection.contains(page) {
            return Err(ObserveError::NoSuchPage { page });
        }
        Ok(self.planner.explain(&self.collection, page, now))
    }

    /// The name of the policy.
    #[must_use]
    pub const fn policy(&self) -> &'static str {
        self.policy
    }

    /// What the cycle may spend and has spent.
    #[must_use]
    pub const fn budget(&self) -> &Budget {
        self.ledger.budget()
    }

    /// What is known of a page; `None` if it is not there.
    #[must_use]
    pub fn summary(&self, page: PageId) -> Option<&Summary> {
        self.collection
            .contains(page)
            .then(|| self.collection.summary(page))
    }

    /// The pages and their sites.
    #[must_use]
    pub const fn collection(&self) -> &Collection {
        &self.collection
    }

    /// Bytes held for pages: summaries, membership, flags, and what the
    /// policy keeps of each.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.collection.memory_bytes()
            + self.ledger.memory_bytes()
            + self.collection.slots() * self.planner_page_bytes
    }
}
