//! The whole collection at a glance.

use std::sync::PoisonError;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use recrawl_model::{Outcome, Rate, Timestamp};
use recrawl_policy::{Objective, Outlook};
use recrawl_store::Standing;
use serde::Serialize;
use utoipa::ToSchema;

use super::records::Between;
use crate::insight::{Plan, Pulse};
use crate::problem::Problem;
use crate::state::{App, State as Shared};
use crate::view::{Cycle, Observations, View};

/// Points of what is told over time.
const MOMENTS: i64 = 60;

/// Tenths of the budget that are compared.
const SHARES: [f64; 3] = [0.9, 1.0, 1.1];

/// Visits told that are due.
const DUE: usize = 10;

/// Seconds of a day.
const DAY: f64 = 86_400.0;

/// The whole collection at a glance.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Overview {
    #[schema(value_type = String, format = DateTime)]
    now: Timestamp,
    /// When this was computed.
    #[schema(value_type = String, format = DateTime)]
    as_of: Timestamp,
    /// `watch` where pages are being visited, otherwise `serve`.
    mode: &'static str,
    /// The policy whose plans are shown.
    policy: String,
    pages: StandingCounts,
    sites: usize,
    /// Expected share of copies that are up to date.
    freshness: Option<Between>,
    /// Expected mean time for which copies have been out of date.
    age_seconds: Option<Between>,
    /// Expected changes nobody has seen yet.
    undetected_changes: Option<Between>,
    /// Freshness and age as time went on, oldest first.
    series: Vec<SeriesPoint>,
    /// Visits in the same steps of time.
    activity: Vec<ActivityPoint>,
    /// The cycle that runs, or ran last.
    cycle: Option<CycleStanding>,
    totals: Totals,
    /// What a tenth more or fewer visits would buy in the long run.
    forecast: Option<Forecast>,
    /// The next visits.
    due: Vec<DueVisit>,
}

/// Pages by standing.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) struct StandingCounts {
    watched: u64,
    paused: u64,
    gone: u64,
    removed: u64,
}

/// What could be expected at a moment, by what is known of rates now.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SeriesPoint {
    #[schema(value_type = String, format = DateTime)]
    time: Timestamp,
    freshness: f64,
    low: f64,
    high: f64,
    age_seconds: f64,
}

/// Visits of a step of time that ends at a moment.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ActivityPoint {
    #[schema(value_type = String, format = DateTime)]
    time: Timestamp,
    visits: u64,
    changed: u64,
    unknown: u64,
}

/// A cycle and its budget.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct CycleStanding {
    number: u64,
    #[schema(value_type = String, format = DateTime)]
    began: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    ends: Timestamp,
    length_seconds: f64,
    budget: f64,
    spent: f64,
    left: f64,
}

/// Visits of the whole log.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Totals {
    visits: u64,
    first: u64,
    changed: u64,
    unchanged: u64,
    unknown: u64,
}

/// What budgets buy in the long run, spent best.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Forecast {
    /// Length of the cycle the numbers are for.
    per_seconds: f64,
    /// What visits are chosen for.
    objective: &'static str,
    rows: Vec<ForecastRow>,
}

/// What one budget buys.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ForecastRow {
    /// Of the budget as it is.
    share: f64,
    /// Visits a cycle.
    budget: f64,
    /// Changes found a cycle.
    changes: f64,
    freshness: f64,
    /// None where a page that changes is never visited.
    age_seconds: Option<f64>,
}

/// A visit that is due.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct DueVisit {
    page: u32,
    url: String,
    site: String,
    /// The policy's claim, in a unit of its own.
    score: Option<f64>,
    /// What it means.
    meaning: String,
}

/// The whole collection at a glance.
#[utoipa::path(get, path = "/overview", tag = "overview", responses((status = 200, body = Overview)))]
pub(crate) async fn overview(State(app): State<App>) -> Result<Json<Overview>, Problem> {
    current(&app).await.map(Json)
}

/// The overview as it is kept, made if there is none.
pub(crate) async fn current(app: &App) -> Result<Overview, Problem> {
    let (pulse, plan) = (app.pulse().await?, app.plan().await?);
    let state = App::clone(app);
    let make = move || {
        let plan = plan.lock().unwrap_or_else(PoisonError::into_inner);
        Ok::<_, Problem>(Overview::make(&state, &pulse, &plan))
    };
    let mut overview = (*app.overview.get(make).await?).clone();
    overview.now = app.now();
    Ok(overview)
}

