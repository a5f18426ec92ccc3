//! Pages nobody has tried yet: [`Newcomers`].

use recrawl_model::{Cost, PageId};
use recrawl_policy::{Collection, Ledger};

/// Which pages of a cycle go before those the policy asks for; none unless a
/// driver wants it so.
#[derive(Debug, Default)]
pub(crate) struct Newcomers {
    welcome: bool,
    /// Those of this cycle, in the order they were added.
    waiting: Vec<PageId>,
}

/// Newcomers get one of so many visits that a cycle has left.
const ONE_OF: u64 = 2;

impl Newcomers {
    pub(crate) const fn welcome(&mut self) {
        self.welcome = true;
    }

    /// Starts a cycle that may spend `left`.
    pub(crate) fn begin(&mut self, collection: &Collection, left: Cost) {
        self.waiting.clear();
        if !self.welcome {
            return;
        }
        let most = left.pays_for(Cost::DOWNLOAD).div_ceil(ONE_OF);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let pages = (0..collection.slots() as u32).map(PageId);
        let untried = pages.filter(|&page| {
            let summary = collection.summary(page);
            summary.last().is_none() && summary.failures() == 0 && collection.contains(page)
        });
        self.waiting.extend(untried.take(most));
    }

    /// Puts those that wait in the open batch, as far as it goes.
    pub(crate) fn ask(&mut self, ledger: &mut Ledger) {
        let asked = ledger.ask_each(&self.waiting);
        self.waiting.drain(..asked);
    }
}
