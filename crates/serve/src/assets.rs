//! The dashboard's files, built into the program.

use std::io::Write;
use std::sync::LazyLock;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::state::App;

/// A file as it is sent.
struct Asset {
    kind: &'static str,
    bytes: &'static [u8],
    packed: Vec<u8>,
}

impl Asset {
    fn new(kind: &'static str, bytes: &'static [u8]) -> Self {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        // Writing to memory cannot fail.
        let packed = packer.write_all(bytes).and_then(|()| packer.finish());
        Self {
            kind,
            bytes,
            packed: packed.unwrap_or_default(),
        }
    }

    fn send(&self, headers: &HeaderMap) -> Response {
        let accepted = headers.get(header::ACCEPT_ENCODING);
        let accepted = accepted
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let gzip = accepted
            .split(',')
            .any(|one| one.trim().starts_with("gzip"));
        let kind = (header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        // The files change only with the program, whose version nobody sees.
        let cache = (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if gzip && !self.packed.is_empty() {
            let packed = (header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            return ([kind, cache, packed], self.packed.clone()).into_response();
        }
        ([kind, cache], self.bytes).into_response()
    }
}

static INDEX: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "text/html; charset=utf-8",
        include_bytes!("../assets/index.html"),
    )
});
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "text/javascript; charset=utf-8",
        include_bytes!("../assets/app.js"),
    )
});
static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "text/css; charset=utf-8",
        include_bytes!("../assets/app.css"),
    )
});
static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("image/svg+xml", include_bytes!("../assets/icon.svg")));

/// The pages of the dashboard, all of them one file, and what it needs.
pub(crate) fn router() -> Router<App> {
    let mut router = Router::new()
        .route(
            "/app.js",
            get(async |headers: HeaderMap| SCRIPT.send(&headers)),
        )
        .route(
            "/app.css",
            get(async |headers: HeaderMap| STYLE.send(&headers)),
        )
        .route(
            "/icon.svg",
            get(async |headers: HeaderMap| ICON.send(&headers)),
        );
    for path in [
        "/",
        "/sites",
        "/pages",
        "/pages/{page}",
        "/policies",
        "/activity",
    ] {
        router = router.route(path, get(async |headers: HeaderMap| INDEX.send(&headers)));
    }
    router
}
