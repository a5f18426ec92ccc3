//! The pages that may be visited in a cycle: [`Pool`].

use rand::RngExt;
use recrawl_model::{PageId, SiteId};

use super::claims::claims_of;
use super::knowledge::AHEAD;
use super::neighbours::REACH;
use super::planner::BayesPlanner;
use crate::bits::Bits;
use crate::key::{Key, Salt};
use crate::{Collection, Desk};

/// Pages that are kept for each that can be afforded: what a cycle learns moves
/// claims, and lets pages in that were behind.
const DEPTH: usize = 3;

/// Times as busy as when all its pages were looked through a site must be for
/// them to be looked through again; below, the pool's depth is enough.
const BUSIER: f32 = 1.25;

/// What was heard of a site since claims were made.
#[derive(Debug, Clone, Copy, PartialEq)]
enum News {
    None,
    /// Its pages in the pool are judged anew if this times their claim, the most
    /// that it can have become, reaches the price.
    Some(f32),
    /// All its pages are.
    Much,
}

/// How busy a site was believed to be when claims of its pages were made.
#[derive(Debug, Clone, Copy)]
struct Levels {
    /// When all of them were looked through.
    all: f32,
    /// At the least since then.
    least: f32,
}

/// The strongest claims of a cycle. All pages are looked through once; later
/// only what the visits of the cycle have told of is.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// In the order of pages: claims are made anew in the order memory has them.
    keys: Vec<Key>,
    /// The same with the strongest first, as far as was asked for.
    ranked: Vec<Key>,
    salt: Salt,
    /// The strongest claim that was left out.
    floor: Option<Key>,
    /// Sites with news since all pages were looked through.
    levels: Vec<Option<Levels>>,
    /// How busy sites with news were believed to be before them.
    news: Vec<(SiteId, f64)>,
}

impl Pool {
    /// Looks through all pages.
    pub(super) fn fill(&mut self, planner: &BayesPlanner, desk: &mut Desk<'_>, affordable: usize) {
        self.salt = Salt::new(desk.chance.random());
        self.keys.clear();
        self.levels.clear();
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
        self.rank(affordable);
    }

    /// Leaves out all but the strongest claims; pages stay in order.
    fn cut(&mut self, most: usize) {
        if most < self.keys.len() {
            self.ranked.clone_from(&self.keys);
            let (_, &mut floor, _) = self.ranked.select_nth_unstable(most);
            self.keys.retain(|&key| key < floor);
            self.floor = Some(floor);
        }
    }

    /// Puts the pages that can be afforded before the others.
    fn rank(&mut self, affordable: usize) {
        self.ranked.clone_from(&self.keys);
        if let Some(last) = affordable.min(self.ranked.len()).checked_sub(1) {
            self.ranked.select_nth_unstable(last);
        }
    }

    /// Takes note of a site that was looked at, and how busy it was believed
    /// to be before.
    pub(super) fn note(&mut self, site: SiteId, before: f64) {
        self.news.push((site, before));
    }

    /// Makes the claims anew that are others by now, as far as the strongest that
    /// can be afforded may be among them. `stirred` are pages that were visited and
    /// tell of those next to them, and whether they had changed.
    pub(super) fn update(
        &mut self,
        planner: &BayesPlanner,
        desk: &Desk<'_>,
        affordable: usize,
        stirred: &[(PageId, bool)],
    ) {
        let collection = desk.collection();
        self.keys.retain(|&key| desk.is_open(self.salt.page(key)));
        self.rank(affordable);
        let price = self.price(affordable).unwrap_or(0.0) as f32;
        let mut marks = vec![News::None; planner.knowledge.sites.len()];
        let mut again = Vec::new();
        for (site, before) in std::mem::take(&mut self.news) {
            let news = self.hear(planner, site, before, price);
            marks[site.index()] = news;
            if news == News::Much {
                let members = collection.members(site).iter().copied();
                again.extend(members.filter(|&page| desk.is_open(page)));
            }
        }
        let mut near = Bits::default();
        near.grow(collection.slots());
        for &(page, changed) in stirred {
            for &page in next_to(collection, page) {
                near.set(page.index());
                let site = collection.summary(page).site();
                if changed && desk.is_open(page) && marks[site.index()] != News::Much {
                    again.push(page); // also if it was left out
                }
            }
        }
        self.keys.retain(|&key| {
            let page = self.salt.page(key);
            let near = near.get(page.index());
            match marks[collection.summary(page).site().index()] {
                News::None if !near => true,
                News::Some(rise) if !near && rise * key.claim() < price => true,
                News::None | News::Some(_) => {
                    again.push(page);
                    false
                }
                News::Much => false,
            }
        });
        again.sort(); // runs in order
        again.dedup();
        let asked = again.chunks(AHEAD).flat_map(|pages| {
            let ask = |&page| planner.knowledge.ask_memory(collection, page);
            pages.iter().for_each(ask);
            pages.iter().copied()
        });
        claims_of(planner, collection, desk.now, asked, |page, claim| {
            let key = self.salt.key(claim, page);
            if self.floor.is_none_or(|floor| key < floor) {
                self.keys.push(key);
            }
        });
        self.keys.sort_by_key(|&key| self.salt.page(key)); // two runs in order
        self.rank(affordable);
    }

