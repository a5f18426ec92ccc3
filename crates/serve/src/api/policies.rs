//! What each policy would have caught here.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use recrawl_model::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::insight::{Contest, NoContest, RUNS, Scored};
use crate::state::App;

/// Policies side by side on this collection's own history.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Comparison {
    status: ComparisonStatus,
    /// What the reader should know.
    note: Option<String>,
    /// When it was made.
    #[schema(value_type = Option<String>, format = DateTime)]
    as_of: Option<Timestamp>,
    /// The part of the log that was replayed.
    #[schema(value_type = Option<String>, format = DateTime)]
    start: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    end: Option<Timestamp>,
    cycle_seconds: Option<f64>,
    cycles: Option<u32>,
    /// Visits a cycle.
    budget: Option<u64>,
    /// Pages replayed.
    pages: Option<usize>,
    /// Draws of the times at which pages changed.
    runs: Option<u32>,
    /// The best first.
    results: Vec<PolicyResult>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ComparisonStatus {
    Ready,
    Computing,
    TooLittle,
    Failed,
}

/// What one policy came to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PolicyResult {
    policy: String,
    /// Visits that saw a change, as a share of all.
    change_ratio: f64,
    /// Half of the 95 % interval over draws.
    change_ratio_error: Option<f64>,
    /// Share of all changes that were caught.
    changes_caught: Option<f64>,
    freshness: Option<f64>,
    age_seconds: Option<f64>,
}

/// A comparison as it was made.
#[derive(Debug)]
pub(crate) struct Made {
    at: Timestamp,
    outcome: Result<Contest, NoContest>,
}

const DRAWN: &str = "a log tells between which visits a page changed, not when: change times are \
                     drawn from each page's fitted rate, given a change, once a run";

impl Comparison {
    fn empty(status: ComparisonStatus, note: Option<String>) -> Self {
        Self {
            status,
            note,
            as_of: None,
            start: None,
            end: None,
            cycle_seconds: None,
            cycles: None,
            budget: None,
            pages: None,
            runs: None,
            results: Vec::new(),
        }
    }

    fn of(made: &Made) -> Self {
        let contest = match &made.outcome {
            Ok(contest) => contest,
            Err(NoContest::TooLittle(note)) => {
                return Self::empty(ComparisonStatus::TooLittle, Some(note.clone()));
            }
            Err(NoContest::Failed(note)) => {
                return Self::empty(ComparisonStatus::Failed, Some(note.clone()));
            }
        };
        let cycle = contest.cycle.as_secs_f64();
        let result = |scored: &Scored| PolicyResult {
            policy: scored.policy.clone(),
            change_ratio: scored.change_ratio,
            change_ratio_error: scored.change_ratio_error,
            changes_caught: scored.caught,
            freshness: scored.freshness,
            age_seconds: scored.age.map(|age| age * cycle),
        };
        Self {
            status: ComparisonStatus::Ready,
            note: Some(DRAWN.to_owned()),
            as_of: Some(made.at),
            start: Some(contest.start),
            end: Some(contest.end),
            cycle_seconds: Some(cycle),
            cycles: Some(contest.cycles),
            budget: Some(contest.budget),
            pages: Some(contest.pages),
            runs: Some(RUNS),
            results: contest.results.iter().map(result).collect(),
        }
    }
}

/// What each policy would have caught of this collection's own changes. The
/// first time it is asked for it is computed; ask again.
#[utoipa::path(get, path = "/policies", tag = "policies",
    responses((status = 200, body = Comparison)))]
pub(crate) async fn show(State(app): State<App>) -> Json<Comparison> {
    let known = app.comparison.known().map(|made| Comparison::of(&made));
    Json(known.unwrap_or_else(|| {
        compare(&app);
        Comparison::empty(ComparisonStatus::Computing, None)
    }))
}

/// Computes it anew.
#[utoipa::path(post, path = "/policies", tag = "policies",
    responses((status = 202, body = Comparison)))]
pub(crate) async fn refresh(State(app): State<App>) -> (StatusCode, Json<Comparison>) {
    compare(&app);
    let computing = Comparison::empty(ComparisonStatus::Computing, None);
    (StatusCode::ACCEPTED, Json(computing))
}

/// Starts it, unless it runs.
fn compare(app: &App) {
    let state = App::clone(app);
    app.comparison.start(move || Made {
        at: state.now(),
        outcome: Contest::run(&state.snapshot()),
    });
}
