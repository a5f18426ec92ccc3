//! The JSON API, a file a resource. `openapi` is made from the same code.

mod activity;
mod cycles;
mod distribution;
mod estimates;
mod health;
mod history;
mod next;
mod observations;
mod overview;
mod page;
mod pages;
mod plan;
mod policies;
mod records;
mod sites;
mod stream;
mod versions;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio_util::sync::CancellationToken;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::problem::Problem;
use crate::state::App;

pub(crate) use overview::{Overview, current};
pub(crate) use policies::Made;
pub(crate) use records::VisitRecord;

/// Where this version of the API is.
const BASE: &str = "/api/v1";

/// Most bytes of a request: ten thousand observations, and long addresses.
const MOST_BODY: usize = 16 << 20;

/// What the document says of itself.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Recrawl",
        description = "What a collection does, what is due and why; any crawler may push what it saw and ask what to visit next.",
        license(name = "Apache-2.0 OR MIT", identifier = "Apache-2.0 OR MIT"),
    ),
    components(schemas(Problem))
)]
struct Document;

fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(health::health))
        .routes(routes!(health::ready))
        .routes(routes!(overview::overview))
        .routes(routes!(pages::list, pages::add))
        .routes(routes!(page::show, page::change, page::remove))
        .routes(routes!(history::history))
        .routes(routes!(estimates::estimates))
        .routes(routes!(distribution::distribution))
        .routes(routes!(next::next))
        .routes(routes!(versions::versions))
        .routes(routes!(versions::diff))
        .routes(routes!(sites::list))
        .routes(routes!(cycles::list))
        .routes(routes!(activity::errors))
        .routes(routes!(activity::activity))
        .routes(routes!(stream::stream))
        .routes(routes!(policies::show, policies::refresh))
        .routes(routes!(observations::push))
        .routes(routes!(plan::plan))
}

/// The OpenAPI document of the API, as `/api/v1/openapi.json` serves it.
#[must_use]
pub fn openapi() -> String {
    let nested = OpenApiRouter::new().nest(BASE, routes());
    let (_, document) = nested.split_for_parts();
    document.to_pretty_json().unwrap_or_default()
}

/// All of it, the stream of events included.
pub(crate) fn router(stop: &CancellationToken) -> Router<App> {
    let (router, _): (Router<App>, _) = OpenApiRouter::new().nest(BASE, routes()).split_for_parts();
    let document: &'static str = openapi().leak(); // once a process
    let json = [("content-type", "application/json")];
    router
        .route(
            &format!("{BASE}/openapi.json"),
            get(async move || (json, document)),
        )
        .layer(axum::Extension(stop.clone()))
        .layer(DefaultBodyLimit::max(MOST_BODY))
}

/// What is there and asked for in a way it does not know.
pub(crate) async fn wrong_method(uri: Uri) -> Response {
    let detail = format!("`{}` is asked another way", uri.path());
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong method", detail)
        .hint("GET /api/v1/openapi.json tells what there is")
        .into_response()
}

/// Whatever is asked for and not there.
pub(crate) async fn nothing_here(uri: Uri) -> Response {
    let detail = format!("nothing is at `{}`", uri.path());
    Problem::new(StatusCode::NOT_FOUND, "not found", detail)
        .hint("GET /api/v1/openapi.json tells what there is")
        .into_response()
}
