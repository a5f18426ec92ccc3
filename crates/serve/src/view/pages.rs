//! Pages in columns: [`Pages`].

use recrawl_estimate::Learned;
use recrawl_model::{Names, Outcome, PageId, Timestamp, Weight, days};
use recrawl_store::Standing;

/// What is known of every page, a column a fact, so that a question about a
/// million of them reads only what it needs.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    pub(crate) urls: Names,
    pub(crate) site: Vec<u32>,
    pub(crate) weight: Vec<Weight>,
    pub(crate) standing: Vec<Standing>,
    pub(crate) added: Vec<Timestamp>,
    pub(crate) visits: Vec<u32>,
    pub(crate) changes: Vec<u32>,
    pub(crate) failures: Vec<u32>,
    pub(crate) last_visit: Vec<Option<Timestamp>>,
    /// The last visit that saw the page.
    pub(crate) last_seen: Vec<Option<Timestamp>>,
    pub(crate) last_change: Vec<Option<Timestamp>>,
    pub(crate) last_outcome: Vec<Option<Outcome>>,
    pub(crate) learned: Vec<Learned>,
    /// Number of the newest observation; 0 for none.
    pub(crate) newest: Vec<u32>,
    /// Place of each page among all URLs in order, as far as they are sorted.
    rank: Vec<u32>,
    /// Pages by URL, as far as they are sorted.
    sorted: Vec<u32>,
}

impl Pages {
    pub(crate) fn len(&self) -> usize {
        self.site.len()
    }

    pub(crate) fn add(&mut self, url: &str, site: u32, weight: Weight, at: Timestamp) {
        self.urls.push(url);
        self.site.push(site);
        self.weight.push(weight);
        self.standing.push(Standing::Watched);
        self.added.push(at);
        self.visits.push(0);
        self.changes.push(0);
        self.failures.push(0);
        self.last_visit.push(None);
        self.last_seen.push(None);
        self.last_change.push(None);
        self.last_outcome.push(None);
        self.learned.push(Learned::default());
        self.newest.push(0);
    }

    /// Takes in an observation; `false` if it is older than what is known.
    pub(crate) fn observe(&mut self, page: usize, at: Timestamp, outcome: Outcome) -> bool {
        let before = self.last_seen[page];
        if before.is_some_and(|before| at <= before) && outcome != Outcome::Unknown {
            return false;
        }
        self.visits[page] += 1;
        // Observations made elsewhere come late: a page that was seen was there.
        self.added[page] = self.added[page].min(at);
        self.last_visit[page] = self.last_visit[page].max(Some(at));
        self.last_outcome[page] = Some(outcome);
        if outcome == Outcome::Unknown {
            return true;
        }
        if outcome == Outcome::Changed && before.is_some() {
            self.changes[page] += 1;
            self.last_change[page] = Some(at);
        }
        if let Some(before) = before
            && outcome != Outcome::First
        {
            let length = days(at.since(before));
            self.learned[page].observe(length, outcome == Outcome::Changed);
        }
        self.last_seen[page] = Some(at);
        true
    }

    /// Whether pages joined since URLs were last sorted.
    pub(crate) fn unsorted(&self) -> usize {
        self.len() - self.sorted.len()
    }

    /// Sorts all URLs.
    pub(crate) fn sort(&mut self) {
        self.sorted = self.urls.order();
        self.rank.resize(self.sorted.len(), 0);
        for (place, &page) in (0..).zip(&self.sorted) {
            self.rank[page as usize] = place;
        }
    }

    /// Where a page stands by URL; those that joined last come last until they
    /// are sorted in.
    pub(crate) fn rank(&self, page: u32) -> u32 {
        self.rank.get(page as usize).copied().unwrap_or(page)
    }

    /// Places of the sorted URLs that begin with `prefix`.
    pub(crate) fn places(&self, prefix: &str) -> std::ops::Range<u32> {
        let url = |page: &u32| self.urls.get(*page as usize);
        let first = self.sorted.partition_point(|page| url(page) < prefix);
        let rest = &self.sorted[first..];
        let count = rest.partition_point(|page| url(page).starts_with(prefix));
        first as u32..(first + count) as u32
    }

    /// The page with this URL.
    pub(crate) fn find(&self, url: &str) -> Option<PageId> {
        let name = |page: &u32| self.urls.get(*page as usize);
        let place = self.sorted.partition_point(|page| name(page) < url);
        let known = self.sorted.get(place).copied();
        let known = known.filter(|page| name(page) == url);
        let late = || {
            let tail = self.sorted.len() as u32..self.len() as u32;
            tail.into_iter().find(|page| name(page) == url)
        };
        known.or_else(late).map(PageId)
    }
}