impl Overview {
    fn make(state: &Shared, pulse: &Pulse, plan: &Plan) -> Self {
        let now = state.now();
        // Each part looks by itself, so that who writes to the view has turns; one
        // look a statement, for a second one would wait behind whoever writes.
        let view = || state.shared.view();
        let counts = view().standings();
        let count = |standing: Standing| counts[standing as usize].1;
        let observations = view().observations.clone();
        let moments = moments(&observations, now);
        let history = pulse.history(&view(), &moments);
        let series = history.into_iter().map(|moment| SeriesPoint {
            time: moment.at,
            freshness: moment.freshness.value,
            low: moment.freshness.low,
            high: moment.freshness.high,
            age_seconds: moment.age * DAY,
        });
        let totals = Totals::new(&view().totals);
        let newest = view().cycles.newest_first().next().cloned();
        let pages = rates(&view(), pulse);
        let forecast = newest.as_ref().and_then(|cycle| forecast(pages, cycle));
        let due = due(&view(), plan, now);
        let sites = view().sites.len();
        let all = &pulse.all;
        Self {
            now,
            as_of: now,
            mode: state.settings.mode.name(),
            policy: state.settings.policy.clone(),
            pages: StandingCounts {
                watched: count(Standing::Watched),
                paused: count(Standing::Paused),
                gone: count(Standing::Gone),
                removed: count(Standing::Removed),
            },
            sites,
            freshness: all.freshness().map(|share| Between::new(share, 1.0)),
            age_seconds: all.age().map(|age| Between::new(age, DAY)),
            undetected_changes: all.undetected().map(|changes| Between::new(changes, 1.0)),
            series: series.collect(),
            activity: activity(&observations, &moments),
            cycle: newest.as_ref().map(CycleStanding::new),
            totals,
            forecast,
            due,
        }
    }
}

impl Totals {
    fn new(totals: &[u64; 4]) -> Self {
        let count = |outcome: Outcome| totals[outcome as usize];
        Self {
            visits: totals.iter().sum(),
            first: count(Outcome::First),
            changed: count(Outcome::Changed),
            unchanged: count(Outcome::Unchanged),
            unknown: count(Outcome::Unknown),
        }
    }
}

impl CycleStanding {
    fn new(cycle: &Cycle) -> Self {
        let (budget, spent) = (cycle.budget.in_downloads(), cycle.spent.in_downloads());
        Self {
            number: cycle.number,
            began: cycle.began,
            ends: cycle.began.after(cycle.length),
            length_seconds: cycle.length.as_secs_f64(),
            budget,
            spent,
            left: (budget - spent).max(0.0),
        }
    }
}

/// Evenly from the first observation at hand until now.
fn moments(observations: &Observations, now: Timestamp) -> Vec<Timestamp> {
    let Some(first) = observations.iter().next().map(|kept| kept.at) else {
        return Vec::new();
    };
    let span = now.micros().saturating_sub(first.micros()).max(MOMENTS);
    let step = span / MOMENTS;
    (1..=MOMENTS)
        .map(|n| Timestamp::from_micros(now.micros() - (MOMENTS - n) * step))
        .collect()
}

/// Visits by the step they fall in.
fn activity(observations: &Observations, moments: &[Timestamp]) -> Vec<ActivityPoint> {
    let mut points: Vec<ActivityPoint> = moments
        .iter()
        .map(|&time| ActivityPoint {
            time,
            visits: 0,
            changed: 0,
            unknown: 0,
        })
        .collect();
    for kept in observations.iter() {
        let place = moments.partition_point(|&at| at < kept.at);
        if let Some(point) = points.get_mut(place) {
            point.visits += 1;
            point.changed += u64::from(kept.outcome == Outcome::Changed);
            point.unknown += u64::from(kept.outcome == Outcome::Unknown);
        }
    }
    points
}

/// Rates and weights of the pages that are watched, as visits make them likely.
fn rates(view: &View, pulse: &Pulse) -> Vec<(Rate, f64)> {
    let pages = &view.pages;
    let watched = (0..pages.len()).filter(|&page| pages.standing[page] == Standing::Watched);
    let rate = |page: usize| {
        let of_site = pulse.rates.get(pages.site[page] as usize)?;
        let mean = pages.learned[page].with(*of_site).mean();
        Some((Rate::per_day(mean).ok()?, pages.weight[page].get()))
    };
    watched.filter_map(rate).collect()
}

/// What budgets would buy.
fn forecast(pages: Vec<(Rate, f64)>, cycle: &Cycle) -> Option<Forecast> {
    let budget = cycle.budget.in_downloads();
    let outlook = Outlook::new(pages, cycle.length.max(Duration::from_secs(1))).ok()?;
    let objective = Objective::Changes;
    let rows: Option<Vec<ForecastRow>> = SHARES
        .iter()
        .map(|&share| {
            let bought = outlook.expect(objective, budget * share).ok()?;
            Some(ForecastRow {
                share,
                budget: budget * share,
                changes: bought.changes,
                freshness: bought.freshness,
                age_seconds: bought.age.map(|age| age.as_secs_f64()),
            })
        })
        .collect();
    Some(Forecast {
        per_seconds: cycle.length.as_secs_f64(),
        objective: "changes",
        rows: rows?,
    })
}

/// The first visits of the plan that were not made meanwhile.
fn due(view: &View, plan: &Plan, now: Timestamp) -> Vec<DueVisit> {
    let waiting = plan
        .order
        .iter()
        .filter(|&&page| !plan.is_behind(view, page));
    waiting
        .take(DUE)
        .map(|&page| {
            let why = plan.why(page, now);
            DueVisit {
                page: page.0,
                url: view.pages.urls.get(page.index()).to_owned(),
                site: view.sites.name(view.pages.site[page.index()]).to_owned(),
                score: why
                    .as_ref()
                    .map(|why| why.value)
                    .filter(|score| score.is_finite()),
                meaning: why.map(|why| why.meaning).unwrap_or_default(),
            }
        })
        .collect()
}
