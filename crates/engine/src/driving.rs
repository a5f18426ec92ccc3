//! What a driver does beside the loop: pages that come back, visits that were
//! not made, caps, hints, and what else a budget is spent on.

use recrawl_model::{Cost, Hint, Overspent, PageId, Weight};

use crate::{ObserveError, Scheduler};

impl Scheduler {
    /// Takes a page that was removed back in, with what was known of it. It may
    /// be asked for from the next cycle on. Says whether there was one.
    pub fn restore_page(&mut self, page: PageId) -> bool {
        self.collection.restore(page)
    }

    /// Gives a page another importance, whether or not it is there now. Says
    /// whether it was ever added.
    pub fn set_weight(&mut self, page: PageId, weight: Weight) -> bool {
        self.collection.set_weight(page, weight)
    }

    /// Limits the visits of each site in one cycle, from the next cycle on,
    /// whatever the policy.
    pub fn cap_sites(&mut self, most: Option<u32>) {
        self.ledger.cap_sites(most);
    }

    /// Takes back a visit asked for and never made. Of the running cycle, what
    /// it cost may be spent on another page; the page itself waits for the next
    /// one. Says whether such a visit was in flight.
    pub fn withdraw(&mut self, page: PageId) -> bool {
        self.ledger.withdraw(page)
    }

    /// Spends part of the cycle's budget on something no policy asked for, such
    /// as a second look or a sitemap.
    ///
    /// # Errors
    /// [`Overspent`] if less is left; then nothing is spent.
    pub fn spend(&mut self, cost: Cost) -> Result<(), Overspent> {
        self.ledger.spend(cost)
    }

    /// Hears what a source says of a page between visits: the date of a sitemap
    /// or a feed, or a header asked for alone. Policies that listen learn per
    /// site how far to trust it; the others ignore it. It costs nothing.
    ///
    /// # Errors
    /// [`ObserveError::NoSuchPage`].
    pub fn hint(&mut self, page: PageId, hint: Hint) -> Result<(), ObserveError> {
        if !self.collection.contains(page) {
            return Err(ObserveError::NoSuchPage { page });
        }
        self.planner.hear(&self.collection, page, hint);
        Ok(())
    }

    /// Lets up to half of what a cycle has left go to pages nobody has tried
    /// yet, before the policy is asked, from the next cycle on: nothing can be
    /// said or shown of a page before its first visit, and a policy that counts
    /// changes may let it wait for long. A page whose visits failed is left to
    /// the policy, which tries it ever more rarely.
    pub fn visit_newcomers_first(&mut self) {
        self.newcomers.welcome();
    }
}
