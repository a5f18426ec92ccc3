//! Questions about many pages: [`Question`].

use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem::Finder;
use recrawl_model::Timestamp;
use recrawl_store::Standing;

use super::pages::Pages;

/// What pages are put in order by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Url,
    Rate,
    LastVisit,
    LastChange,
    Visits,
    Changes,
    Weight,
    Added,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Rising,
    Falling,
}

/// Where a reader stopped: the last page it got and the key it was sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) key: u64,
    pub(crate) page: u32,
}

/// Which pages, in which order, and how many.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) contains: Option<String>,
    pub(crate) prefix: Option<String>,
    pub(crate) site: Option<u32>,
    pub(crate) standing: Option<Standing>,
    pub(crate) sort: Sort,
    pub(crate) direction: Direction,
    pub(crate) after: Option<Cursor>,
    pub(crate) limit: usize,
    /// Rates of sites, for those who sort by rate.
    pub(crate) rates: Arc<[f64]>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) pages: Vec<u32>,
    /// Where to go on; `None` at the end.
    pub(crate) next: Option<Cursor>,
    /// Pages that match, wherever the reader is.
    pub(crate) total: usize,
}

impl Question {
    /// Goes through the columns once and keeps the first `limit` pages after
    /// the cursor: a millisecond or two for a million pages.
    pub(crate) fn ask(&self, pages: &Pages) -> Found {
        // The place of a URL moves when pages join; the other keys are as the
        // reader saw them.
        let after = self.after.map(|cursor| match self.sort {
            Sort::Url if (cursor.page as usize) < pages.len() => Cursor {
                key: self.turned(Some(u64::from(pages.rank(cursor.page)))),
                ..cursor
            },
            _ => cursor,
        });
        let mut first = First::new(self.limit + 1, after);
        let places = self.prefix.as_ref().map(|prefix| pages.places(prefix));
        if let Some(text) = &self.contains {
            self.search(pages, text, places.as_ref(), &mut first);
        } else {
            self.offer(pages, 0..pages.len() as u32, places.as_ref(), &mut first);
        }
        first.found(self.limit)
    }

    /// Offers pages that match, with a loop of its own for each sort: what a
    /// page is sorted by is most of the work.
    fn offer(
        &self,
        pages: &Pages,
        some: Range<u32>,
        places: Option<&Range<u32>>,
        first: &mut First,
    ) {
        match self.sort {
            Sort::Url => self.offer_by(pages, some, places, first, |page| {
                Some(u64::from(pages.rank(page as u32)))
            }),
            Sort::Rate => self.offer_by(pages, some, places, first, |page| {
                self.rate(pages, page).map(real)
            }),
            Sort::LastVisit => self.offer_by(pages, some, places, first, |page| {
                pages.last_visit[page].map(time)
            }),
            Sort::LastChange => self.offer_by(pages, some, places, first, |page| {
                pages.last_change[page].map(time)
            }),
            Sort::Visits => self.offer_by(pages, some, places, first, |page| {
                Some(u64::from(pages.visits[page]))
            }),
            Sort::Changes => self.offer_by(pages, some, places, first, |page| {
                Some(u64::from(pages.changes[page]))
            }),
            Sort::Weight => self.offer_by(pages, some, places, first, |page| {
                Some(real(pages.weight[page].get()))
            }),
            Sort::Added => self.offer_by(pages, some, places, first, |page| {
                Some(time(pages.added[page]))
            }),
        }
    }

    fn offer_by(
        &self,
        pages: &Pages,
        some: Range<u32>,
        places: Option<&Range<u32>>,
        first: &mut First,
        known: impl Fn(usize) -> Option<u64>,
    ) {
        let narrow = self.site.is_some() || self.standing.is_some() || places.is_some();
        for page in some {
            if !narrow || self.matches(pages, page, places) {
                first.offer(self.turned(known(page as usize)), page);
            }
        }
    }

    /// A number that sorts as the answer does: what is not known comes last
    /// either way.
    fn turned(&self, known: Option<u64>) -> u64 {
        match (known, self.direction) {
            (None, _) => u64::MAX,
            (Some(key), Direction::Rising) => key,
            (Some(key), Direction::Falling) => u64::MAX - 1 - key,
        }
    }

    /// Searches all URLs as one text; a hit belongs to the URL it begins in.
    fn search(&self, pages: &Pages, text: &str, places: Option<&Range<u32>>, first: &mut First) {
        let finder = Finder::new(text);
        let bytes = pages.urls.text().as_bytes();
        let (mut page, mut from) = (0_u32, 0);
        while let Some(offset) = finder.find(&bytes[from..]) {
            let at = from + offset;
            page = url_at(pages, page, at);
            let range = pages.urls.range(page as usize);
            if at + text.len() > range.end {
                from = at + 1; // over the end of a URL
                continue;
            }
            self.offer(pages, page..page + 1, places, first);
            from = range.end;
        }
    }

    fn matches(&self, pages: &Pages, page: u32, places: Option<&Range<u32>>) -> bool {
        let index = page as usize;
        self.site.is_none_or(|site| pages.site[index] == site)
            && self
                .standing
                .is_none_or(|standing| pages.standing[index] == standing)
            && places.is_none_or(|places| self.begins(pages, page, places))
    }

    fn begins(&self, pages: &Pages, page: u32, places: &Range<u32>) -> bool {
        let sorted = pages.len() - pages.unsorted();
        if (page as usize) < sorted {
            return places.contains(&pages.rank(page));
        }
        let url = pages.urls.get(page as usize);
        self.prefix
            .as_ref()
            .is_none_or(|prefix| url.starts_with(prefix.as_str()))
    }

