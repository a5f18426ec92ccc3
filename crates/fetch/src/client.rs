//! The client under the fetcher: hyper's pool of connections, TLS, addresses
//! judged by the [`Guard`], bodies decompressed. Redirects, retries and bounds
//! are the fetcher's own.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::header::{ACCEPT, AUTHORIZATION, FROM, HeaderMap, HeaderValue, USER_AGENT};
use hyper::{Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use percent_encoding::percent_decode_str;
use thiserror::Error;
use tower_http::decompression::{Decompression, DecompressionBody};
use tower_service::Service;
use url::Url;

use crate::guard::Guard;
use crate::{FetchError, Settings, tls};

/// Most bytes of all headers of an HTTP/2 answer. Over HTTP/1 the client itself
/// stops at 100 headers and 408 KiB.
const MOST_HEADER_BYTES: u32 = 64 << 10;

/// How often the system asks whether a silent connection is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Questions without an answer after which it is not.
const KEEP_ALIVE_RETRIES: u32 = 3;

pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A body as its decoder gives it.
pub(crate) type Body = DecompressionBody<Incoming>;

type Connector = InTime<HttpsConnector<HttpConnector<Guard>>>;

/// One pool of connections, with the headers every request has.
pub(crate) struct Client {
    service: Decompression<legacy::Client<Connector, Empty<Bytes>>>,
    headers: HeaderMap,
}

impl Client {
    pub(crate) fn new(settings: &Settings, guard: Guard) -> Result<Self, FetchError> {
        let mut http = HttpConnector::new_with_resolver(guard);
        http.enforce_http(false); // the one below speaks TLS through it
        http.set_nodelay(true);
        http.set_connect_timeout(Some(settings.connect_timeout));
        http.set_keepalive(Some(KEEP_ALIVE));
        http.set_keepalive_interval(Some(KEEP_ALIVE));
        http.set_keepalive_retries(Some(KEEP_ALIVE_RETRIES));
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls::config(&settings.extra_roots)?)
            .https_or_http()
            .enable_all_versions()
            .wrap_connector(http);
        let client = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(settings.idle_timeout)
            .pool_max_idle_per_host(settings.most_idle_per_host)
            .http2_max_header_list_size(MOST_HEADER_BYTES)
            .build(InTime {
                connector,
                limit: settings.connect_timeout,
            });
        Ok(Self {
            service: Decompression::new(client),
            headers: standing_headers(settings)?,
        })
    }

    /// A request for a page, to be completed and sent; none if its address
    /// cannot be asked for.
    pub(crate) fn request(&self, url: &Url) -> Option<Request<Empty<Bytes>>> {
        let mut request = Request::new(Empty::new());
        request.headers_mut().clone_from(&self.headers);
        let uri = if url.username().is_empty() && url.password().is_none() {
            Uri::try_from(url.as_str())
        } else {
            let headers = request.headers_mut();
            headers.insert(AUTHORIZATION, credentials(url)?);
            let mut bare = url.clone();
            bare.set_username("").ok()?;
            bare.set_password(None).ok()?;
            Uri::try_from(bare.as_str())
        };
        *request.uri_mut() = uri.ok()?;
        Some(request)
    }

    pub(crate) async fn send(
        &self,
        request: Request<Empty<Bytes>>,
    ) -> Result<Response<Body>, legacy::Error> {
        // Clients of hyper are always ready: they open as many connections as it takes.
        self.service.clone().call(request).await
    }
}

/// The headers that settings ask for.
///
/// # Errors
/// [`FetchError`] names the one that cannot be.
pub(crate) fn standing_headers(settings: &Settings) -> Result<HeaderMap, FetchError> {
    let mut headers = HeaderMap::with_capacity(8);
    if let Some(from) = &settings.from {
        headers.insert(FROM, header_value("From", from)?);
    }
    let agent = header_value("User-Agent", &settings.user_agent)?;
    headers.insert(USER_AGENT, agent);
    headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
    Ok(headers)
}

fn header_value(header: &'static str, value: &str) -> Result<HeaderValue, FetchError> {
    HeaderValue::from_str(value).map_err(|_| FetchError::Header {
        header,
        value: value.to_owned(),
    })
}

/// A name and a password in an address are sent as browsers send them.
fn credentials(url: &Url) -> Option<HeaderValue> {
    let mut plain: Vec<u8> = percent_decode_str(url.username()).collect();
    plain.push(b':');
    plain.extend(percent_decode_str(url.password().unwrap_or_default()));
    let coded = format!("Basic {}", BASE64_STANDARD.encode(plain));
    let mut value = HeaderValue::try_from(coded).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// A connection with its TLS, or an error after a while.
#[derive(Clone)]
struct InTime<C> {
    connector: C,
    limit: Duration,
}

/// A host did not take a connection in time.
#[derive(Debug, Error)]
#[error("no connection in time")]
pub(crate) struct TooSlow;

impl<C> Service<Uri> for InTime<C>
where
    C: Service<Uri, Error = BoxError>,
    C::Future: Send + 'static,
{
    type Response = C::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<C::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connected = tokio::time::timeout(self.limit, self.connector.call(uri));
        Box::pin(async move { connected.await.map_err(|_| TooSlow)? })
    }
}
