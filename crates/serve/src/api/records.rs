//! What several answers are made of.

use recrawl_estimate::Belief;
use recrawl_model::{Explanation, Outcome, Timestamp};
use recrawl_store::Standing;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::insight::Interval;
use crate::problem::Problem;
use crate::view::{Kept, View};

/// Most entries of one answer.
pub(crate) const MOST_LISTED: usize = 500;

/// A page in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PageRecord {
    /// Its number.
    id: u32,
    /// Its address, or any other name.
    url: String,
    /// The group it is sampled with.
    site: String,
    /// Whether it is visited.
    standing: StandingName,
    /// Its importance.
    weight: f64,
    /// When it was added.
    #[schema(value_type = String, format = DateTime)]
    added: Timestamp,
    /// Visits of the whole log.
    visits: u32,
    /// Visits that saw a change.
    changes: u32,
    /// Visits that failed.
    failures: u32,
    /// When it was last visited.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_visit: Option<Timestamp>,
    /// What that visit taught.
    last_outcome: Option<OutcomeName>,
    /// When a visit last saw a change.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_change: Option<Timestamp>,
    /// How often it changes, as its visits and its site make it likely; none
    /// before two visits.
    rate_per_day: Option<f64>,
    /// Chance that the copy is up to date.
    freshness: Option<f64>,
}

impl PageRecord {
    /// A page of the view; `rates` are those of the sites.
    pub(crate) fn new(view: &View, page: u32, rates: &[f64], now: Timestamp) -> Self {
        let (index, pages) = (page as usize, &view.pages);
        let unseen = pages.last_seen[index].map(|seen| now.days_since(seen).max(0.0));
        let learned = pages.learned[index];
        // A site that joined after the rates were made has none yet.
        let of_site = rates.get(pages.site[index] as usize);
        let belief = of_site.map(|rate| learned.with(*rate));
        Self {
            id: page,
            url: pages.urls.get(index).to_owned(),
            site: view.sites.name(pages.site[index]).to_owned(),
            standing: pages.standing[index].into(),
            weight: pages.weight[index].get(),
            added: pages.added[index],
            visits: pages.visits[index],
            changes: pages.changes[index],
            failures: pages.failures[index],
            last_visit: pages.last_visit[index],
            last_outcome: pages.last_outcome[index].map(OutcomeName::from),
            last_change: pages.last_change[index],
            rate_per_day: belief.filter(|_| learned.is_something()).map(Belief::mean),
            freshness: belief.zip(unseen).map(|(belief, days)| belief.fresh(days)),
        }
    }
}

/// A visit.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VisitRecord {
    /// Its number; 0 for one made elsewhere.
    visit: u64,
    #[schema(value_type = String, format = DateTime)]
    time: Timestamp,
    /// The page's number.
    page: u32,
    url: String,
    site: String,
    outcome: OutcomeName,
    /// The HTTP status; 0 where there was no HTTP answer.
    status: u16,
    /// Why, where the outcome needs a word.
    reason: Option<String>,
    bytes: u32,
    millis: u32,
}

impl VisitRecord {
    pub(crate) fn new(view: &View, visit: u64, kept: &Kept) -> Self {
        let page = kept.page.index();
        Self {
            visit,
            time: kept.at,
            page: kept.page.0,
            url: view.pages.urls.get(page).to_owned(),
            site: view.sites.name(view.pages.site[page]).to_owned(),
            outcome: kept.outcome.into(),
            status: kept.status,
            reason: view.reasons.text(kept.reason).map(str::to_owned),
            bytes: kept.bytes,
            millis: kept.millis,
        }
    }
}

/// Whether a page is visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StandingName {
    Watched,
    Paused,
    Gone,
    Removed,
}

impl From<Standing> for StandingName {
    fn from(standing: Standing) -> Self {
        match standing {
            Standing::Watched => Self::Watched,
            Standing::Paused => Self::Paused,
            Standing::Gone => Self::Gone,
            Standing::Removed => Self::Removed,
        }
    }
}

impl From<StandingName> for Standing {
    fn from(name: StandingName) -> Self {
        match name {
            StandingName::Watched => Self::Watched,
            StandingName::Paused => Self::Paused,
            StandingName::Gone => Self::Gone,
            StandingName::Removed => Self::Removed,
        }
    }
}

/// What a visit taught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OutcomeName {
    First,
    Changed,
    Unchanged,
    Unknown,
}

impl From<Outcome> for OutcomeName {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::First => Self::First,
            Outcome::Changed => Self::Changed,
            Outcome::Unchanged => Self::Unchanged,
            Outcome::Unknown => Self::Unknown,
        }
    }
}

impl From<OutcomeName> for Outcome {
    fn from(name: OutcomeName) -> Self {
        match name {
            OutcomeName::First => Self::First,
            OutcomeName::Changed => Self::Changed,
            OutcomeName::Unchanged => Self::Unchanged,
            OutcomeName::Unknown => Self::Unknown,
        }
    }
}

/// A number, what it means, and the numbers it was made from.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Why {
    /// The number; none where it is beyond all bounds.
    value: Option<f64>,
    /// What it means, in a few words.
    meaning: String,
    /// What it was made from.
    #[schema(no_recursion)]
    because: Vec<Why>,
}

impl From<Explanation> for Why {
    fn from(why: Explanation) -> Self {
        Self {
            value: Some(why.value).filter(|value| value.is_finite()),
            meaning: why.meaning,
            because: why.parts.into_iter().map(Self::from).collect(),
        }
    }
}

/// A value and where it is with 95 %.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Between {
    value: f64,
    low: f64,
    high: f64,
}

impl Between {
    /// The interval times `unit`.
    pub(crate) fn new(interval: Interval, unit: f64) -> Self {
        Self {
            value: interval.value * unit,
            low: interval.low * unit,
            high: interval.high * unit,
        }
    }
}

/// How many.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Most {
    /// Most entries of the answer, 50 if not said.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
}

impl Most {
    pub(crate) fn entries(&self) -> Result<usize, Problem> {
        limit(self.limit, 50, MOST_LISTED)
    }
}

/// A count within its bounds.
pub(crate) fn limit(given: Option<usize>, usual: usize, most: usize) -> Result<usize, Problem> {
    match given {
        None => Ok(usual),
        Some(limit) if (1..=most).contains(&limit) => Ok(limit),
        Some(limit) => Err(Problem::bad(format!(
            "limit is {limit}; it must be 1 to {most}"
        ))),
    }
}

/// A moment in a query or a body: RFC 3339, and nothing else a log may hold.
pub(crate) fn moment(text: &str) -> Result<Timestamp, Problem> {
    let date = text.len() >= 20 && text.as_bytes()[4] == b'-';
    let moment = Timestamp::parse(text).ok().filter(|_| date);
    moment.ok_or_else(|| {
        let shown: String = text.chars().take(100).collect();
        Problem::bad(format!(
            "`{shown}` is no RFC 3339 time, as 2026-01-31T12:00:00Z"
        ))
    })
}
