//! What other crawlers saw.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use recrawl_model::Timestamp;
use recrawl_store::Note;
use recrawl_watch::{Command, Learned, ask};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::pages::weight;
use super::records::{OutcomeName, moment};
use crate::extract::Body;
use crate::problem::Problem;
use crate::state::App;
use crate::view::View;

/// Observations that may be pushed at once.
const MOST: usize = 10_000;

/// Longest name, site or reason.
const MOST_TEXT: usize = 8_192;

/// How far ahead of ours another machine's clock may be, in days.
const AHEAD: f64 = 1.0 / 24.0;

/// What another crawler saw.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pushed {
    #[schema(min_items = 1, max_items = 10_000)]
    observations: Vec<PushedObservation>,
}

/// A visit somebody else made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PushedObservation {
    /// The page: its address, or any other name.
    #[schema(min_length = 1, max_length = 8192)]
    url: String,
    /// When it was seen.
    #[schema(format = DateTime)]
    time: String,
    /// What was seen.
    outcome: OutcomeName,
    /// Its site; by default the host of its address.
    #[schema(max_length = 8192)]
    site: Option<String>,
    /// Its importance, if it is new.
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    weight: Option<f64>,
    /// When the source says it was last modified.
    #[schema(format = DateTime)]
    last_modified: Option<String>,
    /// The HTTP status; 0 where there was no HTTP answer.
    #[schema(minimum = 0, maximum = 999)]
    status: Option<u16>,
    /// Why, where the outcome needs a word.
    #[schema(max_length = 8192)]
    reason: Option<String>,
}

/// What became of observations.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PushedAnswer {
    /// Observations taken in.
    taken: usize,
    /// Pages nobody knew before.
    new_pages: usize,
    /// Those that were not taken in, and why.
    ignored: Vec<Ignored>,
}

/// An observation that was not taken in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ignored {
    /// Its place in the request, from 0.
    index: usize,
    why: String,
}

/// Takes in what another crawler saw. Each page's observations must come in
/// order of time; what is older than what is known is ignored.
#[utoipa::path(post, path = "/observations", tag = "scheduler", request_body = Pushed,
    responses((status = 200, body = PushedAnswer),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 413, body = Problem, content_type = "application/problem+json"),
        (status = 415, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn push(
    State(app): State<App>,
    Body(pushed): Body<Pushed>,
) -> Result<Json<PushedAnswer>, Problem> {
    let count = pushed.observations.len();
    if count == 0 || count > MOST {
        return Err(Problem::bad(format!(
            "{count} observations; give 1 to {MOST} at once"
        )));
    }
    let seen: Result<Vec<Learned>, Problem> = pushed
        .observations
        .into_iter()
        .map(PushedObservation::learned)
        .collect();
    let (seen, now) = (seen?, app.now());
    // What is checked here must still be so when it is appended.
    let _alone = app.pushing.lock().await;
    let (seen, ignored, pages) = app.read(move |view| sort_out(view, seen, now)).await?;
    let taken = seen.len();
    let new_pages = if seen.is_empty() {
        0
    } else {
        ask(&app.commander, |reply| Command::Learn { seen, reply }).await?
    };
    app.settled().await;
    app.leases.end(pages);
    if new_pages > 0 {
        app.changed(); // plans know which pages were seen, not which joined
    }
    Ok(Json(PushedAnswer {
        taken,
        new_pages,
        ignored,
    }))
}

impl PushedObservation {
    fn learned(self) -> Result<Learned, Problem> {
        let long = [Some(&self.url), self.site.as_ref(), self.reason.as_ref()];
        if self.url.is_empty()
            || long
                .into_iter()
                .flatten()
                .any(|text| text.len() > MOST_TEXT)
        {
            let detail =
                format!("url, site and reason have {MOST_TEXT} bytes at most, url one at least");
            return Err(Problem::bad(detail));
        }
        if let Some(status) = self.status.filter(|&status| status > 999) {
            return Err(Problem::bad(format!(
                "status is {status}; it must be 0 to 999"
            )));
        }
        let noted = self.status.is_some() || self.reason.is_some();
        Ok(Learned {
            page: self.url,
            site: self.site.filter(|site| !site.is_empty()),
            weight: self.weight.map(weight).transpose()?,
            at: moment(&self.time)?,
            outcome: self.outcome.into(),
            last_modified: self.last_modified.as_deref().map(moment).transpose()?,
            note: noted.then(|| Note {
                status: self.status.unwrap_or(0),
                reason: self.reason.unwrap_or_default(),
                bytes: 0,
                millis: 0,
            }),
        })
    }
}

type SortedOut = (Vec<Learned>, Vec<Ignored>, Vec<recrawl_model::PageId>);

/// What can be taken in, what cannot, and the known pages among it.
fn sort_out(view: &View, seen: Vec<Learned>, now: Timestamp) -> SortedOut {
    let (mut taken, mut ignored, mut pages) = (Vec::new(), Vec::new(), Vec::new());
    let mut last: BTreeMap<String, Timestamp> = BTreeMap::new();
    for (index, learned) in seen.into_iter().enumerate() {
        let page = view.pages.find(&learned.page);
        let known = page.and_then(|page| view.pages.last_visit[page.index()]);
        let before = last.get(&learned.page).copied().max(known);
        let why = if learned.at.days_since(now) > AHEAD {
            Some(format!("{} is in the future", learned.at))
        } else if before.is_some_and(|before| learned.at <= before) {
            before.map(|before| {
                format!(
                    "{} is not after {before}, when the page was last visited",
                    learned.at
                )
            })
        } else {
            None
        };
        if let Some(why) = why {
            ignored.push(Ignored { index, why });
            continue;
        }
        last.insert(learned.page.clone(), learned.at);
        pages.extend(page);
        taken.push(learned);
    }
    (taken, ignored, pages)
}
