//! Rules that give every page a time when it is due: what `fixed` and the
//! rules of other crawlers share.

use std::time::Duration;

use recrawl_model::{Explanation, Outcome, PageId, Timestamp};

use crate::arguments::{Arguments, Key, PolicyError};
use crate::ranking::Ranking;
use crate::{Collection, Desk, Planner, Seen, Summary};

/// Which pages a cycle may visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spend {
    /// Due pages first, then those due next, until the budget is spent: all
    /// policies compared get the same number of downloads.
    #[default]
    All,
    /// Only pages that are due.
    Due,
}

pub(crate) const SPEND_KEY: Key = Key {
    name: "spend",
    default: "all",
    meaning: "all: due pages, then those due next; due: no page before it is due",
};

impl Spend {
    /// Takes `spend`.
    pub(crate) fn take(arguments: &mut Arguments) -> Result<Self, PolicyError> {
        arguments.choice(SPEND_KEY.name, &[("all", Self::All), ("due", Self::Due)])
    }
}

/// A visit as a rule sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visited<'a> {
    pub(crate) page: PageId,
    pub(crate) at: Timestamp,
    /// What the visit taught; the first visit of a page is `First`.
    pub(crate) outcome: Outcome,
    pub(crate) last_modified: Option<Timestamp>,
    /// What was known before the visit.
    pub(crate) summary: &'a Summary,
}

/// When a page is due next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Schedule {
    /// The interval the rule goes on from, in seconds.
    pub(crate) interval: f32,
    /// When the page is due.
    pub(crate) due: Timestamp,
}

/// A rule that turns each visit into the time of the next.
pub(crate) trait Rule: Send {
    /// The interval of a page never visited, in seconds.
    fn first_interval(&self) -> f32;

    /// The schedule after a visit; `interval` is that of the last schedule.
    fn after(&mut self, visit: &Visited<'_>, interval: f32) -> Schedule;
}

/// Seconds after a moment.
pub(crate) fn seconds_after(at: Timestamp, seconds: f64) -> Timestamp {
    let micros = (seconds * 1e6).round() as i64;
    Timestamp::from_micros(at.micros().saturating_add(micros))
}

/// Days a page never visited is overdue: more than any other.
const NEVER_VISITED: f64 = 1e6;

/// A rule at work under a budget: pages earliest due first.
pub(crate) struct DuePlanner<R> {
    rule: R,
    spend: Spend,
    intervals: Vec<f32>,
    /// Never visited: due since the beginning of time.
    due: Vec<Timestamp>,
    ranking: Ranking,
}

/// Bytes a page of a [`DuePlanner`].
pub(crate) const DUE_PAGE_BYTES: usize = size_of::<f32>() + size_of::<Timestamp>();

impl<R: Rule> DuePlanner<R> {
    pub(crate) fn new(rule: R, spend: Spend) -> Self {
        Self {
            rule,
            spend,
            intervals: Vec::new(),
            due: Vec::new(),
            ranking: Ranking::default(),
        }
    }

    fn grow(&mut self, slots: usize) {
        if slots > self.due.capacity() {
            // A quarter more, not twice as much: columns of millions of pages.
            let more = (slots - self.due.len()).max(self.due.len() / 4);
            self.due.reserve_exact(more);
            self.intervals.reserve_exact(more);
        }
        if slots > self.due.len() {
            self.intervals.resize(slots, self.rule.first_interval());
            self.due.resize(slots, Timestamp::from_micros(-i64::MAX));
        }
    }

    /// Days the page is overdue; negative before it is due.
    fn overdue(&self, page: PageId, now: Timestamp) -> f64 {
        let due = self.due.get(page.index()).copied();
        due.map_or(NEVER_VISITED, |due| now.days_since(due).min(NEVER_VISITED))
    }
}

impl<R: Rule> Planner for DuePlanner<R> {
    fn begin(&mut self, desk: &mut Desk<'_>) {
        self.grow(desk.collection().slots());
        let now = desk.now;
        let mut ranking = std::mem::take(&mut self.ranking);
        ranking.rank(desk, |_, page| {
            let overdue = self.overdue(page, now);
            (self.spend == Spend::All || overdue >= 0.0).then_some(overdue)
        });
        self.ranking = ranking;
    }

    fn next(&mut self, desk: &mut Desk<'_>) {
        self.ranking.next(desk);
    }

    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>) {
        self.grow(collection.slots());
        for (&page, &outcome) in seen.pages.iter().zip(seen.outcomes) {
            let summary = collection.summary(page);
            let first = summary.last().is_none() && outcome != Outcome::Unknown;
            let visit = Visited {
                page,
                at: seen.at,
                outcome: if first { Outcome::First } else { outcome },
                last_modified: seen.last_modified,
                summary,
            };
            let schedule = self.rule.after(&visit, self.intervals[page.index()]);
            self.intervals[page.index()] = schedule.interval;
            self.due[page.index()] = schedule.due;
        }
    }

    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation {
        if collection.summary(page).last().is_none() {
            return Explanation::new(NEVER_VISITED, "never visited: due at once");
        }
        let interval = self.intervals.get(page.index()).copied();
        let interval = interval.unwrap_or_else(|| self.rule.first_interval());
        Explanation::new(self.overdue(page, now), "days overdue").because(Explanation::new(
            f64::from(interval) / 86_400.0,
            "days between visits, by the rule",
        ))
    }
}

/// A rule with one interval for all pages.
pub(crate) struct Constant(pub(crate) Duration);

impl Rule for Constant {
    fn first_interval(&self) -> f32 {
        self.0.as_secs_f32()
    }

    fn after(&mut self, visit: &Visited<'_>, interval: f32) -> Schedule {
        Schedule {
            interval,
            due: visit.at.after(self.0),
        }
    }
}
