//! Which pages belong to which site, in eight bytes a page.

use recrawl_model::{PageId, SiteId};

/// The members of each site, one after the other in one list, in an order that
/// sampling may shuffle until the next [`Sites::settle`], when pages added
/// later join. Undone swaps keep pages in order, so that visits of a whole
/// site go through memory from one end to the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sites {
    /// Where each site's members start; one more entry than sites.
    starts: Vec<u32>,
    /// How many of them are there still.
    live: Vec<u32>,
    members: Vec<PageId>,
    /// Where in `members` a page stands once the swaps are undone; `ABSENT` if
    /// it does not.
    position: Vec<u32>,
    /// Places exchanged since the last settling, in order.
    swaps: Vec<(u32, u32)>,
    /// Whether pages or sites were added since the last settling.
    stale: bool,
}

const ABSENT: u32 = u32::MAX;

impl Sites {
    pub(crate) fn reserve(&mut self, pages: usize) {
        let more = pages.saturating_sub(self.position.len());
        self.position.reserve_exact(more);
        let more = pages.saturating_sub(self.members.len());
        self.members.reserve_exact(more);
    }

    /// Notes that one more page exists; it joins its site when settled.
    pub(crate) fn add(&mut self) {
        self.position.push(ABSENT);
        self.stale = true;
    }

    /// Notes that a page that was removed is back; it joins its site when
    /// settled.
    pub(crate) const fn restore(&mut self) {
        self.stale = true;
    }

    /// Undoes the swaps; lays the members out anew if pages were added: a
    /// counting sort by site, in order of pages within a site.
    pub(crate) fn settle(&mut self, site_of: impl Fn(usize) -> Option<SiteId>) {
        for (one, other) in self.swaps.drain(..).rev() {
            self.members.swap(one as usize, other as usize);
        }
        if !self.stale {
            return;
        }
        self.stale = false;
        let pages = self.position.len();
        self.starts.clear();
        for site in (0..pages).filter_map(&site_of) {
            if site.index() + 2 > self.starts.len() {
                self.starts.resize(site.index() + 2, 0);
            }
            self.starts[site.index() + 1] += 1;
        }
        for site in 1..self.starts.len() {
            self.starts[site] += self.starts[site - 1];
        }
        self.live.clear();
        self.live.resize(self.starts.len().saturating_sub(1), 0);
        let total = self.starts.last().map_or(0, |&end| end as usize);
        self.members.resize(total, PageId(0));
        for page in 0..pages {
            if let Some(site) = site_of(page) {
                let at = self.starts[site.index()] + self.live[site.index()];
                self.live[site.index()] += 1;
                self.members[at as usize] = PageId(page as u32);
                self.position[page] = at;
            }
        }
    }

    /// How many sites there are, empty ones included.
    pub(crate) fn len(&self) -> usize {
        self.live.len()
    }

    /// How many pages a site has.
    pub(crate) fn size(&self, site: SiteId) -> u32 {
        self.live.get(site.index()).copied().unwrap_or(0)
    }

    /// A site's pages in their present order.
    pub(crate) fn members(&self, site: SiteId) -> &[PageId] {
        let Some(&live) = self.live.get(site.index()) else {
            return &[];
        };
        let start = self.starts[site.index()] as usize;
        &self.members[start..start + live as usize]
    }

    /// A site's pages in their present order, and where among them a page of it
    /// stands; `None` if it does not, or not there for now.
    pub(crate) fn place(&self, page: PageId, site: SiteId) -> Option<(&[PageId], usize)> {
        let members = self.members(site);
        let place = *self.position.get(page.index())? as usize;
        let place = place.checked_sub(*self.starts.get(site.index())? as usize)?;
        (members.get(place) == Some(&page)).then_some((members, place))
    }

    /// Exchanges the members at two places of a site until the next settling.
    pub(crate) fn swap(&mut self, site: SiteId, one: u32, other: u32) {
        let start = self.starts[site.index()];
        let (one, other) = (start + one, start + other);
        self.members.swap(one as usize, other as usize);
        self.swaps.push((one, other));
    }

    /// Takes a page out of its site. Swaps made before stay.
    pub(crate) fn remove(&mut self, page: PageId, site: SiteId) {
        for (one, other) in self.swaps.drain(..) {
            for place in [one, other] {
                self.position[self.members[place as usize].index()] = place;
            }
        }
        let place = self.position[page.index()];
        if place == ABSENT {
            return; // never settled: `settle` will not see it either
        }
        self.live[site.index()] -= 1;
        let last = self.starts[site.index()] + self.live[site.index()];
        self.members.swap(place as usize, last as usize);
        self.position[self.members[place as usize].index()] = place;
        self.position[page.index()] = ABSENT;
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let words = self.starts.capacity() + self.live.capacity() + self.position.capacity();
        words * size_of::<u32>()
            + self.members.capacity() * size_of::<PageId>()
            + self.swaps.capacity() * size_of::<(u32, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_page_stands_once_among_the_members_of_its_site(
            pages in proptest::collection::vec(0u32..6, 0..60),
            removed in proptest::collection::vec(0usize..60, 0..20),
            swaps in proptest::collection::vec((0u32..6, 0u32..60, 0u32..60), 0..20),
        ) {
            let mut sites = Sites::default();
            let mut site_of: Vec<Option<SiteId>> = Vec::new();
            for &site in &pages {
                sites.add();
                site_of.push(Some(SiteId(site)));
            }
            sites.settle(|page| site_of[page]);
            for (site, one, other) in swaps {
                let size = sites.size(SiteId(site));
                if size > 0 {
                    sites.swap(SiteId(site), one % size, other % size);
                }
            }
            for page in removed {
                if let Some(site) = site_of.get_mut(page).and_then(Option::take) {
                    sites.remove(PageId(page as u32), site);
                }
            }
            let settle_too = pages.len() % 2 == 0;
            if settle_too {
                sites.settle(|page| site_of[page]);
            }
            for site in 0..6 {
                let mut members: Vec<_> = sites.members(SiteId(site)).to_vec();
                members.sort();
                let expected: Vec<_> = (0..pages.len())
                    .filter(|&page| site_of[page] == Some(SiteId(site)))
                    .map(|page| PageId(page as u32))
                    .collect();
                prop_assert_eq!(members, expected);
            }
        }

        #[test]
        fn settling_puts_swapped_members_back(
            swaps in proptest::collection::vec((0u32..3, 0u32..10, 0u32..10), 0..40),
        ) {
            let mut sites = Sites::default();
            (0..30).for_each(|_| sites.add());
            let site_of = |page: usize| Some(SiteId(page as u32 % 3));
            sites.settle(site_of);
            let before = sites.clone();
            for &(site, one, other) in &swaps {
                sites.swap(SiteId(site), one, other);
            }
            sites.settle(site_of);
            prop_assert_eq!(&sites.members, &before.members);
            prop_assert_eq!(&sites.position, &before.position);
        }
    }
}
