//! What visits tell while a cycle runs.

use std::hint::black_box;

use recrawl_model::{Outcome, PageId, SiteId, Timestamp};

use super::{AHEAD, Knowledge, Pending};
use crate::bayes::followed::Followed;
use crate::bayes::neighbours::Around;
use crate::{Collection, Seen};

impl Knowledge {
    /// Hears what visits taught, before the summaries take it in.
    pub(in crate::bayes) fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        self.grow_pages(collection.slots());
        let outcomes = seen.outcomes.chunks(AHEAD);
        for (pages, outcomes) in seen.pages.chunks(AHEAD).zip(outcomes) {
            if pages.len() > 1 {
                for &page in pages {
                    black_box(collection.summary(page).site()); // as in ask_memory
                }
            }
            let before = self.pending.len();
            for (&page, &outcome) in pages.iter().zip(outcomes) {
                self.hear(collection, seen, page, outcome);
            }
            self.look(before);
        }
    }

    /// Hears what a visit taught.
    fn hear(&mut self, collection: &Collection, seen: &Seen<'_>, page: PageId, outcome: Outcome) {
        let summary = collection.summary(page);
        let changed = match outcome {
            Outcome::Changed => true,
            Outcome::Unchanged => false,
            Outcome::First => {
                self.hints.visited(page, summary.site(), None);
                return;
            }
            Outcome::Unknown => return,
        };
        self.hints.visited(page, summary.site(), Some(changed));
        let Some(from) = summary.last().filter(|&from| from < seen.at) else {
            return; // the first visit, whatever it says
        };
        self.latest = self.latest.max(Some(seen.at));
        let date = seen.last_modified.filter(|_| seen.pages.len() == 1);
        let date = date.and_then(|date| {
            let interval = [from, seen.at];
            self.dates.heard(summary.site(), date, interval, changed)
        });
        if let Some(date) = date {
            self.pending_dates.push((self.pending.len(), date));
        }
        let around = if self.neighbours.compares_next() {
            Around::of(collection, page, from, seen.at)
        } else {
            Around::UNASKED
        };
        if self.neighbours.is_heeded() {
            self.stirred.push((page, changed));
        }
        self.pending.push(Pending {
            page,
            site: summary.site(),
            from,
            until: seen.at,
            changed,
            quiet: summary.quiet(),
            around,
            told: 1.0,
        });
    }

    /// Tells the sites of the last intervals, from that one on, how busy they are.
    /// There are at most [`AHEAD`].
    fn look(&mut self, first: usize) {
        let mut looks = 0;
        let mut visits = [0; AHEAD];
        for index in first..self.pending.len() {
            let interval = &self.pending[index];
            let Some(site) = self.site(interval.site) else {
                continue; // before the first cycle
            };
            let quiet = self.telling(site, interval.quiet);
            let tells = site.is_curious() || interval.around.is_asked();
            let (prior, page) = (site.prior(), interval.page);
            self.pending[index].quiet = quiet;
            if tells {
                let evidence = self.evidence[page.index()];
                self.beliefs.set(looks, prior, evidence);
                visits[looks] = index;
                looks += 1;
            }
        }
        self.beliefs.reckon(looks);
        for (at, &index) in visits[..looks].iter().enumerate() {
            let interval = &self.pending[index];
            let site = Followed::new(&self.sites[interval.site.index()], &self.activities);
            let recency = self.recency_of(interval.quiet, interval.from, interval.until);
            let wait = site.wait(&self.calendar, interval.from, interval.until);
            let wait = wait.times(recency);
            let (place, days) = (site.place(), wait.days(site.busy()));
            let Some(belief) = self.beliefs.at(at) else {
                continue;
            };
            let mut told = 1.0;
            let Pending {
                around, changed, ..
            } = *interval;
            if around.is_asked() {
                let expected = belief.mean() * days;
                told = self.neighbours.factor(around, expected as f32);
                let chance = |times| belief.change_probability(days * times);
                self.neighbours.learn(around, expected, changed, chance);
            }
            let (wait, id, page) = (wait.times(told), interval.site, interval.page);
            self.pending[index].told = told;
            if let Some(place) = place {
                let activity = &mut self.activities[place];
                activity.sentinel = Some(page);
                if activity.is_curious() && activity.look(belief, wait.past, wait.open, changed) {
                    self.news.push(id);
                }
            }
        }
    }

    /// What the pages next to a page show that was last seen at `from`.
    #[inline]
    pub(in crate::bayes) fn around(
        &self,
        collection: &Collection,
        page: PageId,
        from: Timestamp,
        now: Timestamp,
    ) -> Around {
        if self.neighbours.is_heeded() {
            Around::of(collection, page, from, now)
        } else {
            Around::UNASKED
        }
    }

    /// Pages visited since this was asked, and whether they had changed, where that
    /// may tell of those next to them.
    pub(in crate::bayes) fn take_stirred(&mut self) -> Vec<(PageId, bool)> {
        std::mem::take(&mut self.stirred)
    }

    /// Draws the conclusions from looks; tells each site looked at, with how
    /// busy it was believed to be before.
    pub(in crate::bayes) fn conclude(&mut self, mut tell: impl FnMut(SiteId, f64)) {
        let collection = self.of_collection();
        let end = self.calendar.len() - 1;
        let mut news = std::mem::take(&mut self.news);
        for id in news.drain(..) {
            let site = &self.sites[id.index()];
            let known = collection.known(site);
            if let Some(place) = site.place() {
                let activity = &mut self.activities[place];
                let before = activity.mean();
                let cycles = (end - activity.since()) as u32;
                if activity.refresh(cycles, known) {
                    tell(id, before);
                }
            }
        }
        self.news = news;
    }
}
