//! Sites side by side.

use std::cmp::Ordering;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::pages::OrderName;
use super::records::{MOST_LISTED, limit};
use crate::extract::Params;
use crate::insight::{Pulse, Sums};
use crate::problem::Problem;
use crate::state::App;
use crate::view::View;

/// Which sites, in which order.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Filter {
    /// Text the name contains.
    q: Option<String>,
    /// What to sort by; what is not known comes last.
    #[param(inline)]
    sort: Option<SortName>,
    /// Rising or falling.
    #[param(inline)]
    order: Option<OrderName>,
    /// Most sites of the answer, 50 if not said.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
    /// `next` of the answer before.
    cursor: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SortName {
    Site,
    Pages,
    Visits,
    Changes,
    ShareChanged,
    Rate,
    BudgetShare,
    Errors,
    Freshness,
}

/// Sites and where to go on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SiteList {
    items: Vec<SiteRecord>,
    /// The cursor of the next answer; none at the end.
    next: Option<String>,
    /// Sites that match in all.
    total: usize,
}

/// A site.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SiteRecord {
    site: String,
    /// Pages watched now.
    pages: u32,
    visits: u64,
    /// Visits that saw a change.
    changes: u64,
    /// Visits that failed.
    errors: u64,
    /// Visits that saw a change, as a share of those that compared.
    share_changed: Option<f64>,
    /// Mean rate of its pages.
    rate_per_day: Option<f64>,
    /// Its share of all visits.
    budget_share: f64,
    /// Expected share of its copies that are up to date.
    freshness: Option<f64>,
    /// Expected changes nobody has seen yet.
    undetected_changes: Option<f64>,
}

/// Sites by filter and order.
#[utoipa::path(get, path = "/sites", tag = "sites", params(Filter),
    responses((status = 200, body = SiteList),
        (status = 400, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(
    State(app): State<App>,
    Params(filter): Params<Filter>,
) -> Result<Json<SiteList>, Problem> {
    let most = limit(filter.limit, 50, MOST_LISTED)?;
    let cursor = filter.cursor.as_deref().filter(|text| !text.is_empty());
    let parse = |text: &str| {
        text.parse::<usize>()
            .map_err(|_| Problem::bad(format!("`{text}` is no cursor")))
    };
    let from = cursor.map(parse).transpose()?.unwrap_or(0);
    let pulse = app.pulse().await?;
    app.read(move |view| {
        let mut sites = records(view, &pulse, filter.q.as_deref().unwrap_or_default());
        let falling = filter.order == Some(OrderName::Desc);
        let sort = filter.sort.unwrap_or(SortName::Site);
        sites.sort_by(|a, b| compare(a, b, sort, falling).then_with(|| a.site.cmp(&b.site)));
        let end = from.saturating_add(most);
        let items: Vec<SiteRecord> = sites.iter().skip(from).take(most).cloned().collect();
        SiteList {
            next: (end < sites.len()).then(|| end.to_string()),
            total: sites.len(),
            items,
        }
    })
    .await
    .map(Json)
}

fn records(view: &View, pulse: &Pulse, text: &str) -> Vec<SiteRecord> {
    let visits: u64 = view.totals.iter().sum();
    let named = view.sites.rows().filter(|(_, name, _)| name.contains(text));
    named
        .map(|(number, name, row)| {
            // Sites that joined after the pulse was taken have none yet.
            let sums = pulse.sites.get(number as usize);
            let compared = row.compared > 0;
            SiteRecord {
                site: name.to_owned(),
                pages: row.pages,
                visits: row.visits,
                changes: row.changes,
                errors: row.errors,
                share_changed: compared.then(|| row.changes as f64 / row.compared as f64),
                rate_per_day: sums.and_then(Sums::rate),
                budget_share: row.visits as f64 / visits.max(1) as f64,
                freshness: sums.and_then(|sums| Some(sums.freshness()?.value)),
                undetected_changes: sums.and_then(|sums| Some(sums.undetected()?.value)),
            }
        })
        .collect()
}

fn compare(a: &SiteRecord, b: &SiteRecord, sort: SortName, falling: bool) -> Ordering {
    let key = |site: &SiteRecord| match sort {
        SortName::Site => None,
        SortName::Pages => Some(f64::from(site.pages)),
        SortName::Visits => Some(site.visits as f64),
        SortName::Changes => Some(site.changes as f64),
        SortName::ShareChanged => site.share_changed,
        SortName::Rate => site.rate_per_day,
        SortName::BudgetShare => Some(site.budget_share),
        SortName::Errors => Some(site.errors as f64),
        SortName::Freshness => site.freshness,
    };
    if matches!(sort, SortName::Site) {
        let rising = a.site.cmp(&b.site);
        return if falling { rising.reverse() } else { rising };
    }
    match (key(a), key(b)) {
        (Some(a), Some(b)) if falling => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => a.is_none().cmp(&b.is_none()),
    }
}
