//! What to visit next, for crawlers that fetch by themselves.

use std::sync::PoisonError;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use recrawl_model::{PageId, Timestamp};
use recrawl_store::Standing;
use recrawl_watch::{Clock, SystemClock};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::records::{Why, moment};
use crate::extract::Body;
use crate::insight::Plan;
use crate::problem::Problem;
use crate::state::{App, State as Shared};

/// Visits that may be asked for at once.
const MOST: u64 = 100_000;

/// Longest time a page may be held by a crawler, in seconds: 30 days.
const LONGEST_LEASE: f64 = 30.0 * 86_400.0;

/// What is asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlanRequest {
    /// Most visits of the answer.
    #[schema(minimum = 1, maximum = 100_000)]
    budget: u64,
    /// The policy, `NAME[:key=value,…]`; the server's own if not said.
    policy: Option<String>,
    /// The moment to plan for; now if not said.
    #[schema(format = DateTime)]
    at: Option<String>,
    /// Whether to say what each score was made from.
    #[serde(default)]
    explain: bool,
    /// Hand these pages out to nobody else for so long, or until they were seen.
    #[schema(minimum = 0, maximum = 2_592_000)]
    lease_seconds: Option<f64>,
}

/// The next visits.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlanAnswer {
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    policy: String,
    /// In the order of visiting, no page twice.
    visits: Vec<PlannedVisit>,
}

/// A visit to be made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlannedVisit {
    /// The page's number.
    page: u32,
    url: String,
    site: String,
    /// The policy's claim for the page, in a unit of its own.
    score: Option<f64>,
    /// What it was made from, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
}

/// The next visits under a budget, as the policy would make them from what the
/// log says. Nothing is spent; politeness is the crawler's own business.
#[utoipa::path(post, path = "/plan", tag = "scheduler", request_body = PlanRequest,
    responses((status = 200, body = PlanAnswer),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 413, body = Problem, content_type = "application/problem+json"),
        (status = 415, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn plan(
    State(app): State<App>,
    Body(request): Body<PlanRequest>,
) -> Result<Json<PlanAnswer>, Problem> {
    if request.budget == 0 || request.budget > MOST {
        let budget = request.budget;
        return Err(Problem::bad(format!(
            "budget is {budget}; it must be 1 to {MOST}"
        )));
    }
    let lease = request.lease()?;
    let now = app.now();
    let at = request.at.as_deref().map(moment).transpose()?;
    let most = request.budget as usize;
    let policy = request
        .policy
        .clone()
        .unwrap_or_else(|| app.settings.policy.clone());
    let own = policy == app.settings.policy && at.is_none();
    if own {
        let plan = app.plan().await?;
        let plan = plan.lock().unwrap_or_else(PoisonError::into_inner);
        // A plan that knows less than the log may leave out what is due again.
        let all = !plan.is_whole() || plan.is_behind_any(&app.shared.view());
        if let Some(pages) = hand_out(&app, &plan, (most, all), lease) {
            let visits = visits(&app, &plan, &pages, now, request.explain);
            return Ok(Json(PlanAnswer {
                at: now,
                policy,
                visits,
            }));
        }
    }
    let (at, explain) = (at.unwrap_or(now), request.explain);
    let made = app.work(move |state| {
        let ahead = (most + state.leases.len()) as u64;
        let plan = Plan::make(&state.snapshot(), &policy, at, ahead)?;
        let pages = hand_out(state, &plan, (most, false), lease).unwrap_or_default();
        let visits = visits(state, &plan, &pages, at, explain);
        Ok(PlanAnswer { at, policy, visits })
    });
    made.await.map(Json)
}

impl PlanRequest {
    fn lease(&self) -> Result<Option<Duration>, Problem> {
        let Some(seconds) = self.lease_seconds.filter(|&seconds| seconds != 0.0) else {
            return Ok(None);
        };
        if !(seconds > 0.0 && seconds <= LONGEST_LEASE) {
            let detail = format!("lease_seconds is {seconds}; it must be 0 to {LONGEST_LEASE}");
            return Err(Problem::bad(detail));
        }
        Ok(Some(Duration::from_secs_f64(seconds)))
    }
}

/// Takes pages of a plan that nobody holds and that were not seen since it was
/// made; none if `all` are wanted and the plan does not go far enough.
fn hand_out(
    state: &Shared,
    plan: &Plan,
    wanted: (usize, bool),
    lease: Option<Duration>,
) -> Option<Vec<PageId>> {
    let view = state.shared.view();
    let waiting = plan.order.iter().copied().filter(|&page| {
        let standing = view.pages.standing[page.index()];
        let visited = matches!(standing, Standing::Watched | Standing::Gone);
        visited && !plan.is_behind(&view, page)
    });
    state
        .leases
        .take(waiting, wanted, SystemClock.steady(), lease)
}

fn visits(
    state: &Shared,
    plan: &Plan,
    pages: &[PageId],
    at: Timestamp,
    explain: bool,
) -> Vec<PlannedVisit> {
    let view = state.shared.view();
    let visit = |&page: &PageId| {
        let why = plan.why(page, at);
        PlannedVisit {
            page: page.0,
            url: view.pages.urls.get(page.index()).to_owned(),
            site: view.sites.name(view.pages.site[page.index()]).to_owned(),
            score: why
                .as_ref()
                .map(|why| why.value)
                .filter(|score| score.is_finite()),
            why: why.filter(|_| explain).map(Why::from),
        }
    };
    pages.iter().map(visit).collect()
}
