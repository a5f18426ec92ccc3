//! What a visit costs before any watcher: a loop over URLs that fetches and
//! hashes, by a plain `reqwest` client or by our fetcher.
//!
//! `bare_loop bare|fetcher URLS CONNECTIONS [IF-MODIFIED-SINCE]`; `bench/watch.py`
//! measures its CPU time from outside.
#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use bytes::Bytes;
use recrawl_fetch::{Ask, Everything, Fetcher, Settings};
use url::Url;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Who fetches.
enum Client {
    Bare(reqwest::Client),
    Ours(Fetcher),
}

impl Client {
    fn new(kind: &str) -> Outcome<Self> {
        match kind {
            // No TLS is spoken here, but the client wants a provider.
            "bare" => {
                let provider = rustls::crypto::ring::default_provider();
                let _ = provider.install_default();
                Ok(Self::Bare(reqwest::Client::builder().no_proxy().build()?))
            }
            "fetcher" => {
                let settings = Settings {
                    allow_private: true,
                    ..Settings::default()
                };
                Ok(Self::Ours(Fetcher::new(&settings)?))
            }
            other => Err(format!("`{other}` is neither bare nor fetcher").into()),
        }
    }

    async fn get(&self, url: &Url, since: Option<&str>) -> Outcome<(u16, Bytes)> {
        match self {
            Self::Bare(client) => {
                let mut request = client.get(url.clone());
                if let Some(since) = since {
                    request = request.header(reqwest::header::IF_MODIFIED_SINCE, since);
                }
                let response = request.send().await?;
                Ok((response.status().as_u16(), response.bytes().await?))
            }
            Self::Ours(fetcher) => {
                let ask = Ask {
                    last_modified: since,
                    ..Ask::new(url)
                };
                let answer = fetcher.fetch(ask, &Everything).await?;
                Ok((answer.status, answer.body))
            }
        }
    }
}

/// What all connections work through.
struct Work {
    client: Client,
    urls: Vec<Url>,
    since: Option<String>,
    next: AtomicUsize,
    bytes: AtomicU64,
    unmodified: AtomicU64,
}

async fn work_off(work: Arc<Work>) -> Outcome<()> {
    while let Some(url) = work.urls.get(work.next.fetch_add(1, Ordering::Relaxed)) {
        let (status, body) = work.client.get(url, work.since.as_deref()).await?;
        match status {
            304 => work.unmodified.fetch_add(1, Ordering::Relaxed),
            200 => work.bytes.fetch_add(body.len() as u64, Ordering::Relaxed),
            other => return Err(format!("{url} answered {other}").into()),
        };
        std::hint::black_box(xxhash_rust::xxh3::xxh3_128(&body));
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, urls, connections, since @ ..] = &arguments[..] else {
        return Err("usage: bare_loop bare|fetcher URLS CONNECTIONS [IF-MODIFIED-SINCE]".into());
    };
    let urls = std::fs::read_to_string(urls)?;
    let urls = urls.lines().map(Url::parse).collect::<Result<_, _>>()?;
    let work = Arc::new(Work {
        client: Client::new(kind)?,
        urls,
        since: since.first().cloned(),
        next: AtomicUsize::new(0),
        bytes: AtomicU64::new(0),
        unmodified: AtomicU64::new(0),
    });
    let tasks: Vec<_> = (0..connections.parse()?)
        .map(|_| tokio::spawn(work_off(Arc::clone(&work))))
        .collect();
    for task in tasks {
        task.await??;
    }
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let (bytes, unmodified) = (count(&work.bytes), count(&work.unmodified));
    println!(
        "pages {} bytes {bytes} unmodified {unmodified}",
        work.urls.len()
    );
    Ok(())
}
