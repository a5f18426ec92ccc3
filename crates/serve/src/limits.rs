//! How long a request may take, and what is said when a handler breaks.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use crate::problem::Problem;

/// How long an answer may take to begin.
const ANSWER: Duration = Duration::from_secs(60);

/// Answers in time, and with a problem where the handler broke.
pub(crate) async fn check(request: Request, next: Next) -> Response {
    let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
    match tokio::time::timeout(ANSWER, answer).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => {
            Problem::failed("the server made a mistake with this request").into_response()
        }
        Err(_) => {
            let detail = format!("no answer within {} seconds", ANSWER.as_secs());
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too slow", detail).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use axum::routing::get;
    use tower::ServiceExt;

    #[tokio::test]
    async fn a_handler_that_breaks_is_a_problem_and_not_the_end() {
        async fn breaks() -> &'static str {
            panic!("as a test wants it")
        }
        let router = Router::new()
            .route("/", get(breaks))
            .layer(axum::middleware::from_fn(check));
        let request = Request::new(Body::empty());
        let response = router.oneshot(request).await.expect("an answer");
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(
            response.headers()["content-type"],
            "application/problem+json"
        );
    }
}
