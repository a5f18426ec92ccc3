//! How long a page stays as it is.

use axum::Json;
use axum::extract::State;
use recrawl_distribution::{Grid, Method, Samples, estimate};
use recrawl_model::{HistoryBuf, TimeUnit};
use serde::Serialize;
use utoipa::ToSchema;

use super::estimates::history_of;
use crate::extract::PageNumber;
use crate::problem::Problem;
use crate::state::App;

/// The law of the time between two updates.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DistributionRecord {
    method: &'static str,
    /// Empty where visits say too little; `note` tells.
    points: Vec<PointRecord>,
    /// What the reader should know.
    note: Option<String>,
}

/// The chance that an update comes within some days of the one before.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PointRecord {
    days: f64,
    probability: f64,
}

/// The distribution of the time between a page's updates.
#[utoipa::path(get, path = "/pages/{page}/distribution", tag = "page", params(("page" = u32, Path, description = "its number")),
    responses((status = 200, body = DistributionRecord),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn distribution(
    State(app): State<App>,
    PageNumber(page): PageNumber,
) -> Result<Json<DistributionRecord>, Problem> {
    let history = app.read(move |view| history_of(view, page)).await?;
    let history = history.ok_or_else(|| Problem::no_page(page))?;
    app.work(move |_| Ok(study(&history))).await.map(Json)
}

fn study(history: &HistoryBuf) -> DistributionRecord {
    let method = Method::default();
    let answer = Samples::from_history(history.view(), TimeUnit::Day).and_then(|samples| {
        let grid = Grid::for_samples(&samples, None, None)?;
        estimate(method, &samples, &grid)
    });
    match answer {
        Ok(distribution) => {
            let known = distribution.points.iter().filter_map(|point| {
                Some(PointRecord {
                    days: point.x,
                    probability: point.update_cdf.or(point.age_cdf)?.clamp(0.0, 1.0),
                })
            });
            let warnings = distribution.warnings.iter().map(ToString::to_string);
            let note = warnings.collect::<Vec<_>>().join("; ");
            DistributionRecord {
                method: method.name(),
                points: known.collect(),
                note: (!note.is_empty()).then_some(note),
            }
        }
        Err(error) => DistributionRecord {
            method: method.name(),
            points: Vec::new(),
            note: Some(error.to_string()),
        },
    }
}
