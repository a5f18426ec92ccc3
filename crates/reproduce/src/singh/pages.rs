//! The pages of Singh's experiments, as regular visits saw them.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use recrawl_model::{HistoryBuf, HistoryError, Observation, Outcome, PageId, Timestamp};
use recrawl_simulate::Histories;

use super::piecewise;
use crate::{ReproduceError, Setup};

/// Updates seen that a page must have.
const LEAST_UPDATES: usize = 4;

const DAY: i64 = 86_400;

/// Pages of one kind.
pub(super) struct Dataset {
    pub(super) name: &'static str,
    /// What was looked at and how often.
    pub(super) about: String,
    /// The column of the paper's tables it stands in for.
    pub(super) stands_for: Print,
    pub(super) pages: Vec<Page>,
    /// Days between visits.
    pub(super) unit_days: f64,
}

/// The two data sets of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Print {
    Synthetic,
    Real,
}

/// One page: what regular visits saw.
pub(super) struct Page {
    pub(super) history: HistoryBuf,
    /// Visits, counted in access units, that saw a change.
    pub(super) changed: Vec<u32>,
    /// Visits after the first.
    pub(super) visits: u32,
}

impl Page {
    fn new(changed: Vec<u32>, visits: u32, unit: i64) -> Result<Self, HistoryError> {
        let mut history = HistoryBuf::new();
        let mut next = changed.iter().peekable();
        for visit in 0..=visits {
            let outcome = match visit {
                0 => Outcome::First,
                _ if next.next_if(|&&seen| seen == visit).is_some() => Outcome::Changed,
                _ => Outcome::Unchanged,
            };
            let at = Timestamp::from_seconds(i64::from(visit) * unit);
            history.push(Observation::new(at, outcome))?;
        }
        Ok(Self {
            history,
            changed,
            visits,
        })
    }
}

/// Real pages: their kind, days between visits, and how many visits.
const REAL: [(&str, i64, u32); 3] = [("docs", 7, 200), ("terms", 1, 200), ("periodic", 1, 200)];

/// Synthetic pages first, then the real ones.
pub(super) fn datasets(setup: &Setup<'_>) -> Result<Vec<Dataset>, ReproduceError> {
    let most = setup.scale.pick(2_000, 6);
    let mut random = Pcg64Mcg::seed_from_u64(setup.seed);
    let mut pages = Vec::new();
    for _ in 0..most {
        let updates = piecewise::updates(&mut random);
        // The visit at the end of a unit sees what happened in it.
        let mut changed: Vec<u32> = updates.iter().map(|&at| at as u32 + 1).collect();
        changed.dedup();
        pages.push(Page::new(changed, piecewise::UNITS, DAY)?);
    }
    let mut datasets = vec![Dataset {
        name: "synthetic",
        about: format!("{most} piecewise pages, {} access units", piecewise::UNITS),
        stands_for: Print::Synthetic,
        pages: kept(pages),
        unit_days: 1.0,
    }];
    for (name, unit, visits) in REAL {
        let pages = visited(setup.data.get(name)?, unit * DAY, visits, most)?;
        let every = if unit == 1 { "daily" } else { "weekly" };
        datasets.push(Dataset {
            name,
            about: format!("{visits} {every} visits to {} real pages", pages.len()),
            stands_for: Print::Real,
            pages,
            unit_days: unit as f64,
        });
    }
    Ok(datasets)
}

fn kept(pages: Vec<Page>) -> Vec<Page> {
    let enough = |page: &Page| page.changed.len() >= LEAST_UPDATES;
    pages.into_iter().filter(enough).collect()
}

/// The last visits, every `unit` seconds, to pages that live throughout; of
/// many pages with enough updates, `most` spread over all.
fn visited(
    histories: &Histories,
    unit: i64,
    visits: u32,
    most: usize,
) -> Result<Vec<Page>, ReproduceError> {
    let Some((_, end)) = histories.span() else {
        return Ok(Vec::new());
    };
    let length = unit * 1_000_000;
    let mut seen = Vec::new();
    for number in 0..histories.len() as u32 {
        let life = histories.life(PageId(number));
        let until = life
            .watched_until
            .unwrap_or(end)
            .min(life.died.unwrap_or(end));
        let start = until.micros() - length * i64::from(visits);
        if life.died.is_some() || life.born.micros() > start {
            continue;
        }
        let updates = histories.updates(PageId(number)).iter();
        let mut changed: Vec<u32> = updates
            .map(|at| (at.micros() - start - 1).div_euclid(length) + 1)
            .filter(|&visit| visit >= 1 && visit <= i64::from(visits))
            .map(|visit| visit as u32)
            .collect();
        changed.dedup();
        if changed.len() >= LEAST_UPDATES {
            seen.push(changed);
        }
    }
    let count = seen.len();
    let pages = seen
        .into_iter()
        .enumerate()
        // Evenly over all: page i is taken where i most/count passes a whole number.
        .filter(|(i, _)| count <= most || (i * most) / count != ((i + 1) * most) / count)
        .map(|(_, changed)| Page::new(changed, visits, unit));
    Ok(pages.collect::<Result<_, _>>()?)
}
