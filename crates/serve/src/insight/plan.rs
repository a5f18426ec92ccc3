//! What comes next, and why: [`Plan`].

use std::time::Duration;

use recrawl_engine::{PolicyError, Scheduler};
use recrawl_model::{Budget, Explanation, PageId, Timestamp};

use super::snapshot::Snapshot;
use crate::view::View;

/// Visits planned ahead at least, for pages to have a place.
const LEAST_AHEAD: u64 = 100;

/// Visits planned ahead at most: beyond them nobody waits for a place.
const MOST_AHEAD: u64 = 20_000;

/// Cycles planned ahead, within these bounds.
const CYCLES_AHEAD: f64 = 4.0;

/// The next visits in order, as the policy would make them from what the log
/// says, and the engine that can say why.
pub(crate) struct Plan {
    at: Timestamp,
    /// Observations it was made from.
    known: usize,
    pub(crate) order: Vec<PageId>,
    /// One more than the place of each page; 0 for pages further behind.
    places: Vec<u32>,
    scheduler: Scheduler,
    /// Visits of a cycle and its length, where the log knows one.
    pace: Option<(f64, Duration)>,
}

/// When a page comes up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Turn {
    /// Place among the next visits, from 1.
    pub(crate) place: Option<usize>,
    pub(crate) time: Option<Timestamp>,
    pub(crate) note: String,
}

impl Plan {
    /// Plans at `at` what `policy` would do; `ahead` visits at least.
    pub(crate) fn make(
        snapshot: &Snapshot,
        policy: &str,
        at: Timestamp,
        ahead: u64,
    ) -> Result<Self, PolicyError> {
        let mut scheduler = snapshot.scheduler(policy, at)?;
        let pace = snapshot.cycle.map(|(length, budget)| (budget, length));
        let usual = pace.map_or(0.0, |(budget, _)| budget * CYCLES_AHEAD) as u64;
        let wanted = usual.clamp(LEAST_AHEAD, MOST_AHEAD).max(ahead);
        let most = scheduler.collection().live() as u64;
        let visits = scheduler.plan(Budget::downloads(wanted.min(most)), at)?;
        let order: Vec<PageId> = visits.iter().map(|visit| visit.page).collect();
        let mut places = vec![0; snapshot.pages()];
        for (place, page) in (1..).zip(&order) {
            places[page.index()] = place;
        }
        Ok(Self {
            at,
            known: snapshot.observations.len(),
            order,
            places,
            scheduler,
            pace,
        })
    }

    /// Whether all pages that are visited have a place.
    pub(crate) fn is_whole(&self) -> bool {
        self.order.len() >= self.scheduler.collection().live()
    }

    /// Whether a page was visited since the plan was made.
    pub(crate) fn is_behind(&self, view: &View, page: PageId) -> bool {
        view.pages.newest[page.index()] as usize > self.known
    }

    /// Whether anything was seen since the plan was made.
    pub(crate) fn is_behind_any(&self, view: &View) -> bool {
        view.observations.len() > self.known
    }

    /// What the policy's claim for a page is made from; `None` for pages that
    /// are not visited.
    pub(crate) fn why(&self, page: PageId, now: Timestamp) -> Option<Explanation> {
        self.scheduler.explain(page, now).ok()
    }

    /// When a page comes up.
    pub(crate) fn turn(&self, page: PageId) -> Turn {
        if !self.scheduler.collection().contains(page) {
            return Turn {
                place: None,
                time: None,
                note: "not visited: paused or removed".to_owned(),
            };
        }
        let place = self.places.get(page.index()).copied().unwrap_or(0);
        if place == 0 {
            return Turn {
                place: None,
                time: None,
                note: format!("not among the next {} visits", self.order.len()),
            };
        }
        let time = self
            .pace
            .filter(|&(visits, _)| visits > 0.0)
            .map(|(visits, length)| {
                let share = f64::from(place) / visits;
                let wait = Duration::try_from_secs_f64(length.as_secs_f64() * share);
                self.at.after(wait.unwrap_or(Duration::MAX))
            });
        let note = match time {
            Some(_) => "at the pace of the budget, if nothing is learned meanwhile",
            None => "when the next visits are made",
        };
        Turn {
            place: Some(place as usize),
            time,
            note: note.to_owned(),
        }
    }
}
