//! Cycles and what they came to.

use axum::Json;
use axum::extract::State;
use recrawl_model::{Outcome, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::records::Most;
use crate::extract::Params;
use crate::problem::Problem;
use crate::state::App;
use crate::view::Cycle;

/// Cycles, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CycleList {
    items: Vec<CycleRecord>,
}

/// A cycle.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CycleRecord {
    number: u64,
    #[schema(value_type = String, format = DateTime)]
    began: Timestamp,
    length_seconds: f64,
    /// Visits it may spend.
    budget: f64,
    /// Visits it has spent.
    spent: f64,
    visits: u64,
    first: u64,
    changed: u64,
    unchanged: u64,
    unknown: u64,
    /// Visits that saw a change, as a share of all.
    change_ratio: Option<f64>,
}

impl CycleRecord {
    fn new(cycle: &Cycle) -> Self {
        let count = |outcome: Outcome| cycle.outcomes[outcome as usize];
        Self {
            number: cycle.number,
            began: cycle.began,
            length_seconds: cycle.length.as_secs_f64(),
            budget: cycle.budget.in_downloads(),
            spent: cycle.spent.in_downloads(),
            visits: cycle.visits(),
            first: count(Outcome::First),
            changed: count(Outcome::Changed),
            unchanged: count(Outcome::Unchanged),
            unknown: count(Outcome::Unknown),
            change_ratio: cycle.change_ratio(),
        }
    }
}

/// The last cycles and their scores.
#[utoipa::path(get, path = "/cycles", tag = "cycles", params(Most),
    responses((status = 200, body = CycleList),
        (status = 400, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(
    State(app): State<App>,
    Params(most): Params<Most>,
) -> Result<Json<CycleList>, Problem> {
    let most = most.entries()?;
    let read = app.read(move |view| {
        let newest = view.cycles.newest_first().take(most);
        newest.map(CycleRecord::new).collect()
    });
    Ok(Json(CycleList { items: read.await? }))
}
