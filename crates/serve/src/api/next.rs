//! When a page comes up, and why; or why it came up then.

use std::sync::PoisonError;

use axum::Json;
use axum::extract::State;
use recrawl_model::{PageId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::records::{Why, moment};
use crate::extract::{PageNumber, Params};
use crate::insight::{Plan, Turn};
use crate::problem::Problem;
use crate::state::App;

/// For which moment.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct When {
    /// A moment past: what the policy knew then. Now, if not said.
    #[param(format = DateTime)]
    at: Option<String>,
}

/// A page's next visit.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Upcoming {
    page: u32,
    /// The moment the answer is for.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    next_visit: NextVisit,
    /// What the policy's claim for the page is made from; none for pages that
    /// are not visited.
    why: Option<Why>,
}

/// When a page comes up.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NextVisit {
    /// Place among the next visits, from 1; none further behind.
    place: Option<usize>,
    /// At the pace of the budget.
    #[schema(value_type = Option<String>, format = DateTime)]
    time: Option<Timestamp>,
    /// How to read this.
    note: String,
}

/// A page's next visit and the numbers behind it.
#[utoipa::path(get, path = "/pages/{page}/next", tag = "page",
    params(("page" = u32, Path, description = "its number"), When),
    responses((status = 200, body = Upcoming),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn next(
    State(app): State<App>,
    PageNumber(page): PageNumber,
    Params(when): Params<When>,
) -> Result<Json<Upcoming>, Problem> {
    let known = app.read(move |view| (page as usize) < view.pages.len());
    if !known.await? {
        return Err(Problem::no_page(page));
    }
    let (number, now) = (page, app.now());
    let page = PageId(page);
    let at = when.at.as_deref().map(moment).transpose()?;
    let (at, (turn, why)) = if let Some(at) = at.filter(|&at| at < now) {
        let made = app.work(move |state| {
            let plan = Plan::make(&state.snapshot(), &state.settings.policy, at, 0)?;
            Ok(answer(&plan, page, at))
        });
        (at, made.await?)
    } else {
        let plan = app.plan().await?;
        let plan = plan.lock().unwrap_or_else(PoisonError::into_inner);
        (now, answer(&plan, page, now))
    };
    let next_visit = NextVisit {
        place: turn.place,
        time: turn.time,
        note: turn.note,
    };
    Ok(Json(Upcoming {
        page: number,
        at,
        next_visit,
        why,
    }))
}

fn answer(plan: &Plan, page: PageId, at: Timestamp) -> (Turn, Option<Why>) {
    (plan.turn(page), plan.why(page, at).map(Why::from))
}
