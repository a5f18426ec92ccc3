//! Pages: a list of them, and more of them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use recrawl_model::Weight;
use recrawl_watch::{Command, ask};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::{IntoParams, ToSchema};

use super::records::{MOST_LISTED, PageRecord, StandingName, limit};
use crate::extract::{Body, Params};
use crate::problem::Problem;
use crate::state::App;
use crate::view::{Cursor, Direction, Question, Sort};

/// Pages that may be added at once.
const MOST_ADDED: usize = 10_000;

/// Largest importance: beyond it the others would not count at all.
const MOST_WEIGHT: f64 = 1e9;

/// Longest text searched for, and longest address.
const MOST_TEXT: usize = 8_192;

/// Which pages, in which order.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Filter {
    /// Text the address contains, as it is written.
    #[param(max_length = 8192)]
    q: Option<String>,
    /// What the address begins with.
    #[param(max_length = 8192)]
    prefix: Option<String>,
    /// The site.
    #[param(max_length = 8192)]
    site: Option<String>,
    /// The standing.
    #[param(inline)]
    standing: Option<StandingName>,
    /// What to sort by; what is not known comes last.
    #[param(inline)]
    sort: Option<SortName>,
    /// Rising or falling.
    #[param(inline)]
    order: Option<OrderName>,
    /// Most pages of the answer, 50 if not said.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
    /// `next` of the answer before.
    cursor: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SortName {
    Url,
    Rate,
    LastVisit,
    LastChange,
    Visits,
    Changes,
    Weight,
    Added,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OrderName {
    Asc,
    Desc,
}

/// Pages and where to go on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PageList {
    items: Vec<PageRecord>,
    /// The cursor of the next answer; none at the end.
    next: Option<String>,
    /// Pages that match in all.
    total: usize,
}

/// Pages by filter and order.
#[utoipa::path(get, path = "/pages", tag = "pages", params(Filter),
    responses((status = 200, body = PageList),
        (status = 400, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(
    State(app): State<App>,
    Params(filter): Params<Filter>,
) -> Result<Json<PageList>, Problem> {
    let (site, question) = filter.question()?;
    let (pulse, now) = (app.pulse().await?, app.now());
    app.read(move |view| {
        let mut question = question;
        question.rates = Arc::clone(&pulse.rates);
        if let Some(site) = &site {
            match view.sites.find(site) {
                Some(number) => question.site = Some(number),
                None => {
                    return PageList {
                        items: Vec::new(),
                        next: None,
                        total: 0,
                    };
                }
            }
        }
        let found = question.ask(&view.pages);
        let record = |&page: &u32| PageRecord::new(view, page, &pulse.rates, now);
        PageList {
            items: found.pages.iter().map(record).collect(),
            next: found.next.map(Cursor::text),
            total: found.total,
        }
    })
    .await
    .map(Json)
}

impl Filter {
    /// The site by name, and everything else as a question.
    fn question(self) -> Result<(Option<String>, Question), Problem> {
        let empty = |text: &String| !text.is_empty();
        for text in [&self.q, &self.prefix, &self.site].into_iter().flatten() {
            if text.len() > MOST_TEXT {
                let detail = format!("a text to search for is longer than {MOST_TEXT} bytes");
                return Err(Problem::bad(detail));
            }
        }
        let cursor = self.cursor.filter(empty).map(|text| Cursor::parse(&text));
        let question = Question {
            contains: self.q.filter(empty),
            prefix: self.prefix.filter(empty),
            site: None,
            standing: self.standing.map(recrawl_store::Standing::from),
            sort: self.sort.map_or(Sort::Url, Sort::from),
            direction: match self.order {
                Some(OrderName::Desc) => Direction::Falling,
                _ => Direction::Rising,
            },
            after: cursor.transpose()?,
            limit: limit(self.limit, 50, MOST_LISTED)?,
            rates: Arc::default(),
        };
        Ok((self.site.filter(empty), question))
    }
}

impl From<SortName> for Sort {
    fn from(name: SortName) -> Self {
        match name {
            SortName::Url => Self::Url,
            SortName::Rate => Self::Rate,
            SortName::LastVisit => Self::LastVisit,
            SortName::LastChange => Self::LastChange,
            SortName::Visits => Self::Visits,
            SortName::Changes => Self::Changes,
            SortName::Weight => Self::Weight,
            SortName::Added => Self::Added,
        }
    }
}

impl Cursor {
    fn text(self) -> String {
        format!("{:x}.{:x}", self.key, self.page)
    }

    fn parse(text: &str) -> Result<Self, Problem> {
        let parts = text.split_once('.');
        let number = |text| u64::from_str_radix(text, 16).ok();
        let cursor = parts.and_then(|(key, page)| {
            let page = u32::try_from(number(page)?).ok()?;
            Some(Self {
                key: number(key)?,
                page,
            })
        });
        cursor.ok_or_else(|| {
            Problem::bad(format!("`{text}` is no cursor")).hint("take `next` of the answer before")
        })
    }
}

/// Pages to be watched.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPages {
    #[schema(min_items = 1, max_items = 10_000)]
    pages: Vec<NewPage>,
}

/// A page to be watched.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPage {
    /// Its address, http or https.
    #[schema(pattern = "^https?://", min_length = 8, max_length = 8192)]
    url: String,
    /// Its importance, 1 if not said.
    #[schema(minimum = 0, maximum = 1_000_000_000)]
    weight: Option<f64>,
}

