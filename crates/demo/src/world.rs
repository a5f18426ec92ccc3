//! The synthetic web of the demo: [`World`], whose truth is known.

use std::sync::{Mutex, PoisonError};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::law::{Law, exponential};

/// What is special about a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Tells the truth about `Last-Modified` and sends an `ETag`.
    Honest,
    /// Claims at every visit that it was modified just now.
    Lying,
    /// Shows another advertisement, a clock and a counter at every visit.
    Advertising,
    /// Its pages die, one after the other.
    Dying,
    /// Serves JSON whose keys come in any order.
    Json,
    /// Serves feeds.
    Feed,
}

/// A site: pages with a common name and manner.
#[derive(Debug, Clone)]
pub struct Site {
    /// Its host name.
    pub host: String,
    /// One line on what it does.
    pub about: &'static str,
    /// What is special about it.
    pub manner: Manner,
    /// Numbers of its pages.
    pub pages: std::ops::Range<usize>,
    /// Changes of many pages at once: how often a day, and which share.
    burst: Option<(f64, f64)>,
}

/// Pages on sites, each with a law of its own. Time is counted in days since
/// the world began.
#[derive(Debug)]
pub struct World {
    sites: Vec<Site>,
    pages: Vec<Mutex<Page>>,
    laws: Vec<Law>,
    site_of: Vec<usize>,
}

/// How far ahead a page's changes are drawn.
const AHEAD: f64 = 64.0;

#[derive(Debug)]
struct Page {
    chance: Pcg64Mcg,
    /// The site's own chance, the same for all its pages.
    bursts: Pcg64Mcg,
    changes: Vec<f64>,
    drawn_until: f64,
    last_burst: f64,
    dies: f64,
}

/// What a page is like at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// How many times it has changed.
    pub version: usize,
    /// When it last did, in days; the beginning if never.
    pub changed: f64,
    /// Whether it is gone.
    pub gone: bool,
}

/// Sites of the demo: host, what it does, manner, rates of its pages from
/// slowest to fastest, bursts a day and the share they strike.
type Plan = (&'static str, &'static str, Manner, Kind, Option<(f64, f64)>);

#[derive(Debug, Clone, Copy)]
enum Kind {
    Still,
    Steady(f64, f64),
    Daytime(f64, f64),
    Regular(f64),
}

const SITES: [Plan; 12] = [
    (
        "archive",
        "never changes",
        Manner::Honest,
        Kind::Still,
        None,
    ),
    (
        "docs",
        "seldom, then many pages at once",
        Manner::Honest,
        Kind::Steady(0.002, 0.01),
        Some((0.06, 0.6)),
    ),
    (
        "terms",
        "slow and steady",
        Manner::Honest,
        Kind::Steady(0.005, 0.05),
        None,
    ),
    (
        "blog",
        "a few pages a week",
        Manner::Honest,
        Kind::Steady(0.02, 0.2),
        None,
    ),
    (
        "shop",
        "prices, some fast, most slow",
        Manner::Honest,
        Kind::Steady(0.01, 1.5),
        None,
    ),
    (
        "news",
        "in working hours",
        Manner::Honest,
        Kind::Daytime(0.2, 2.0),
        None,
    ),
    (
        "bulletin",
        "feeds, every tenth day on the beat",
        Manner::Feed,
        Kind::Regular(10.0),
        None,
    ),
    (
        "forum",
        "lively",
        Manner::Honest,
        Kind::Steady(0.1, 1.0),
        None,
    ),
    (
        "liar",
        "says it was just modified, always",
        Manner::Lying,
        Kind::Steady(0.005, 0.1),
        None,
    ),
    (
        "adverts",
        "another advertisement each time",
        Manner::Advertising,
        Kind::Steady(0.01, 0.1),
        None,
    ),
    (
        "fading",
        "its pages die",
        Manner::Dying,
        Kind::Steady(0.02, 0.3),
        None,
    ),
    (
        "api",
        "JSON, keys in any order",
        Manner::Json,
        Kind::Steady(0.02, 0.5),
        None,
    ),
];

/// Pages of each site.
const PAGES_A_SITE: usize = 25;

