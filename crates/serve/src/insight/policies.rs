//! What each policy would have caught of this collection's own changes.

use std::collections::BTreeMap;
use std::time::Duration;

use recrawl_model::{HistorySet, HistorySetBuilder, PageId, Timestamp};
use recrawl_policy::{ENTRIES, Policy};
use recrawl_simulate::{
    CycleBudget, Divergence, DrawnWorlds, Membership, Nobody, Purpose, Reading, RecordedWorld,
    Score, Settings, Window, World, compare, run_seed,
};

use super::snapshot::Snapshot;

/// Pages replayed at most, whole sites: enough to tell policies apart, few
/// enough to wait for.
const MOST_PAGES: usize = 2_000;

/// Cycles replayed at most, the last ones.
const MOST_CYCLES: u32 = 200;

/// Cycles without which nothing can be said.
const LEAST_CYCLES: u32 = 5;

/// Draws of the times at which pages changed.
pub(crate) const RUNS: u32 = 3;

/// Policies side by side on this collection's own history.
#[derive(Debug, Clone)]
pub(crate) struct Contest {
    pub(crate) start: Timestamp,
    pub(crate) end: Timestamp,
    pub(crate) cycle: Duration,
    pub(crate) cycles: u32,
    pub(crate) budget: u64,
    pub(crate) pages: usize,
    /// The best first.
    pub(crate) results: Vec<Scored>,
}

/// What one policy came to.
#[derive(Debug, Clone)]
pub(crate) struct Scored {
    pub(crate) policy: String,
    pub(crate) change_ratio: f64,
    /// Half of the 95 % interval over draws.
    pub(crate) change_ratio_error: Option<f64>,
    pub(crate) caught: Option<f64>,
    pub(crate) freshness: Option<f64>,
    /// In cycles.
    pub(crate) age: Option<f64>,
}

/// Why policies cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoContest {
    TooLittle(String),
    Failed(String),
}

impl Contest {
    /// Replays every policy that needs no truth.
    pub(crate) fn run(snapshot: &Snapshot) -> Result<Self, NoContest> {
        let set = histories(snapshot)?;
        let drawn = DrawnWorlds::new(&set);
        let cycle = snapshot.cycle_length();
        let window = window(&drawn, cycle)?;
        let failed = |error: &dyn std::fmt::Display| NoContest::Failed(error.to_string());
        let draw = |run: u32| {
            let histories = drawn.draw(run_seed(1, run, Purpose::World));
            let histories = histories.map_err(|error| failed(&error))?;
            RecordedWorld::new(&histories, window, Membership::Everyone)
                .map_err(|error| failed(&error))
        };
        let first = draw(0)?;
        let pages = first.population().len();
        let worlds = |run| -> Box<dyn World> {
            Box::new(draw(run).unwrap_or_else(|_| first.clone())) // all draws share their pages
        };
        let budget = budget(&drawn, window, pages);
        let settings = Settings {
            start: window.start,
            cycle,
            cycles: window.cycles,
            budget: CycleBudget::Downloads(budget),
            reading: Reading::SinceLast,
            divergence: Divergence::UpdatesMissed,
        };
        let policies = contestants();
        let standings = compare(&worlds, &policies, &settings, RUNS, 1, &Nobody);
        let standings = standings.map_err(|error| failed(&error))?;
        let mut results: Vec<Scored> = policies
            .iter()
            .zip(&standings)
            .filter_map(|(policy, standing)| {
                let ratio = standing.summary.mean(Score::ChangeRatio)?;
                let mean = |score| standing.summary.mean(score).map(|mean| mean.value);
                Some(Scored {
                    policy: policy.name().to_owned(),
                    change_ratio: ratio.value,
                    change_ratio_error: ratio.interval.map(|(low, high)| (high - low) / 2.0),
                    caught: mean(Score::Caught),
                    freshness: mean(Score::Freshness),
                    age: mean(Score::Age),
                })
            })
            .collect();
        results.sort_by(|a, b| b.change_ratio.total_cmp(&a.change_ratio));
        Ok(Self {
            start: window.start,
            end: window.end(),
            cycle,
            cycles: window.cycles,
            budget,
            pages,
            results,
        })
    }
}

fn contestants() -> Vec<Box<dyn Policy>> {
    let all = ENTRIES
        .iter()
        .filter_map(|entry| recrawl_policy::parse(entry.name).ok());
    all.filter(|policy| !policy.needs_truth()).collect()
}

/// The last cycles that fit in the log.
fn window(drawn: &DrawnWorlds<'_>, cycle: Duration) -> Result<Window, NoContest> {
    let Some((first, last)) = drawn.span() else {
        return Err(NoContest::TooLittle("no page has been seen yet".to_owned()));
    };
    let fit = last.since(first).as_micros() / cycle.as_micros().max(1);
    let fit = u32::try_from(fit).unwrap_or(u32::MAX);
    if fit < LEAST_CYCLES {
        return Err(NoContest::TooLittle(format!(
            "the log spans {fit} cycles; policies can be told apart after {LEAST_CYCLES}"
        )));
    }
    Ok(Window::ending(last, cycle, fit.min(MOST_CYCLES)))
}

/// What the log itself spent a cycle on these pages.
fn budget(drawn: &DrawnWorlds<'_>, window: Window, pages: usize) -> u64 {
    let visits = drawn.logged(window.start).visits;
    visits
        .div_ceil(u64::from(window.cycles))
        .clamp(1, pages.max(1) as u64)
}

/// The histories of whole sites, as many as are replayed.
fn histories(snapshot: &Snapshot) -> Result<HistorySet, NoContest> {
    let mut by_site: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for page in (0..snapshot.pages()).filter(|&page| snapshot.newest(page) > 0) {
        by_site.entry(snapshot.site(page)).or_default().push(page);
    }
    let mut builder = HistorySetBuilder::new();
    let mut taken = 0;
    for (site, pages) in by_site {
        if taken > 0 && taken + pages.len() > MOST_PAGES {
            continue;
        }
        for page in pages.into_iter().take(MOST_PAGES) {
            let number = builder.add_page(&page.to_string());
            builder.set_site(number, &site.to_string());
            push(&mut builder, number, snapshot, page);
            taken += 1;
        }
    }
    builder.forget_failures_before_first_answer();
    builder
        .build()
        .map_err(|error| NoContest::Failed(error.to_string()))
}

fn push(builder: &mut HistorySetBuilder, number: PageId, snapshot: &Snapshot, page: usize) {
    let mut last = None;
    let chain: Vec<_> = snapshot.observations.chain(snapshot.newest(page)).collect();
    for (_, kept) in chain.into_iter().rev() {
        // Visits given up together have one time.
        if last < Some(kept.at) {
            last = Some(kept.at);
            builder.push(number, kept.at, kept.outcome, None);
        }
    }
}