/// What became of pages that were to be watched.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AddedPages {
    /// New ones.
    added: usize,
    /// Known ones that were not watched.
    back: usize,
    /// Ones that were watched already.
    known: usize,
    /// Each of them, in the order asked.
    pages: Vec<AddedPage>,
}

/// A page and its number.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AddedPage {
    id: u32,
    url: String,
}

/// Watches pages from now on.
#[utoipa::path(post, path = "/pages", tag = "pages", request_body = NewPages,
    responses((status = 200, body = AddedPages),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 413, body = Problem, content_type = "application/problem+json"),
        (status = 415, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn add(
    State(app): State<App>,
    Body(new): Body<NewPages>,
) -> Result<Json<AddedPages>, Problem> {
    if new.pages.is_empty() || new.pages.len() > MOST_ADDED {
        let count = new.pages.len();
        return Err(Problem::bad(format!(
            "{count} pages; give 1 to {MOST_ADDED} at once"
        )));
    }
    let pages: Result<Vec<_>, Problem> = new.pages.iter().map(checked).collect();
    let pages = pages?;
    let urls: Vec<String> = pages.iter().map(|(url, _)| url.clone()).collect();
    let added = ask(&app.commander, |reply| Command::Add { pages, reply }).await?;
    app.settled().await;
    app.changed();
    let pages = added.pages.iter().zip(urls);
    Ok(Json(AddedPages {
        added: added.added,
        back: added.back,
        known: added.known,
        pages: pages
            .map(|(page, url)| AddedPage { id: page.0, url })
            .collect(),
    }))
}

fn checked(page: &NewPage) -> Result<(String, Option<Weight>), Problem> {
    let text = page.url.as_str();
    let begins = text.starts_with("http://") || text.starts_with("https://");
    let url = Url::parse(text).ok().filter(|url| {
        begins
            && matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.as_str().len() <= MOST_TEXT
    });
    let Some(url) = url else {
        let shown: String = page.url.chars().take(200).collect();
        return Err(
            Problem::bad(format!("`{shown}` is no address that can be watched"))
                .hint("give http://… or https://…, 8,192 bytes at most"),
        );
    };
    Ok((url.to_string(), page.weight.map(weight).transpose()?))
}

/// An importance.
pub(super) fn weight(value: f64) -> Result<Weight, Problem> {
    if !(0.0..=MOST_WEIGHT).contains(&value) {
        return Err(Problem::bad(format!(
            "weight is {value}; it must be 0 to {MOST_WEIGHT}"
        )));
    }
    Weight::new(value).map_err(|error| Problem::bad(error.to_string()))
}
