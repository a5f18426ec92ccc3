//! What the tests share: a store, a server over it, a client.

use std::sync::Arc;
use std::time::Duration;

use recrawl_model::{Outcome, PageId, Timestamp, Weight};
use recrawl_serve::{Access, Board, Running, Settings, bind};
use recrawl_store::{MemoryStore, Note, Record, Store, Tapped};
use recrawl_watch::{Attendant, Clock, commands};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// When the tests' logs begin.
pub(crate) const BEGAN: i64 = 1_800_000_000;

/// The moment `days` after the logs begin.
pub(crate) fn day(days: i64) -> Timestamp {
    Timestamp::from_seconds(BEGAN + days * 86_400)
}

/// A clock that stands still.
struct Stopped(Timestamp);

impl Clock for Stopped {
    fn wall(&self) -> Timestamp {
        self.0
    }

    fn steady(&self) -> Duration {
        Duration::ZERO
    }

    fn real(&self, span: Duration) -> Duration {
        span
    }
}

/// A server and whoever holds its store; both end when it is dropped.
pub(crate) struct Served {
    pub(crate) running: Option<Running>,
    client: reqwest::Client,
    stop: CancellationToken,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Served {
    /// Serves a store at a moment.
    pub(crate) fn new(store: MemoryStore, now: Timestamp) -> Self {
        Self::with(store, now, Access::Local)
    }

    pub(crate) fn with(store: MemoryStore, now: Timestamp, access: Access) -> Self {
        let board = Board::open(&store).expect("a log");
        let store = Tapped::new(store, board.listener());
        let (commander, mut commands) = commands();
        let clock: Arc<dyn Clock> = Arc::new(Stopped(now));
        let mut settings = Settings::new(([127, 0, 0, 1], 0).into());
        settings.access = access;
        let bound = bind(settings).expect("a free port");
        let running = bound.serve(board, commander, Arc::clone(&clock));
        let stop = CancellationToken::new();
        let told = stop.clone();
        tokio::spawn(async move {
            Attendant::new(store, clock).run(&mut commands, &told).await;
        });
        Self {
            running: Some(running.expect("threads")),
            client: client(),
            stop,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        let address = self.running.as_ref().expect("not stopped").address();
        format!("http://{address}{path}")
    }

    pub(crate) fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path))
    }

    /// What the API answers to a question.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, body) = self.send(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}: {body}");
        body
    }

    /// Status and JSON of an answer under `/api/v1`.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let mut request = self.ask(method, &format!("/api/v1{path}"));
        if let Some(body) = body {
            let json = ("content-type", "application/json");
            request = request.header(json.0, json.1).body(body.to_string());
        }
        let answer = request.send().await.expect("an answer");
        let status = answer.status();
        let bytes = answer.bytes().await.expect("a body");
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        (status, body)
    }
}

/// A client; the only provider of TLS is ours, though nobody speaks it here.
fn client() -> reqwest::Client {
    // Another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::new()
}

/// Pages of some sites, `/0` to `/count`, added on day 0.
pub(crate) fn store(sites: &[(&str, u32)]) -> MemoryStore {
    let mut store = MemoryStore::new();
    let mut number = 0;
    for &(site, count) in sites {
        for n in 0..count {
            let page = PageId(number);
            number += 1;
            let url = format!("https://{site}/{n}");
            let (at, site, weight) = (day(0), site.to_owned(), Weight::ONE);
            append(
                &mut store,
                Record::PageAdded {
                    page,
                    at,
                    url,
                    site,
                    weight,
                },
            );
        }
    }
    store
}

pub(crate) fn append(store: &mut MemoryStore, record: Record) {
    store.append(&[record]).expect("a record that follows");
}

/// A visit of a page.
pub(crate) fn see(store: &mut MemoryStore, page: u32, at: Timestamp, outcome: Outcome) {
    see_with(store, page, at, outcome, None);
}

/// A visit of a page with a word on how it went.
pub(crate) fn see_with(
    store: &mut MemoryStore,
    page: u32,
    at: Timestamp,
    outcome: Outcome,
    note: Option<Note>,
) {
    let seen = Record::Seen {
        visit: 0,
        page: PageId(page),
        at,
        outcome,
        last_modified: None,
        note,
        held: None,
    };
    append(store, seen);
}
