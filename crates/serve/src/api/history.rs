//! What became of a page's visits.

use axum::Json;
use axum::extract::State;
use recrawl_model::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::records::{OutcomeName, limit};
use crate::extract::{PageNumber, Params};
use crate::problem::Problem;
use crate::state::App;

/// Most visits of one answer.
const MOST: usize = 1_000;

/// How many, and from where on.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    /// Most visits of the answer, 200 if not said.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// `next` of the answer before.
    cursor: Option<String>,
}

/// Visits of a page, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct History {
    items: Vec<Observed>,
    /// The cursor of the next answer; none at the end.
    next: Option<String>,
    /// Visits of the page in all.
    total: usize,
}

/// A visit of the page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Observed {
    #[schema(value_type = String, format = DateTime)]
    time: Timestamp,
    outcome: OutcomeName,
    /// The HTTP status; 0 where there was no HTTP answer.
    status: u16,
    /// Why, where the outcome needs a word.
    reason: Option<String>,
    bytes: u32,
    millis: u32,
}

/// A page's visits. Of a log beyond eight million visits, the oldest are only
/// in the store.
#[utoipa::path(get, path = "/pages/{page}/history", tag = "page",
    params(("page" = u32, Path, description = "its number"), Part),
    responses((status = 200, body = History),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn history(
    State(app): State<App>,
    PageNumber(page): PageNumber,
    Params(part): Params<Part>,
) -> Result<Json<History>, Problem> {
    let most = limit(part.limit, 200, MOST)?;
    let cursor = part.cursor.filter(|text| !text.is_empty());
    let parse = |text: String| {
        text.parse::<u32>()
            .map_err(|_| Problem::bad(format!("`{text}` is no cursor")))
    };
    let cursor = cursor.map(parse).transpose()?;
    let history = app.read(move |view| {
        let newest = *view.pages.newest.get(page as usize)?;
        let chain = view.observations.chain(newest);
        let mut rest = chain
            .skip_while(|(number, _)| cursor.is_some_and(|cursor| *number > cursor))
            .peekable();
        let mut items = Vec::new();
        while items.len() < most
            && let Some((_, kept)) = rest.next()
        {
            items.push(Observed {
                time: kept.at,
                outcome: kept.outcome.into(),
                status: kept.status,
                reason: view.reasons.text(kept.reason).map(str::to_owned),
                bytes: kept.bytes,
                millis: kept.millis,
            });
        }
        let next = rest.peek().map(|(number, _)| number.to_string());
        let total = view.pages.visits[page as usize] as usize;
        Some(History { items, next, total })
    });
    history
        .await?
        .map(Json)
        .ok_or_else(|| Problem::no_page(page))
}
