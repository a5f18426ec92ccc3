//! What requests carry, with problems in place of plain text when it is wrong.

use std::time::Duration;

use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// The parameters of a query; unknown ones are refused.
pub(crate) struct Params<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query = Query::<T>::try_from_uri(&parts.uri);
        let Query(params) = query.map_err(|error| Problem::bad(error.body_text()))?;
        Ok(Self(params))
    }
}

/// The number of a page in a path.
pub(crate) struct PageNumber(pub(crate) u32);

impl<S: Send + Sync> FromRequestParts<S> for PageNumber {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let number = Path::<u32>::from_request_parts(parts, state).await;
        let Path(number) = number.map_err(|error| Problem::bad(error.body_text()))?;
        Ok(Self(number))
    }
}

/// How long a body may take to come.
const BODY: Duration = Duration::from_secs(30);

/// A body of JSON.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let read = Json::<T>::from_request(request, state);
        match tokio::time::timeout(BODY, read).await {
            Ok(Ok(Json(body))) => Ok(Self(body)),
            Err(_) => {
                let detail = format!("the body did not come within {} seconds", BODY.as_secs());
                Err(Problem::new(
                    StatusCode::REQUEST_TIMEOUT,
                    "too slow",
                    detail,
                ))
            }
            Ok(Err(error)) => {
                let title = match error.status() {
                    StatusCode::PAYLOAD_TOO_LARGE => "too much at once",
                    StatusCode::UNSUPPORTED_MEDIA_TYPE => "not JSON",
                    _ => "bad request",
                };
                Err(Problem::new(error.status(), title, error.body_text()))
            }
        }
    }
}
