//! A log of observations as a world: [`DrawnWorlds`].

use rand_distr::{Distribution, Exp1};
use rand_pcg::Pcg64Mcg;
use recrawl_estimate::{Evidence, cho_rate};
use recrawl_model::{HistorySet, Interval, Outcome, PageId, Timestamp, from_days};

use crate::synthetic::unit;
use crate::{Histories, HistoriesError, PageLife};

/// Turns what visits saw into worlds that visits would have seen so. A log says
/// between which visits a page changed, not when; the times are drawn, so that
/// each draw is another world and scores have an interval over draws.
///
/// In an interval that saw a change, updates follow a Poisson process at the
/// page's rate by `cho`, given that there was one at least; where the source
/// told a last-modified time inside the interval, the last of them is there. A
/// page joins at its first observation and leaves when the log would have
/// looked again: its longest interval after its last observation, within the log.
#[derive(Debug)]
pub struct DrawnWorlds<'a> {
    set: &'a HistorySet,
    sites: Vec<u32>,
    /// Changes a day.
    rates: Vec<f64>,
    /// The last observation of any page.
    end: Option<Timestamp>,
}

/// What the visits of the log themselves came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LoggedVisits {
    /// Observations that tell something, first ones included.
    pub visits: u64,
    /// Those that saw a change.
    pub changed: u64,
}

impl<'a> DrawnWorlds<'a> {
    /// Fits the law of every page.
    #[must_use]
    pub fn new(set: &'a HistorySet) -> Self {
        let mut sites = vec![0; set.len()];
        for (site, (_, pages)) in (0..).zip(set.sites()) {
            for page in pages {
                sites[page.index()] = site;
            }
        }
        let rate = |page| cho_rate(&Evidence::of(&[set.history(page)])).unwrap_or(0.0);
        Self {
            set,
            sites,
            rates: set.pages().map(rate).collect(),
            end: set
                .pages()
                .flat_map(|page| set.history(page).observations())
                .map(|seen| seen.at)
                .max(),
        }
    }

    /// Times of the first and the last observation of the log; `None` without
    /// any.
    #[must_use]
    pub fn span(&self) -> Option<(Timestamp, Timestamp)> {
        let pages = self.set.pages();
        let times = pages.flat_map(|page| self.set.history(page).observations());
        let first = times.map(|seen| seen.at).min()?;
        Some((first, self.end?))
    }

    /// What the visits of the log after `start` came to.
    #[must_use]
    pub fn logged(&self, start: Timestamp) -> LoggedVisits {
        let mut logged = LoggedVisits::default();
        for page in self.set.pages() {
            let seen = self.set.history(page).observations();
            for seen in seen.filter(|seen| seen.at > start) {
                logged.visits += u64::from(seen.outcome != Outcome::Unknown);
                logged.changed += u64::from(seen.outcome == Outcome::Changed);
            }
        }
        logged
    }

    /// Draws one world.
    ///
    /// # Errors
    /// [`HistoriesError`] if the log's times are too close to draw between.
    pub fn draw(&self, seed: u64) -> Result<Histories, HistoriesError> {
        let mut rng = Pcg64Mcg::new(u128::from(seed) << 64 | 0x2545_f491_4f6c_dd1d);
        let mut histories = Histories::new();
        let mut updates = Vec::new();
        for page in self.set.pages() {
            let history = self.set.history(page);
            let told = |seen: &recrawl_model::Observation| seen.outcome != Outcome::Unknown;
            let Some(first) = history.observations().find(told) else {
                continue; // a page nobody ever saw has no life
            };
            let last = history.observations().filter(told).last();
            updates.clear();
            for interval in history.intervals().filter(|interval| interval.changed) {
                let rate = self.rates[page.index()];
                draw_updates(&interval, rate, &mut rng, &mut updates);
            }
            let life = PageLife {
                site: self.sites[page.index()],
                born: first.at,
                died: None,
                watched_until: last.map(|seen| self.leaves(page, seen.at)),
                weight: self.set.weight(page),
                bytes: None,
            };
            histories.push(life, &updates)?;
        }
        Ok(histories)
    }

    fn leaves(&self, page: PageId, last: Timestamp) -> Timestamp {
        let intervals = self.set.history(page).intervals();
        let longest = intervals
            .map(|interval| interval.end.since(interval.start))
            .max();
        let again = last.after(longest.unwrap_or_default());
        self.end.map_or(again, |end| again.min(end))
    }

    /// The page's rate in changes a day.
    #[must_use]
    pub fn daily_rate(&self, page: PageId) -> f64 {
        self.rates[page.index()]
    }
}

/// Updates of one interval that saw a change, in (start, end].
fn draw_updates(interval: &Interval, rate: f64, rng: &mut Pcg64Mcg, updates: &mut Vec<Timestamp>) {
    let dated = interval
        .last_modified
        .filter(|&at| at > interval.start && at <= interval.end);
    let end = dated.unwrap_or(interval.end);
    let length = end.days_since(interval.start);
    let mut at = match dated {
        Some(_) => exponential(rate, rng),
        // Given a change within the length: the exponential law, cut off there.
        None => -(unit(rng) * (-rate * length).exp_m1()).ln_1p() / rate,
    };
    let before = updates.len();
    while at < length {
        let moment = from_days(at).map_or(end, |span| interval.start.after(span));
        if moment > *updates.last().unwrap_or(&interval.start) && moment < end {
            updates.push(moment);
        }
        at += exponential(rate, rng);
    }
    if dated.is_some() || updates.len() == before {
        updates.push(end);
    }
}

fn exponential(rate: f64, rng: &mut Pcg64Mcg) -> f64 {
    let unit: f64 = Exp1.sample(rng);
    unit / rate
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: i64) -> Timestamp {
        Timestamp::from_seconds(day * 86_400)
    }

    fn interval(last_modified: Option<Timestamp>) -> Interval {
        Interval {
            start: day(10),
            end: day(12),
            changed: true,
            last_modified,
        }
    }

    #[test]
    fn drawn_updates_follow_the_fitted_law_given_one_at_least() {
        // Rate .5 over 2 days: mean number x/(1 - exp(-x)) = 1.582 at x = 1;
        // the first, in units of the interval, has mean 1/x - 1/(e^x - 1) = .418.
        let mut rng = Pcg64Mcg::new(4);
        let (mut total, mut first) = (0, 0.0);
        for _ in 0..20_000 {
            let mut updates = Vec::new();
            draw_updates(&interval(None), 0.5, &mut rng, &mut updates);
            assert!(updates.iter().all(|&at| at > day(10) && at <= day(12)));
            assert!(updates.is_sorted());
            total += updates.len();
            first += updates[0].days_since(day(10)) / 2.0;
        }
        assert!((f64::from(total as u32) / 20_000.0 - 1.582).abs() < 0.02);
        assert!((first / 20_000.0 - 0.418).abs() < 0.008);
    }

    #[test]
    fn a_told_date_is_the_last_update() {
        let mut rng = Pcg64Mcg::new(5);
        for _ in 0..100 {
            let mut updates = Vec::new();
            draw_updates(&interval(Some(day(11))), 3.0, &mut rng, &mut updates);
            assert_eq!(updates.last(), Some(&day(11)));
        }
    }
}
