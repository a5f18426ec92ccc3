//! A server on loopback that does as it is told: [`Server`].

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustls::ServerConfig;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

use crate::{Identity, Reply, Request, connection};

/// What a server says, and what it was asked and sent.
pub(crate) struct Script {
    handler: Box<dyn Fn(&Request) -> Reply + Send + Sync>,
    requests: Mutex<Vec<Request>>,
    connections: AtomicUsize,
    pub(crate) sent: AtomicU64,
}

impl Script {
    /// Records a request and makes its reply.
    pub(crate) fn answer(&self, request: Request) -> Reply {
        let reply = (self.handler)(&request);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(request);
        reply
    }
}

/// What connections speak.
#[derive(Clone)]
enum Speech {
    Plain,
    Tls(Arc<ServerConfig>),
    Http2(Arc<ServerConfig>),
    /// Nothing: connections are taken and left alone.
    Silence,
}

/// A server on loopback, on a port of its own, that ends with this value.
pub struct Server {
    address: SocketAddr,
    scheme: &'static str,
    certificate: Option<String>,
    script: Arc<Script>,
    listening: JoinHandle<()>,
}

impl Server {
    /// Serves HTTP/1.1 on 127.0.0.1.
    pub async fn start(handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Self::start_at(Ipv4Addr::LOCALHOST.into(), handler).await
    }

    /// Serves HTTP/1.1 on another loopback address.
    pub async fn start_at(
        address: IpAddr,
        handler: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::listen(address, Speech::Plain, None, Box::new(handler)).await
    }

    /// Serves HTTP/1.1 over TLS.
    pub async fn start_tls(
        identity: Identity,
        handler: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let (certificate, config) = identity.into_config(b"http/1.1");
        let speech = Speech::Tls(config);
        let address = Ipv4Addr::LOCALHOST.into();
        Self::listen(address, speech, Some(certificate), Box::new(handler)).await
    }

    /// Serves HTTP/2 over TLS; replies are sent whole.
    pub async fn start_http2(
        identity: Identity,
        handler: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let (certificate, config) = identity.into_config(b"h2");
        let speech = Speech::Http2(config);
        let address = Ipv4Addr::LOCALHOST.into();
        Self::listen(address, speech, Some(certificate), Box::new(handler)).await
    }

    /// Takes connections and never says a word, not even a TLS greeting.
    pub async fn start_silent() -> Self {
        let handler = Box::new(|_: &Request| Reply::status(500));
        Self::listen(Ipv4Addr::LOCALHOST.into(), Speech::Silence, None, handler).await
    }

    #[expect(clippy::expect_used, reason = "a test cannot go on without its server")]
    async fn listen(
        address: IpAddr,
        speech: Speech,
        certificate: Option<String>,
        handler: Box<dyn Fn(&Request) -> Reply + Send + Sync>,
    ) -> Self {
        let listener = TcpListener::bind((address, 0)).await.expect("a free port");
        let script = Arc::new(Script {
            handler,
            requests: Mutex::default(),
            connections: AtomicUsize::new(0),
            sent: AtomicU64::new(0),
        });
        Self {
            address: listener.local_addr().expect("a bound socket"),
            scheme: if certificate.is_some() {
                "https"
            } else {
                "http"
            },
            certificate,
            listening: tokio::spawn(accept(listener, speech, Arc::clone(&script))),
            script,
        }
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a path, by address.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.address)
    }

    /// The URL of a path on a host of that name; see [`crate::Names`].
    #[must_use]
    pub fn url_on(&self, host: &str, path: &str) -> String {
        format!("{}://{host}:{}{path}", self.scheme, self.address.port())
    }

    /// The certificate in PEM, of a server with TLS.
    #[must_use]
    pub fn certificate(&self) -> Option<&str> {
        self.certificate.as_deref()
    }

    /// All requests so far, in the order they came.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        let requests = self.script.requests.lock();
        requests.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Connections taken so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.script.connections.load(Ordering::Relaxed)
    }

    /// Bytes of bodies the network took from us so far.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.script.sent.load(Ordering::Relaxed)
    }

    /// Ends the server and all its connections, as dropping it does.
    pub fn stop(self) {}
}

impl Drop for Server {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", self.url("/"))
    }
}

/// Takes connections for ever; they end together with this task.
async fn accept(listener: TcpListener, speech: Speech, script: Arc<Script>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        script.connections.fetch_add(1, Ordering::Relaxed);
        connections.spawn(converse(stream, speech.clone(), Arc::clone(&script)));
        while connections.try_join_next().is_some() {}
    }
}

/// One connection; what goes wrong on it is the client's to notice.
async fn converse(stream: TcpStream, speech: Speech, script: Arc<Script>) {
    match speech {
        Speech::Plain => {
            let _ = connection::serve(stream, script).await;
        }
        Speech::Tls(config) => {
            if let Ok(stream) = TlsAcceptor::from(config).accept(stream).await {
                let _ = connection::serve(stream, script).await;
            }
        }
        Speech::Http2(config) => {
            if let Ok(stream) = TlsAcceptor::from(config).accept(stream).await {
                connection::serve_http2(stream, script).await;
            }
        }
        Speech::Silence => std::future::pending::<()>().await,
    }
}
