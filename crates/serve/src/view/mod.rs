//! What the log says, ready to be asked: [`View`].

mod cycles;
mod observations;
mod pages;
mod query;
mod reasons;
mod sites;

use std::collections::VecDeque;

use recrawl_model::{Outcome, PageId, Timestamp};
use recrawl_store::{Note, Record, Standing};

pub(crate) use cycles::{Cycle, Cycles};
pub(crate) use observations::{Kept, Observations};
pub(crate) use pages::Pages;
pub(crate) use query::{Cursor, Direction, Question, Sort};
pub(crate) use reasons::{Reasons, is_error};
pub(crate) use sites::Sites;

/// Visits kept for who comes to look what happened last.
const RECENT: usize = 512;

/// Pages below which URLs are sorted again at once when some joined.
const SORTED_AT_ONCE: usize = 50_000;

/// What the log says, in memory and in columns. It takes in the same records
/// the store appends, in the same order, first from the log, then as they come.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) pages: Pages,
    pub(crate) sites: Sites,
    pub(crate) observations: Observations,
    pub(crate) cycles: Cycles,
    pub(crate) reasons: Reasons,
    /// The newest visits, oldest first.
    pub(crate) recent: VecDeque<(u64, Kept)>,
    /// Observations by outcome, in the order of [`Outcome`].
    pub(crate) totals: [u64; 4],
    /// The latest time of the log by our own clock.
    pub(crate) last_time: Option<Timestamp>,
}

impl View {
    /// Takes in what was appended.
    pub(crate) fn take_in(&mut self, record: &Record) {
        if !matches!(record, Record::Seen { visit: 0, .. }) {
            self.last_time = self.last_time.max(record.at());
        }
        match record {
            Record::PageAdded {
                at,
                url,
                site,
                weight,
                ..
            } => {
                let site = self.sites.number(site);
                self.sites.join(site);
                self.pages.add(url, site, *weight, *at);
            }
            Record::PageSet {
                page,
                standing,
                weight,
                ..
            } => self.set(*page, *standing, *weight),
            Record::Asked { cost, .. } => self.cycles.spend(*cost),
            Record::Seen {
                visit,
                page,
                at,
                outcome,
                note,
                ..
            } => {
                self.see(*visit, (*page, *at, *outcome), note.as_ref());
            }
            Record::CycleBegun {
                number,
                at,
                length,
                budget,
            } => {
                self.cycles
                    .begin(Cycle::new(*number, *at, *length, *budget));
            }
            Record::HostHeld { .. } | Record::Setting { .. } => {}
        }
    }

    fn set(&mut self, page: PageId, standing: Standing, weight: recrawl_model::Weight) {
        let index = page.index();
        if index >= self.pages.len() {
            return;
        }
        let is_in = |standing| standing == Standing::Watched;
        let (was, is) = (is_in(self.pages.standing[index]), is_in(standing));
        let site = self.pages.site[index];
        if was && !is {
            self.sites.leave(site);
        } else if is && !was {
            self.sites.join(site);
        }
        self.pages.standing[index] = standing;
        self.pages.weight[index] = weight;
    }

    fn see(&mut self, visit: u64, seen: (PageId, Timestamp, Outcome), note: Option<&Note>) {
        let (page, at, outcome) = seen;
        let index = page.index();
        if index >= self.pages.len() || !self.pages.observe(index, at, outcome) {
            return; // imported late: what is known stands
        }
        let mut kept = Kept::new(page, at, outcome, self.pages.newest[index]);
        if let Some(note) = note {
            kept.bytes = note.bytes;
            kept.millis = note.millis;
            kept.status = note.status;
            kept.reason = self.reasons.number(&note.reason);
        }
        self.pages.newest[index] = self.observations.push(kept);
        self.totals[outcome as usize] += 1;
        let error = is_error(outcome, kept.status);
        if error {
            self.pages.failures[index] += 1;
            self.reasons.count(kept.reason, at, page);
        }
        self.sites.count(self.pages.site[index], outcome, error);
        if visit > 0 {
            self.cycles.count(outcome);
        }
        self.recent.push_back((visit, kept));
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }

    /// Whether URLs should be sorted again: at once where it costs nothing,
    /// otherwise when it is `due`.
    pub(crate) fn wants_sorting(&self, due: bool) -> bool {
        let late = self.pages.unsorted() > 0;
        late && (due || self.pages.len() < SORTED_AT_ONCE)
    }
}

/// Times that "how many pages were seen within" is told for.
const WITHIN: [(&str, f64); 6] = [
    ("1h", 1.0 / 24.0),
    ("6h", 0.25),
    ("1d", 1.0),
    ("7d", 7.0),
    ("30d", 30.0),
    ("365d", 365.0),
];

impl View {
    /// Pages by standing.
    pub(crate) fn standings(&self) -> [(Standing, u64); 4] {
        let mut counts = Standing::ALL.map(|standing| (standing, 0));
        for standing in &self.pages.standing {
            counts[*standing as usize].1 += 1;
        }
        counts
    }

    /// Share of watched pages seen within some times.
    pub(crate) fn seen_within(&self, now: Timestamp) -> Vec<(&'static str, f64)> {
        let mut counts = [0_u64; WITHIN.len()];
        let mut watched = 0_u64;
        for (standing, seen) in self.pages.standing.iter().zip(&self.pages.last_seen) {
            if *standing != Standing::Watched {
                continue;
            }
            watched += 1;
            let days = seen.map_or(f64::INFINITY, |seen| now.days_since(seen));
            for ((_, within), count) in WITHIN.iter().zip(&mut counts) {
                *count += u64::from(days <= *within);
            }
        }
        let share = |count: u64| count as f64 / watched.max(1) as f64;
        let rows = WITHIN.iter().zip(counts);
        rows.map(|((name, _), count)| (*name, share(count)))
            .collect()
    }
}
