//! One page: what is known of it, and whether it is watched.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use recrawl_model::{PageId, Timestamp};
use recrawl_store::Standing;
use recrawl_watch::{Command, ask};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::pages::weight;
use super::records::PageRecord;
use crate::extract::{Body, PageNumber};
use crate::problem::Problem;
use crate::state::App;

/// A page with what is held of it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PageDetail {
    #[serde(flatten)]
    page: PageRecord,
    /// What is held of its last good response.
    held: Option<HeldRecord>,
}

/// What is held of a response.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HeldRecord {
    /// When it came.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    etag: Option<String>,
    /// As the server wrote it.
    last_modified: Option<String>,
    /// Where redirects led.
    location: Option<String>,
}

/// A page.
#[utoipa::path(get, path = "/pages/{page}", tag = "pages", params(("page" = u32, Path, description = "its number")),
    responses((status = 200, body = PageDetail),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn show(
    State(app): State<App>,
    PageNumber(page): PageNumber,
) -> Result<Json<PageDetail>, Problem> {
    let record = known(&app, page).await?;
    let page = PageId(page);
    let row = ask(&app.commander, |reply| Command::Row { page, reply }).await?;
    let held = row.held.map(|held| HeldRecord {
        at: held.at,
        etag: held.etag,
        last_modified: held.last_modified,
        location: held.location,
    });
    Ok(Json(PageDetail { page: record, held }))
}

/// What the view knows of a page.
async fn known(app: &App, page: u32) -> Result<PageRecord, Problem> {
    let (pulse, now) = (app.pulse().await?, app.now());
    let record = app.read(move |view| {
        let there = (page as usize) < view.pages.len();
        there.then(|| PageRecord::new(view, page, &pulse.rates, now))
    });
    record.await?.ok_or_else(|| Problem::no_page(page))
}

/// What is to be different about a page.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageChange {
    /// `watched` or `paused`.
    standing: Option<Wanted>,
    /// Its importance.
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    weight: Option<f64>,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Wanted {
    Watched,
    Paused,
}

/// Pauses a page, watches it again, or gives it another importance.
#[utoipa::path(patch, path = "/pages/{page}", tag = "pages", params(("page" = u32, Path, description = "its number")),
    request_body = PageChange,
    responses((status = 200, body = PageRecord),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 413, body = Problem, content_type = "application/problem+json"),
        (status = 415, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn change(
    State(app): State<App>,
    PageNumber(page): PageNumber,
    Body(change): Body<PageChange>,
) -> Result<Json<PageRecord>, Problem> {
    if change.standing.is_none() && change.weight.is_none() {
        return Err(Problem::bad("nothing is to be different").hint("give standing or weight"));
    }
    let standing = change.standing.map(|wanted| match wanted {
        Wanted::Watched => Standing::Watched,
        Wanted::Paused => Standing::Paused,
    });
    let weight = change.weight.map(weight).transpose()?;
    set(&app, page, standing, weight).await?;
    Ok(Json(known(&app, page).await?))
}

/// Watches a page no more. Its history stays.
#[utoipa::path(delete, path = "/pages/{page}", tag = "pages", params(("page" = u32, Path, description = "its number")),
    responses((status = 204),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn remove(
    State(app): State<App>,
    PageNumber(page): PageNumber,
) -> Result<StatusCode, Problem> {
    set(&app, page, Some(Standing::Removed), None).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn set(
    app: &App,
    page: u32,
    standing: Option<Standing>,
    weight: Option<recrawl_model::Weight>,
) -> Result<(), Problem> {
    let command = |reply| Command::Set {
        page: PageId(page),
        standing,
        weight,
        reply,
    };
    ask(&app.commander, command).await?;
    app.settled().await;
    app.changed();
    Ok(())
}