    /// What is to be done about a site that was believed to be `before` times as
    /// busy as usual before the news.
    ///
    /// Of a site r times as busy, no page's claim is more than r^2 times what it
    /// was: where `h(x) = 1 - (1+x) exp(-x)`, `x h'(x)/h(x)` is at most 2.
    fn hear(&mut self, planner: &BayesPlanner, site: SiteId, before: f64, price: f32) -> News {
        let busy = planner.knowledge.site(site).map_or(1.0, |site| site.busy()) as f32;
        if self.levels.is_empty() {
            self.levels.resize(planner.knowledge.sites.len(), None);
        }
        let before = before as f32;
        let levels = self.levels[site.index()].get_or_insert(Levels {
            all: before,
            least: before,
        });
        let rise = busy / levels.all;
        let left_out = self.floor.map_or(0.0, Key::claim);
        if rise > BUSIER && rise * rise * left_out >= price {
            *levels = Levels {
                all: busy,
                least: busy,
            };
            return News::Much;
        }
        levels.least = levels.least.min(busy);
        let rise = busy / levels.least;
        News::Some(rise * rise)
    }

    /// Whether pages that were left out are needed after all: what visits told
    /// has put too many of the pool behind them.
    pub(super) fn is_short(&self, affordable: usize) -> bool {
        self.floor.is_some() && self.keys.len() < affordable
    }

    /// The claim of the last page that can be afforded, as many as when the pool
    /// was filled or updated; `None` without pages.
    pub(super) fn price(&self, affordable: usize) -> Option<f64> {
        let last = affordable.min(self.ranked.len()).checked_sub(1)?;
        Some(f64::from(self.ranked[last].claim()))
    }

    /// The pages that can be afforded, strongest claim first, as many as when the
    /// pool was filled or updated.
    pub(super) fn strongest(&mut self, affordable: usize) -> impl Iterator<Item = PageId> {
        let count = affordable.min(self.ranked.len());
        let strongest = &mut self.ranked[..count];
        strongest.sort_unstable();
        strongest.iter().map(|&key| self.salt.page(key))
    }
}

/// The pages that one may tell of, itself among them.
fn next_to(collection: &Collection, page: PageId) -> &[PageId] {
    collection.place(page).map_or(&[], |(members, place)| {
        let end = members.len().min(place + REACH + 1);
        &members[place.saturating_sub(REACH)..end]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ledger;
    use crate::bayes::neighbours::Neighbours;
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
        pool.update(&planner, &desk, 200, &[]);
        let mut anew = Pool::default();
        anew.fill(&planner, &mut desk, 200);
        let price = |pool: &Pool| pool.price(200).expect("pages");
        assert_eq!(price(&pool), price(&anew));
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

    #[test]
    fn pages_next_to_one_that_changed_come_in_though_they_were_left_out() {
        let (mut planner, mut collection, now) = after_cycles(4);
        planner.knowledge.neighbours = Neighbours::of_factor(400.0);
        let (mut ledger, mut chance) = (Ledger::default(), Pcg64Mcg::seed_from_u64(1));
        ledger.begin(Budget::downloads(30), &collection);
        let mut pool = Pool::default();
        let mut desk = crate::Desk::new(now, &mut collection, &mut ledger, &mut chance, None);
        pool.fill(&planner, &mut desk, 30);
        let changed = desk.collection().members(SiteId(2))[10];
        let of_site = |pool: &Pool, collection: &Collection| {
            let pages = pool.keys.iter().map(|&key| pool.salt.page(key));
            let site = |page: PageId| collection.summary(page).site();
            pages.filter(|&page| site(page) == SiteId(2)).count()
        };
        let before = of_site(&pool, desk.collection());
        let visit = collection.observe(changed, now, Outcome::Changed);
        visit.expect("in order");
        let mut desk = crate::Desk::new(now, &mut collection, &mut ledger, &mut chance, None);
        pool.update(&planner, &desk, 30, &[(changed, true)]);
        let updated = of_site(&pool, desk.collection());
        let price = pool.price(30);
        pool.fill(&planner, &mut desk, 30);
        assert_eq!(price, pool.price(30));
        assert!(updated > before + 10, "{before} {updated}");
    }
}
