//! What happened last, and what went wrong.

use axum::Json;
use axum::extract::State;
use recrawl_model::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::records::{Most, VisitRecord};
use crate::extract::Params;
use crate::problem::Problem;
use crate::state::App;

/// Visits, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VisitList {
    items: Vec<VisitRecord>,
}

/// The last visits.
#[utoipa::path(get, path = "/activity", tag = "activity", params(Most),
    responses((status = 200, body = VisitList),
        (status = 400, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn activity(
    State(app): State<App>,
    Params(most): Params<Most>,
) -> Result<Json<VisitList>, Problem> {
    let most = most.entries()?;
    let read = app.read(move |view| {
        let newest = view.recent.iter().rev().take(most);
        newest
            .map(|(visit, kept)| VisitRecord::new(view, *visit, kept))
            .collect()
    });
    Ok(Json(VisitList { items: read.await? }))
}

/// Why visits failed, the most frequent reason first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorList {
    items: Vec<ErrorRecord>,
}

/// A reason.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorRecord {
    reason: String,
    count: u64,
    #[schema(value_type = String, format = DateTime)]
    first: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    last: Timestamp,
    /// The page it came up at last.
    example: Example,
}

/// A page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Example {
    page: u32,
    url: String,
}

/// Failed visits, grouped by reason.
#[utoipa::path(get, path = "/errors", tag = "activity",
    responses((status = 200, body = ErrorList)))]
pub(crate) async fn errors(State(app): State<App>) -> Result<Json<ErrorList>, Problem> {
    let read = app.read(move |view| {
        let rows = view.reasons.by_count();
        rows.into_iter()
            .take(super::records::MOST_LISTED)
            .map(|(reason, tally)| ErrorRecord {
                reason: if reason.is_empty() {
                    "no reason given"
                } else {
                    reason
                }
                .to_owned(),
                count: tally.count,
                first: tally.first,
                last: tally.last,
                example: Example {
                    page: tally.example.0,
                    url: view.pages.urls.get(tally.example.index()).to_owned(),
                },
            })
            .collect()
    });
    Ok(Json(ErrorList { items: read.await? }))
}