impl World {
    /// The same world for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut chance = Pcg64Mcg::seed_from_u64(seed);
        let mut world = Self {
            sites: Vec::new(),
            pages: Vec::new(),
            laws: Vec::new(),
            site_of: Vec::new(),
        };
        for (number, (name, about, manner, kind, burst)) in SITES.into_iter().enumerate() {
            let first = world.pages.len();
            let site_seed: u64 = chance.random();
            for place in 0..PAGES_A_SITE {
                let law = law_of(kind, place as f64 / (PAGES_A_SITE - 1) as f64, &mut chance);
                let dies = match manner {
                    Manner::Dying => exponential(0.02, &mut chance),
                    _ => f64::INFINITY,
                };
                world.laws.push(law);
                world.site_of.push(number);
                world.pages.push(Mutex::new(Page {
                    chance: Pcg64Mcg::seed_from_u64(chance.random()),
                    bursts: Pcg64Mcg::seed_from_u64(site_seed),
                    changes: Vec::new(),
                    drawn_until: 0.0,
                    last_burst: 0.0,
                    dies,
                }));
            }
            world.sites.push(Site {
                host: format!("{name}.demo.test"),
                about,
                manner,
                pages: first..world.pages.len(),
                burst,
            });
        }
        world
    }

    /// The sites.
    #[must_use]
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// How many pages there are.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// The site of a page.
    #[must_use]
    pub fn site(&self, page: usize) -> &Site {
        &self.sites[self.site_of[page]]
    }

    /// How often a page changes in the long run, a day, bursts included.
    #[must_use]
    pub fn rate(&self, page: usize) -> f64 {
        let burst = self.site(page).burst;
        self.laws[page].rate() + burst.map_or(0.0, |(rate, share)| rate * share)
    }

    /// What a page is like at `day`.
    #[must_use]
    pub fn state(&self, page: usize, day: f64) -> State {
        let entry = self.drawn(page, day);
        let version = entry.changes.partition_point(|&change| change <= day);
        State {
            version,
            changed: version
                .checked_sub(1)
                .map_or(0.0, |last| entry.changes[last]),
            gone: entry.dies <= day,
        }
    }

    /// Changes of all pages up to `day`, those after a page's death left out.
    #[must_use]
    pub fn changes_until(&self, day: f64) -> u64 {
        let each = (0..self.pages()).map(|page| {
            let entry = self.drawn(page, day);
            let end = day.min(entry.dies);
            entry.changes.partition_point(|&change| change <= end) as u64
        });
        each.sum()
    }

    /// The page with its changes drawn at least up to `day`.
    fn drawn(&self, page: usize, day: f64) -> std::sync::MutexGuard<'_, Page> {
        let mut entry = self.pages[page]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        while entry.drawn_until <= day {
            let from = entry.drawn_until;
            entry.draw(self.laws[page], self.site(page).burst, from + AHEAD);
        }
        entry
    }
}

impl Page {
    /// Draws the changes up to `until`: the page's own, and those that strike
    /// its site.
    fn draw(&mut self, law: Law, burst: Option<(f64, f64)>, until: f64) {
        let from = self.drawn_until;
        let mut fresh = Vec::new();
        let mut at = from;
        loop {
            at = law.next(at, &mut self.chance);
            if at > until {
                break;
            }
            fresh.push(at);
        }
        if let Some((rate, share)) = burst {
            while self.last_burst <= until {
                if self.last_burst > from && self.chance.random::<f64>() < share {
                    fresh.push(self.last_burst);
                }
                self.last_burst += exponential(rate, &mut self.bursts);
            }
        }
        fresh.sort_by(f64::total_cmp);
        self.changes.extend(fresh);
        self.drawn_until = until;
    }
}

/// The law of a page at `place` (0 to 1) between a site's slowest and fastest.
fn law_of(kind: Kind, place: f64, chance: &mut Pcg64Mcg) -> Law {
    let between = |slow: f64, fast: f64| slow * (fast / slow).powf(place);
    match kind {
        Kind::Still => Law::Still,
        Kind::Steady(slow, fast) => Law::Steady {
            rate: between(slow, fast),
        },
        Kind::Daytime(slow, fast) => Law::Daytime {
            rate: between(slow, fast),
        },
        Kind::Regular(every) => Law::Regular {
            every,
            from: chance.random::<f64>() * every,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_change_as_often_as_they_say() {
        let world = World::new(3);
        for site in world
            .sites()
            .iter()
            .filter(|site| site.manner != Manner::Dying)
        {
            let rate: f64 = site.pages.clone().map(|page| world.rate(page)).sum();
            let changes: usize = site
                .pages
                .clone()
                .map(|page| world.state(page, 20_000.0).version)
                .sum();
            let seen = changes as f64 / 20_000.0;
            assert!(
                (seen - rate).abs() <= 0.1 * rate,
                "{}: {seen} {rate}",
                site.host
            );
        }
    }

    #[test]
    fn looking_earlier_or_later_makes_no_difference() {
        let (one, other) = (World::new(5), World::new(5));
        for page in 0..one.pages() {
            let steps: Vec<State> = (0..40)
                .map(|step| one.state(page, f64::from(step) * 9.0))
                .collect();
            for (step, state) in steps.iter().enumerate().rev() {
                assert_eq!(other.state(page, step as f64 * 9.0), *state);
            }
        }
        assert_eq!(one.changes_until(100.0), other.changes_until(100.0));
    }

    #[test]
    fn a_burst_strikes_many_pages_of_its_site_at_one_moment() {
        let world = World::new(2);
        let docs = &world.sites()[1];
        let last: Vec<f64> = docs
            .pages
            .clone()
            .map(|page| world.state(page, 500.0).changed)
            .collect();
        let most = last
            .iter()
            .map(|at| last.iter().filter(|other| *other == at).count())
            .max();
        assert!(most >= Some(5), "{last:?}");
    }
}
