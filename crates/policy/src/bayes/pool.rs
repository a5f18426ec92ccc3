//! The pages that may be visited in a cycle: [`Pool`].

use std::collections::BTreeMap;

use rand::RngExt;
use recrawl_model::{PageId, SiteId};

use super::claims::claims_of;
use super::planner::BayesPlanner;
use crate::Desk;
use crate::key::{Key, Salt};

/// Pages that are kept for each that can be afforded: what a cycle learns moves
/// claims, and lets pages in that were behind.
const DEPTH: usize = 3;

/// Times as busy as when all its pages were looked through a site must be for
/// them to be looked through again; below, the pool's depth is enough.
const BUSIER: f64 = 1.25;

/// What was heard of a site since claims were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    None,
    /// Its pages in the pool are judged anew.
    Some,
    /// All its pages are.
    Much,
}

/// The strongest claims of a cycle. All pages are looked through once; later
/// only what the visits of the cycle have told of is.
#[derive(Debug, Default)]
pub(super) struct Pool {
    keys: Vec<Key>,
    salt: Salt,
    /// The strongest claim that was left out.
    floor: Option<Key>,
    /// How busy sites with news were when all their pages were looked through.
    looked_through: BTreeMap<SiteId, f64>,
    /// How busy sites with news were believed to be before them.
    news: BTreeMap<SiteId, f64>,
}

impl Pool {
    /// Looks through all pages.
    pub(super) fn fill(&mut self, planner: &BayesPlanner, desk: &mut Desk<'_>, affordable: usize) {
        self.salt = Salt::new(desk.chance.random());
        self.keys.clear();
        self.looked_through.clear();
        self.floor = None;
        let most = affordable.saturating_mul(DEPTH);
        let full = most.saturating_mul(2).max(crate::BATCH);
        let collection = desk.collection();
        let open = (0..collection.slots() as u32)
            .map(PageId)
            .filter(|&page| desk.is_open(page));
        claims_of(planner, collection, desk.now, open, |page, claim| {
            let key = self.salt.key(claim, page);
            if self.floor.is_none_or(|floor| key < floor) {
                if self.keys.len() == full {
                    self.cut(most);
                }
                self.keys.push(key);
            }
        });
        self.cut(most);
    }

    fn cut(&mut self, most: usize) {
        if most < self.keys.len() {
            let (_, &mut floor, _) = self.keys.select_nth_unstable(most);
            self.keys.truncate(most);
            self.floor = Some(floor);
        }
    }

    /// Takes note of a site that was looked at, and how busy it was believed
    /// to be before.
    pub(super) fn note(&mut self, site: SiteId, before: f64) {
        self.news.insert(site, before);
    }

    /// Makes the claims anew that are others by now.
    pub(super) fn update(&mut self, planner: &BayesPlanner, desk: &Desk<'_>) {
        let collection = desk.collection();
        let sites = &planner.knowledge.sites;
        let mut marks = vec![News::None; sites.len()];
        let mut again = Vec::new();
        for (&site, &before) in &self.news {
            let busy = sites[site.index()].busy();
            let level = self.looked_through.entry(site).or_insert(before);
            marks[site.index()] = News::Some;
            if busy > BUSIER * *level {
                *level = busy;
                marks[site.index()] = News::Much;
                let members = collection.members(site).iter().copied();
                again.extend(members.filter(|&page| desk.is_open(page)));
            }
        }
        self.keys.retain(|&key| {
            let page = self.salt.page(key);
            if !desk.is_open(page) {
                return false;
            }
            let news = marks[collection.summary(page).site().index()];
            if news == News::Some {
                again.push(page);
            }
            news == News::None
        });
        let again = again.into_iter();
        claims_of(planner, collection, desk.now, again, |page, claim| {
            let key = self.salt.key(claim, page);
            if self.floor.is_none_or(|floor| key < floor) {
                self.keys.push(key);
            }
        });
        self.news.clear();
    }

    /// Whether pages that were left out are needed after all: what visits told
    /// has put too many of the pool behind them.
    pub(super) fn is_short(&self, affordable: usize) -> bool {
        self.floor.is_some() && self.keys.len() < affordable
    }

    /// The claim of the last page that can be afforded; `None` without pages.
    pub(super) fn price(&mut self, affordable: usize) -> Option<f64> {
        let last = affordable.min(self.keys.len()).checked_sub(1)?;
        let (_, key, _) = self.keys.select_nth_unstable(last);
        Some(f64::from(key.claim()))
    }

    /// The pages that can be afforded, strongest claim first.
    pub(super) fn strongest(&mut self, affordable: usize) -> impl Iterator<Item = PageId> {
        self.price(affordable); // puts them first
        let count = affordable.min(self.keys.len());
        let strongest = &mut self.keys[..count];
        strongest.sort_unstable();
        strongest.iter().map(|&key| self.salt.page(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ledger;
    use crate::bayes::planner::tests::after_cycles;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use recrawl_model::{Budget, Outcome};

    #[test]
    fn what_is_told_of_a_site_moves_its_pages_as_if_all_were_looked_through() {
        let (mut planner, mut collection, now) = after_cycles(4);
        let (mut ledger, mut chance) = (Ledger::default(), Pcg64Mcg::seed_from_u64(1));
        ledger.begin(Budget::downloads(200), &collection);
        let mut pool = Pool::default();
        let first = collection.members(SiteId(8))[..12].to_vec();
        let mut desk = crate::Desk::new(now, &mut collection, &mut ledger, &mut chance, None);
        pool.fill(&planner, &mut desk, 200);
        let seen = crate::Seen {
            at: now,
            pages: &first,
            outcomes: &[Outcome::Changed; 12],
            last_modified: None,
            of_this_cycle: true,
        };
        planner.knowledge.learn(desk.collection(), &seen);
        let mut told = Vec::new();
        planner.knowledge.conclude(|site, before| {
            pool.note(site, before);
            told.push(site);
        });
        assert_eq!(told, [SiteId(8)]);
        pool.update(&planner, &desk);
        let mut anew = Pool::default();
        anew.fill(&planner, &mut desk, 200);
        let price = |pool: &mut Pool| pool.price(200).expect("pages");
        assert_eq!(price(&mut pool), price(&mut anew));
        let sorted = |pool: &mut Pool| {
            let mut pages: Vec<PageId> = pool.strongest(200).collect();
            pages.sort();
            pages
        };
        let of_site = |pages: &[PageId]| {
            let site = |page: &PageId| desk.collection().summary(*page).site();
            pages.iter().filter(|page| site(page) == SiteId(8)).count()
        };
        let (updated, anew) = (sorted(&mut pool), sorted(&mut anew));
        assert_eq!(of_site(&updated), of_site(&anew));
        assert!(of_site(&updated) > 15, "{}", of_site(&updated));
    }
}
