//! The server of the demo: [`Server`].

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use recrawl_model::Timestamp;
use recrawl_watch::Clock;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::content::response;
use crate::world::World;

/// Serves a world on a free port of this machine; stops when dropped.
pub(crate) struct Server {
    address: SocketAddr,
    task: JoinHandle<()>,
}

/// What a request needs to be answered.
struct Service {
    world: Arc<World>,
    clock: Arc<dyn Clock>,
    began: Timestamp,
    visits: AtomicU64,
}

impl Server {
    /// Starts to serve.
    pub(crate) async fn start(
        world: Arc<World>,
        clock: Arc<dyn Clock>,
        began: Timestamp,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let service = Arc::new(Service {
            world,
            clock,
            began,
            visits: AtomicU64::new(0),
        });
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let service = Arc::clone(&service);
                tokio::spawn(async move {
                    let answer = service_fn(|request| {
                        let answer = service.answer(&request);
                        async move { Ok::<_, Infallible>(answer) }
                    });
                    // A visitor who hangs up is no concern of ours.
                    let _ = hyper::server::conn::http1::Builder::new()
                        .timer(TokioTimer::new())
                        .serve_connection(TokioIo::new(stream), answer)
                        .await;
                });
            }
        });
        Ok(Self { address, task })
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Service {
    fn answer(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        let Some(page) = self.page(request) else {
            return plain(404, "no such page\n");
        };
        let visit = self.visits.fetch_add(1, Ordering::Relaxed);
        let now = self.clock.wall();
        let day = now.days_since(self.began);
        let began = self.began.micros().max(0).unsigned_abs();
        let began = Duration::from_micros(began);
        let answer = response(&self.world, page, began, day, visit);
        let known = request.headers().get(header::IF_NONE_MATCH);
        let unchanged = known.is_some()
            && known.map(HeaderValue::as_bytes) == answer.etag.as_deref().map(str::as_bytes);
        let (status, body) = if unchanged {
            (304, String::new())
        } else {
            (answer.status, answer.body)
        };
        let mut response = plain(status, body);
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(answer.content_type),
        );
        let told = [
            (header::ETAG, answer.etag),
            (header::LAST_MODIFIED, answer.last_modified),
        ];
        for (name, value) in told {
            if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
                headers.insert(name, value);
            }
        }
        response
    }

    /// The page a request means: by host and by number within the site.
    fn page(&self, request: &Request<Incoming>) -> Option<usize> {
        let host = request.headers().get(header::HOST)?.to_str().ok()?;
        let host = host.split_once(':').map_or(host, |(host, _)| host);
        let site = self.world.sites().iter().find(|site| site.host == host)?;
        let number: usize = request.uri().path().strip_prefix("/page/")?.parse().ok()?;
        let page = site.pages.start.checked_add(number)?;
        site.pages.contains(&page).then_some(page)
    }
}

fn plain(status: u16, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    if let Ok(status) = hyper::StatusCode::from_u16(status) {
        *response.status_mut() = status;
    }
    response
}
