//! How often a page changes, by each method and as time went on.

use axum::Json;
use axum::extract::State;
use recrawl_estimate::{Confidence, GammaFilter, Method, PRIOR_SHAPE, PRIOR_WEIGHT, Settings};
use recrawl_model::{HistoryBuf, Observation, Rate, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::extract::PageNumber;
use crate::problem::Problem;
use crate::state::App;
use crate::view::View;

/// Most points of the rate as time went on.
const MOST_POINTS: usize = 120;

/// Rates of a page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Estimates {
    /// By each method.
    items: Vec<EstimateRecord>,
    /// As visits taught it, oldest first.
    over_time: Vec<RatePoint>,
    /// The method of `over_time`.
    over_time_method: &'static str,
}

/// A rate by one method.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EstimateRecord {
    method: &'static str,
    /// Changes a day; none where the method cannot tell.
    rate_per_day: Option<f64>,
    /// Ends of the 95 % interval.
    low: Option<f64>,
    high: Option<f64>,
    /// What the reader should know.
    note: Option<String>,
}

/// The rate after a visit.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RatePoint {
    #[schema(value_type = String, format = DateTime)]
    time: Timestamp,
    rate_per_day: f64,
    low: Option<f64>,
    high: Option<f64>,
}

/// A page's rate of change.
#[utoipa::path(get, path = "/pages/{page}/estimates", tag = "page", params(("page" = u32, Path, description = "its number")),
    responses((status = 200, body = Estimates),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn estimates(
    State(app): State<App>,
    PageNumber(page): PageNumber,
) -> Result<Json<Estimates>, Problem> {
    let history = app.read(move |view| history_of(view, page)).await?;
    let history = history.ok_or_else(|| Problem::no_page(page))?;
    let made = app.work(move |_| {
        Ok(Estimates {
            items: Method::ALL
                .into_iter()
                .map(|method| by(method, &history))
                .collect(),
            over_time: over_time(&history),
            over_time_method: Method::Gamma.name(),
        })
    });
    made.await.map(Json)
}

/// The observations of a page that are at hand.
pub(super) fn history_of(view: &View, page: u32) -> Option<HistoryBuf> {
    let newest = *view.pages.newest.get(page as usize)?;
    let chain: Vec<_> = view.observations.chain(newest).collect();
    let mut history = HistoryBuf::new();
    for (_, kept) in chain.into_iter().rev() {
        // Two visits given up together have one time; one of them is enough.
        let _ = history.push(Observation::new(kept.at, kept.outcome));
    }
    Some(history)
}

fn by(method: Method, history: &HistoryBuf) -> EstimateRecord {
    let daily = |rate: Option<Rate>| rate.map(Rate::daily).filter(|rate| rate.is_finite());
    match method.build(&Settings::default()) {
        Ok(estimator) => {
            let estimate = estimator.estimate(history.view());
            EstimateRecord {
                method: method.name(),
                rate_per_day: daily(estimate.rate),
                low: daily(estimate.low),
                high: daily(estimate.high),
                note: estimate.note.map(std::borrow::Cow::into_owned),
            }
        }
        Err(error) => EstimateRecord {
            method: method.name(),
            rate_per_day: None,
            low: None,
            high: None,
            note: Some(error.to_string()),
        },
    }
}

/// The gamma belief after each interval, or after every few of them.
fn over_time(history: &HistoryBuf) -> Vec<RatePoint> {
    let intervals: Vec<_> = history.view().intervals().collect();
    let Some(first) = intervals.first() else {
        return Vec::new();
    };
    let Ok(mut belief) = GammaFilter::new(PRIOR_SHAPE, PRIOR_WEIGHT * first.days()) else {
        return Vec::new();
    };
    let step = intervals.len().div_ceil(MOST_POINTS);
    let last = intervals.len() - 1;
    let mut points = Vec::new();
    for (number, interval) in intervals.iter().enumerate() {
        belief.observe(interval.days(), interval.changed);
        if number % step == 0 || number == last {
            let (low, high) = belief.interval(Confidence::default());
            let finite = |value: f64| Some(value).filter(|value| value.is_finite());
            points.push(RatePoint {
                time: interval.end,
                rate_per_day: belief.mean(),
                low: finite(low),
                high: finite(high),
            });
        }
    }
    points
}
