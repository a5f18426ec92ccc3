//! What went wrong, for programs and people: [`Problem`].

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use recrawl_engine::PolicyError;
use recrawl_watch::CommandError;
use serde::Serialize;
use utoipa::ToSchema;

/// What went wrong (RFC 9457).
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// In a few words.
    title: String,
    /// The HTTP status.
    status: u16,
    /// The thing and the limit.
    detail: String,
    /// The way out.
    hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, title: &str, detail: impl Into<String>) -> Self {
        Self {
            title: title.to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            hint: None,
        }
    }

    /// A request that makes no sense.
    pub(crate) fn bad(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad request", detail)
    }

    /// A page that is not there.
    pub(crate) fn no_page(page: u32) -> Self {
        let detail = format!("page {page} is not in the store");
        Self::new(StatusCode::NOT_FOUND, "no such page", detail)
            .hint("GET /api/v1/pages lists the pages with their numbers")
    }

    /// Something that is not the asker's fault.
    pub(crate) fn failed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", detail)
    }

    pub(crate) fn hint(mut self, hint: &str) -> Self {
        self.hint = Some(hint.to_owned());
        self
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_string(&self).unwrap_or_default();
        let kind = HeaderValue::from_static("application/problem+json");
        (status, [(header::CONTENT_TYPE, kind)], body).into_response()
    }
}

impl From<tokio::task::JoinError> for Problem {
    fn from(_: tokio::task::JoinError) -> Self {
        Self::failed("a computation ended before it was done")
    }
}

impl From<PolicyError> for Problem {
    fn from(error: PolicyError) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<CommandError> for Problem {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::NoSuchPage(page) => Self::no_page(page),
            CommandError::Store(_) => Self::failed(error.to_string()),
            CommandError::Ended => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "ended", error.to_string())
            }
        }
    }
}