    /// The rate of a page whose own visits say something.
    fn rate(&self, pages: &Pages, page: usize) -> Option<f64> {
        let learned = pages.learned[page];
        let of_site = self.rates.get(pages.site[page] as usize)?;
        learned
            .is_something()
            .then(|| learned.with(*of_site).mean())
    }
}

/// Not negative, so that its bits sort as it does.
fn real(value: f64) -> u64 {
    value.to_bits()
}

fn time(at: Timestamp) -> u64 {
    (at.micros() as u64 ^ (1 << 63)) >> 1
}

/// The page whose URL holds byte `at` of all URLs, `from` or one after it.
fn url_at(pages: &Pages, from: u32, at: usize) -> u32 {
    let (mut low, mut high) = (from, pages.len() as u32);
    while low < high {
        let middle = low + (high - low) / 2;
        if pages.urls.range(middle as usize).end <= at {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The first few of many keys.
struct First {
    most: usize,
    after: Option<(u64, u32)>,
    heap: BinaryHeap<(u64, u32)>,
    /// The last of them once there are enough: what comes after it is late.
    last: (u64, u32),
    total: usize,
}

impl First {
    fn new(most: usize, after: Option<Cursor>) -> Self {
        Self {
            most,
            after: after.map(|cursor| (cursor.key, cursor.page)),
            heap: BinaryHeap::with_capacity(most + 1),
            last: (u64::MAX, u32::MAX),
            total: 0,
        }
    }

    fn offer(&mut self, key: u64, page: u32) {
        self.total += 1;
        let entry = (key, page);
        if entry > self.last || self.after.is_some_and(|after| entry <= after) {
            return;
        }
        self.heap.push(entry);
        if self.heap.len() > self.most {
            self.heap.pop();
        }
        if self.heap.len() == self.most {
            self.last = self.heap.peek().copied().unwrap_or(self.last);
        }
    }

    fn found(self, limit: usize) -> Found {
        let mut entries = self.heap.into_sorted_vec();
        let more = entries.len() > limit;
        entries.truncate(limit);
        let last = entries.last().filter(|_| more);
        Found {
            next: last.map(|&(key, page)| Cursor { key, page }),
            pages: entries.into_iter().map(|(_, page)| page).collect(),
            total: self.total,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use recrawl_model::{Outcome, Weight};

    fn question(sort: Sort, direction: Direction) -> Question {
        Question {
            contains: None,
            prefix: None,
            site: None,
            standing: None,
            sort,
            direction,
            after: None,
            limit: 4,
            rates: Arc::from([1.0, 1.0, 1.0]),
        }
    }

    fn pages(urls: &[String], sorted: usize) -> Pages {
        let mut pages = Pages::default();
        for (number, url) in urls.iter().enumerate() {
            let weight = Weight::new((number % 3) as f64).expect("a weight");
            pages.add(url, (number % 3) as u32, weight, Timestamp::from_seconds(0));
            if number % 2 == 0 {
                let at = Timestamp::from_seconds((number / 4) as i64);
                pages.observe(number, at, Outcome::First);
            }
            if number + 1 == sorted {
                pages.sort();
            }
        }
        pages
    }

    /// All pages a question finds, part by part.
    fn all(question: &Question, pages: &Pages) -> Vec<u32> {
        let mut question = question.clone();
        let mut met = Vec::new();
        loop {
            let found = question.ask(pages);
            met.extend(&found.pages);
            if found.next.is_none() {
                return met;
            }
            question.after = found.next;
        }
    }

    proptest! {
        #[test]
        fn parts_together_are_what_sorting_and_filtering_one_by_one_gives(
            urls in prop::collection::vec("[abé]{0,4}", 1..40),
            sorted in 0_usize..40,
            text in "[abé]{1,2}",
            site in prop::option::of(0_u32..3),
            falling in any::<bool>(),
        ) {
            let pages = pages(&urls, sorted);
            let direction = if falling { Direction::Falling } else { Direction::Rising };
            for sort in [Sort::LastVisit, Sort::Weight, Sort::Visits] {
                for by_prefix in [false, true] {
                    let mut question = question(sort, direction);
                    question.site = site;
                    question.prefix = by_prefix.then(|| text.clone());
                    question.contains = (!by_prefix).then(|| text.clone());
                    let mut wanted: Vec<u32> = (0..urls.len() as u32)
                        .filter(|&page| {
                            let url = &urls[page as usize];
                            site.is_none_or(|site| page % 3 == site)
                                && if by_prefix { url.starts_with(&text) } else { url.contains(&text) }
                        })
                        .collect();
                    let key = |page: u32| {
                        let mut only = First::new(1, None);
                        let all = Question { site: None, ..question.clone() };
                        all.offer(&pages, page..page + 1, None, &mut only);
                        only.heap.peek().map(|&(key, _)| key)
                    };
                    wanted.sort_by_key(|&page| (key(page), page));
                    prop_assert_eq!(&all(&question, &pages), &wanted);
                    prop_assert_eq!(question.ask(&pages).total, wanted.len());
                }
            }
        }

        #[test]
        fn urls_are_in_order_once_they_are_sorted(
            urls in prop::collection::vec("[abé]{0,4}", 1..40),
        ) {
            let pages = pages(&urls, urls.len());
            let met = all(&question(Sort::Url, Direction::Rising), &pages);
            let names: Vec<&String> = met.iter().map(|&page| &urls[page as usize]).collect();
            prop_assert!(names.is_sorted());
            let mut back = all(&question(Sort::Url, Direction::Falling), &pages);
            back.reverse();
            prop_assert_eq!(back, met);
            for (number, url) in urls.iter().enumerate() {
                let found = pages.find(url).expect("it is there");
                prop_assert_eq!(&urls[found.index()], &urls[number]);
            }
        }
    }
}
