//! What can be expected of all copies now: [`Pulse`].

use std::ops::Deref;
use std::sync::Arc;

use recrawl_estimate::{Belief, pooled_rates};
use recrawl_model::Timestamp;
use recrawl_store::Standing;

use crate::view::View;

/// Standard errors to either side that hold 95 %.
const HALF_WIDTH: f64 = 1.959_963_985;

/// Pages that histories of freshness are made from at most, evenly chosen.
const MOST_SAMPLED: usize = 20_000;

/// Pages gone through in one stretch: a few milliseconds.
const STRETCH: usize = 1 << 15;

/// A mean with the interval it is in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Sums over pages of one site, or of all.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(crate) pages: u64,
    /// Of these, those that were ever seen: the others have no copy to grow old.
    seen: u64,
    pub(crate) fresh: f64,
    fresh_variance: f64,
    age: f64,
    age_variance: f64,
    pub(crate) undetected: f64,
    undetected_variance: f64,
    rate: f64,
}

/// What can be expected of the copies of all watched pages at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Pulse {
    pub(crate) at: Timestamp,
    pub(crate) all: Sums,
    /// By site number.
    pub(crate) sites: Vec<Sums>,
    /// Rates of sites, changes a day of a page: what is believed of a page
    /// before its own visits say something.
    pub(crate) rates: Arc<[f64]>,
}

/// Expected freshness and age at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) at: Timestamp,
    pub(crate) freshness: Interval,
    pub(crate) age: f64,
}

impl Pulse {
    /// Goes through all pages, in stretches: between them whoever writes to the
    /// view, and who waits behind it, gets a turn.
    pub(crate) fn take<V: Deref<Target = View>>(view: impl Fn() -> V, now: Timestamp) -> Self {
        let rates = site_rates(&view());
        let mut sites = vec![Sums::default(); rates.len()];
        let mut first = 0;
        loop {
            let view = view();
            let pages = &view.pages;
            let end = pages.len().min(first + STRETCH);
            for page in first..end {
                let site = pages.site[page] as usize;
                // A site that joined meanwhile comes next time.
                if pages.standing[page] == Standing::Watched
                    && let Some(sums) = sites.get_mut(site)
                {
                    let belief = pages.learned[page].with(rates[site]);
                    let unseen = pages.last_seen[page];
                    let unseen = unseen.map(|seen| now.days_since(seen).max(0.0));
                    sums.count(unseen, belief);
                }
            }
            first = end;
            if first == pages.len() {
                break;
            }
        }
        let mut all = Sums::default();
        for site in &sites {
            all.add(site);
        }
        Self {
            at: now,
            all,
            sites,
            rates,
        }
    }

    /// The same at moments past, from when each page was last seen before them,
    /// by what is believed of its rate now.
    pub(crate) fn history(&self, view: &View, moments: &[Timestamp]) -> Vec<Moment> {
        let pages = &view.pages;
        let step = pages.len().div_ceil(MOST_SAMPLED).max(1);
        let mut sums = vec![Sums::default(); moments.len()];
        for page in (0..pages.len()).step_by(step) {
            if pages.standing[page] != Standing::Watched {
                continue;
            }
            let Some(&of_site) = self.rates.get(pages.site[page] as usize) else {
                continue; // the site joined after the pulse was taken
            };
            let belief = pages.learned[page].with(of_site);
            let mut seen = view
                .observations
                .chain(pages.newest[page])
                .filter(|(_, kept)| kept.outcome != recrawl_model::Outcome::Unknown)
                .map(|(_, kept)| kept.at)
                .peekable();
            for (&at, sum) in moments.iter().zip(&mut sums).rev() {
                while seen.next_if(|&last| last > at).is_some() {}
                let known = pages.added[page] <= at || seen.peek().is_some();
                if known {
                    let unseen = seen.peek().map(|&last| at.days_since(last));
                    sum.count(unseen, belief);
                }
            }
        }
        let moments = moments.iter().zip(sums).filter(|(_, sum)| sum.pages > 0);
        moments
            .filter_map(|(&at, sum)| {
                let scale = if step > 1 { Some(pages.len()) } else { None };
                Some(Moment {
                    at,
                    freshness: sum.freshness_of(scale)?,
                    age: sum.age().map_or(0.0, |age| age.value),
                })
            })
            .collect()
    }
}

impl Sums {
    /// Counts a page seen `unseen` days ago; never seen, its copy is not fresh
    /// and has no age.
    fn count(&mut self, unseen: Option<f64>, belief: Belief) {
        self.pages += 1;
        self.rate += belief.mean();
        let Some(days) = unseen else {
            return;
        };
        let expected = belief.expect(days);
        self.seen += 1;
        self.fresh += expected.fresh;
        self.fresh_variance += expected.fresh * (1.0 - expected.fresh);
        self.age += expected.age;
        // An age is between nothing and the time unseen.
        self.age_variance += expected.age * (days - expected.age).max(0.0);
        self.undetected += expected.undetected;
        // Counts by a gamma law of rates: mean m has variance m + m²/shape.
        let spread = expected.undetected * expected.undetected / belief.shape();
        self.undetected_variance += expected.undetected + spread;
    }

    fn add(&mut self, other: &Self) {
        self.pages += other.pages;
        self.seen += other.seen;
        self.fresh += other.fresh;
        self.fresh_variance += other.fresh_variance;
        self.age += other.age;
        self.age_variance += other.age_variance;
        self.undetected += other.undetected;
        self.undetected_variance += other.undetected_variance;
        self.rate += other.rate;
    }

    /// Share of copies up to date. The interval holds the true share with 95 %,
    /// if pages change independently of each other.
    pub(crate) fn freshness(&self) -> Option<Interval> {
        self.freshness_of(None)
    }

    /// As [`Self::freshness`] where only some of `pages` pages were counted.
    fn freshness_of(&self, pages: Option<usize>) -> Option<Interval> {
        let count = (self.pages > 0).then_some(self.pages as f64)?;
        let value = self.fresh / count;
        let of_pages = self.fresh_variance / (count * count);
        // Of a sample, the spread between pages comes on top.
        let of_sample = pages.map_or(0.0, |_| value * (1.0 - value) / count);
        let half = HALF_WIDTH * (of_pages + of_sample).sqrt();
        Some(Interval {
            value,
            low: (value - half).max(0.0),
            high: (value + half).min(1.0),
        })
    }

    /// Mean days for which copies have been out of date; the interval is at
    /// least as wide as one that holds 95 %.
    pub(crate) fn age(&self) -> Option<Interval> {
        let count = (self.seen > 0).then_some(self.seen as f64)?;
        Some(around(self.age / count, self.age_variance.sqrt() / count))
    }

    /// Changes nobody has seen yet.
    pub(crate) fn undetected(&self) -> Option<Interval> {
        (self.pages > 0).then(|| around(self.undetected, self.undetected_variance.sqrt()))
    }

    /// Mean rate of the pages, changes a day.
    pub(crate) fn rate(&self) -> Option<f64> {
        (self.pages > 0).then(|| self.rate / self.pages as f64)
    }
}

fn around(value: f64, error: f64) -> Interval {
    Interval {
        value,
        low: (value - HALF_WIDTH * error).max(0.0),
        high: value + HALF_WIDTH * error,
    }
}

/// Changes a day of a page of each site.
fn site_rates(view: &View) -> Arc<[f64]> {
    let sites = view.pages.site.iter().map(|&site| site as usize);
    let pages = view.pages.learned.iter().copied().zip(sites);
    pooled_rates(pages, view.sites.len()).into()
}
