//! Visits that follow an estimator's prediction of the next update.

use recrawl_estimate::{
    Confidence, DuaneLine, DuaneVariant, Evidence, MaximumLikelihood, PowerLaw, WeibullVariant,
    Windowing, cho_rate,
};
use recrawl_model::Rate;

use super::pages::Page;

/// Longest wait for a visit, in access units: a rate near zero must not end
/// the watching.
const LONGEST_WAIT: f64 = 50.0;

/// Shortest wait: nobody looks more often than once in an access unit.
const SHORTEST_WAIT: f64 = 1.0;

/// What came of the visits to some pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub(super) visits: u64,
    /// Visits that found an update.
    pub(super) observed: u64,
    /// Updates that happened after the first window.
    pub(super) updates: u64,
}

impl Outcomes {
    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            visits: self.visits + other.visits,
            observed: self.observed + other.observed,
            updates: self.updates + other.updates,
        }
    }
}

/// Watches pages from the end of their first consistent window on.
pub(super) struct Watcher {
    /// Matloff's formula is maximum likelihood on regular visits.
    matloff: MaximumLikelihood,
}

/// What is known of a page while it is watched, in access units since the
/// window began.
struct Watch {
    points: Vec<f64>,
    intervals: Vec<(f64, bool)>,
}

impl Watch {
    /// The rate at the last update by the estimator of that place in the
    /// tables: Cho, Matloff, Weibull, Duane.
    fn rate(&self, watcher: &Watcher, estimator: usize) -> Option<f64> {
        let last = *self.points.last()?;
        match estimator {
            0 => cho_rate(&self.evidence()),
            1 => watcher
                .matloff
                .weigh(&self.evidence())
                .rate
                .map(Rate::daily),
            2 => Some(PowerLaw::fit(&self.points, WeibullVariant::Check)?.rate_at(last)),
            _ => {
                let variant = DuaneVariant::Cumulative;
                Some(DuaneLine::fit(&self.points, variant)?.rate_at(last, variant))
            }
        }
    }

    fn evidence(&self) -> Evidence {
        Evidence::from_intervals(self.intervals.iter().copied())
    }

    /// The expected time between updates; an infinite rate expects the next at
    /// once.
    fn wait(&self, watcher: &Watcher, estimator: usize) -> f64 {
        let rate = self.rate(watcher, estimator).unwrap_or(f64::INFINITY);
        (1.0 / rate).clamp(SHORTEST_WAIT, LONGEST_WAIT)
    }
}

impl Watcher {
    pub(super) fn new() -> Self {
        Self {
            matloff: MaximumLikelihood::new(Confidence::default()),
        }
    }

    /// Watches one page.
    pub(super) fn follow(&self, page: &Page, estimator: usize) -> Outcomes {
        let moments: Vec<f64> = page
            .changed
            .iter()
            .map(|&visit| f64::from(visit) - 0.5)
            .collect();
        let gaps: Vec<f64> = (0..moments.len())
            .map(|i| moments[i] - i.checked_sub(1).map_or(0.0, |before| moments[before]))
            .collect();
        let windows = Windowing::default().cut(&gaps, 1.0);
        let Some(first) = windows.first() else {
            return Outcomes::default();
        };
        let (known, coming) = moments.split_at(first.points.end);
        let Some(&last_known) = page.changed[..first.points.end].last() else {
            return Outcomes::default();
        };
        let mut seen = page.changed.iter().peekable();
        let intervals =
            (1..=last_known).map(|visit| (1.0, seen.next_if(|&&at| at == visit).is_some()));
        let mut watch = Watch {
            intervals: intervals.collect(),
            points: known.to_vec(),
        };
        let mut outcomes = Outcomes {
            updates: coming.len() as u64,
            ..Outcomes::default()
        };
        let mut next = coming.iter().peekable();
        let mut before = f64::from(last_known);
        loop {
            let wait = watch.wait(self, estimator);
            let now = before + wait;
            if now > f64::from(page.visits) {
                return outcomes;
            }
            outcomes.visits += 1;
            let mut found = None;
            while let Some(&update) = next.next_if(|&&update| update <= now) {
                found = Some(update);
            }
            watch.intervals.push((wait, found.is_some()));
            if let Some(update) = found {
                outcomes.observed += 1;
                watch.points.push(update);
            }
            before = now;
        }
    }
}
