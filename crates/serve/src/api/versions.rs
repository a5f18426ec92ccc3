//! What is kept of a page's bodies, and what differs between the last two.

use axum::Json;
use axum::extract::State;
use recrawl_detect::{Body, Detector, Settings};
use recrawl_model::{PageId, Timestamp};
use recrawl_store::Version;
use recrawl_watch::{Command, Looked, ask};
use serde::Serialize;
use utoipa::ToSchema;

use crate::extract::PageNumber;
use crate::problem::Problem;
use crate::state::App;

/// Versions kept of a page, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VersionList {
    items: Vec<VersionRecord>,
}

/// A version.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VersionRecord {
    /// When it was received.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    content_type: Option<String>,
    bytes: usize,
}

/// What differs between the last two versions, of what is looked at.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DiffRecord {
    #[schema(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    lines: Vec<DiffLine>,
    /// What the reader should know.
    note: Option<String>,
}

/// A line of text; never HTML.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DiffLine {
    kind: LineKind,
    text: String,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LineKind {
    Same,
    Added,
    Removed,
    Skipped,
}

/// The versions kept of a page.
#[utoipa::path(get, path = "/pages/{page}/versions", tag = "page", params(("page" = u32, Path, description = "its number")),
    responses((status = 200, body = VersionList),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn versions(
    State(app): State<App>,
    PageNumber(page): PageNumber,
) -> Result<Json<VersionList>, Problem> {
    let looked = look(&app, page).await?;
    let record = |version: &Version| VersionRecord {
        at: version.at,
        content_type: version.content_type.clone(),
        bytes: version.body.len(),
    };
    let items = looked.versions.iter().map(record).collect();
    Ok(Json(VersionList { items }))
}

/// The last change of a page, line by line.
#[utoipa::path(get, path = "/pages/{page}/diff", tag = "page", params(("page" = u32, Path, description = "its number")),
    responses((status = 200, body = DiffRecord),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn diff(
    State(app): State<App>,
    PageNumber(page): PageNumber,
) -> Result<Json<DiffRecord>, Problem> {
    let looked = look(&app, page).await?;
    app.work(move |_| difference(&looked)).await.map(Json)
}

async fn look(app: &App, page: u32) -> Result<Looked, Problem> {
    let page = PageId(page);
    Ok(ask(&app.commander, |reply| Command::Look { page, reply }).await?)
}

fn difference(looked: &Looked) -> Result<DiffRecord, Problem> {
    let (new, old) = (looked.versions.first(), looked.versions.get(1));
    let (Some(new), Some(old)) = (new, old) else {
        let kept = looked.versions.len();
        let note = format!("{kept} of the two versions a change needs are kept");
        return Ok(DiffRecord {
            from: None,
            to: new.map(|new| new.at),
            lines: Vec::new(),
            note: Some(note),
        });
    };
    let settings: Option<Settings> = looked
        .detect
        .as_deref()
        .and_then(|text| serde_json::from_str(text).ok());
    let detector = Detector::new(&settings.unwrap_or_default());
    let detector = detector.map_err(|error| Problem::failed(error.to_string()))?;
    let diff = detector.diff(&body(old), &body(new));
    let cut = "the difference is longer than what is shown";
    let same = "nothing that is looked at differs";
    let note = match (diff.truncated, diff.is_empty()) {
        (true, _) => Some(cut.to_owned()),
        (_, true) => Some(same.to_owned()),
        _ => None,
    };
    Ok(DiffRecord {
        from: Some(old.at),
        to: Some(new.at),
        lines: diff.text.lines().map(line).collect(),
        note,
    })
}

fn body(version: &Version) -> Body<'_> {
    Body::new(&version.body, version.content_type.as_deref())
}

fn line(line: &str) -> DiffLine {
    let (kind, text) = match line.as_bytes().first() {
        Some(b'+') => (LineKind::Added, &line[1..]),
        Some(b'-') => (LineKind::Removed, &line[1..]),
        Some(b'@') => (LineKind::Skipped, line),
        Some(b' ') => (LineKind::Same, &line[1..]),
        _ => (LineKind::Same, line),
    };
    DiffLine {
        kind,
        text: text.to_owned(),
    }
}
