//! Whether the server lives, and whether it can answer.

use axum::Json;
use axum::extract::State;
use recrawl_watch::{Command, ask};
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::state::App;

/// How the server is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok` or `ready`.
    status: &'static str,
}

/// Whether the server lives.
#[utoipa::path(get, path = "/health", tag = "health",
    responses((status = 200, body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Whether whoever holds the store answers.
#[utoipa::path(get, path = "/ready", tag = "health",
    responses((status = 200, body = Health),
        (status = 503, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn ready(State(app): State<App>) -> Result<Json<Health>, Problem> {
    ask(&app.commander, |reply| Command::Status { reply }).await?;
    Ok(Json(Health { status: "ready" }))
}
