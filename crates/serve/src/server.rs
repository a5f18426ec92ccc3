//! The server itself: [`bind`] and [`Bound::serve`].

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use recrawl_watch::{Clock, Commander};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::settings::{Access, Settings};
use crate::state::{App, State};
use crate::{Board, ServeError, api, assets, guard, limits, metrics};

/// How long a client may take to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Connections at a time; more wait to be accepted.
const MOST_CONNECTIONS: u64 = 4_096;

/// Open files that are left to the watcher and the store.
const FILES_OF_OTHERS: u64 = 512;

/// How long answers under way may take once the server is told to stop.
const FAREWELL: Duration = Duration::from_secs(1);

/// A server at work on threads of its own. Dropped, it stops as
/// [`Running::stop`] does, without waiting.
pub struct Running {
    address: SocketAddr,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets answers under way end for a moment, then ends.
    pub fn stop(mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // it has nothing to say
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// An address that is taken, before anything is read or served.
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
}

/// Takes the address, so that one that is taken already is told at once.
///
/// # Errors
/// [`ServeError::Open`] for an address others can reach without a token, or
/// what the operating system said.
pub fn bind(settings: Settings) -> Result<Bound, ServeError> {
    let local = settings.address.ip().is_loopback();
    if !local && matches!(settings.access, Access::Local) {
        return Err(ServeError::Open(settings.address));
    }
    let address = settings.address;
    let refused = |cause| ServeError::Bind { address, cause };
    let listener = TcpListener::bind(address).map_err(refused)?;
    listener.set_nonblocking(true).map_err(refused)?;
    Ok(Bound {
        address: listener.local_addr().map_err(refused)?,
        listener,
        settings,
    })
}

impl Bound {
    /// Where it will listen.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves what the board says; what changes something goes to `commander`.
    ///
    /// # Errors
    /// [`ServeError::Threads`].
    pub fn serve(
        self,
        board: Board,
        commander: Commander,
        clock: Arc<dyn Clock>,
    ) -> Result<Running, ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(16)
            .thread_name("recrawl-serve")
            .enable_all()
            .build()
            .map_err(ServeError::Threads)?;
        let app = Arc::new(State::new(self.settings, board.shared(), commander, clock));
        let stop = CancellationToken::new();
        let router = router(Arc::clone(&app), &stop);
        let (told, listener) = (stop.clone(), self.listener);
        let (ready, wait) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("recrawl-serve".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    // A problem is told to who asks.
                    let _ = api::current(&app).await;
                    let _ = ready.send(());
                    accept(listener, router, &told).await;
                });
                runtime.shutdown_timeout(FAREWELL);
                drop(board);
            })
            .map_err(ServeError::Threads)?;
        // Of a large store the first overview takes seconds: it is there when
        // the address is told. Whoever connects meanwhile waits to be accepted.
        let _ = wait.recv();
        Ok(Running {
            address: self.address,
            stop,
            thread: Some(thread),
        })
    }
}

fn router(app: App, stop: &CancellationToken) -> Router {
    api::router(stop)
        .merge(metrics::router())
        .merge(assets::router())
        .fallback(api::nothing_here)
        .method_not_allowed_fallback(api::wrong_method)
        .layer(axum::middleware::from_fn(limits::check))
        .layer(axum::middleware::from_fn_with_state(
            Arc::clone(&app),
            guard::check,
        ))
        .with_state(app)
}

/// How many connections there may be: lets the process have as many files open
/// as it may, and leaves some of them to others.
fn places() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = MOST_CONNECTIONS + FILES_OF_OTHERS;
    let raised = Rlimit {
        current: limit
            .maximum
            .map_or(Some(wanted), |most| Some(most.min(wanted))),
        maximum: limit.maximum,
    };
    if limit.current < raised.current && setrlimit(Resource::Nofile, raised).is_ok() {
        limit = raised;
    }
    let files = limit.current.unwrap_or(u64::MAX);
    let places = files
        .saturating_sub(FILES_OF_OTHERS)
        .clamp(32, MOST_CONNECTIONS);
    usize::try_from(places).unwrap_or(usize::MAX)
}

/// Accepts connections until told to stop.
async fn accept(listener: TcpListener, router: Router, stop: &CancellationToken) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return; // without a reactor, which this runtime has
    };
    let places = Arc::new(Semaphore::new(places()));
    let graceful = GracefulShutdown::new();
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT);
    server.max_buf_size(64 * 1_024);
    loop {
        let place = tokio::select! {
            place = Arc::clone(&places).acquire_owned() => place,
            () = stop.cancelled() => break,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let Ok((stream, _)) = accepted else {
            // Out of file descriptors, as a rule: some will be closed soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let connection = server.serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _ = connection.await; // a client that went away
            drop(place);
        });
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(FAREWELL) => {}
    }
}
