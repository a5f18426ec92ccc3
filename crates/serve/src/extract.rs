//! What requests carry, with problems in place of plain text when it is wrong.

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

/// A body of JSON.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(error) => {
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
