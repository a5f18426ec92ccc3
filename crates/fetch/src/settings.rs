//! What bounds a request: [`Settings`].

use std::net::IpAddr;
use std::time::Duration;

use thiserror::Error;

/// What every request of a [`Fetcher`](crate::Fetcher) says and is bounded by.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The `User-Agent` header: `name/version (+contact)`. Its first word up to
    /// a slash is the name `robots.txt` rules are looked up for.
    pub user_agent: String,
    /// The `From` header: a mail address to complain to.
    pub from: Option<String>,
    /// Longest time to a usable connection: name, TCP and TLS together.
    pub connect_timeout: Duration,
    /// Longest time from the first request to the last byte, redirects
    /// included, waiting for a [`Permit`](crate::Permit) excluded.
    pub total_timeout: Duration,
    /// Most bytes of a body, counted after decompression.
    pub most_body: usize,
    /// Most redirects followed from one page.
    pub most_redirects: usize,
    /// Whether loopback, private and other special addresses may be visited.
    pub allow_private: bool,
    /// Special addresses that may be visited though others may not, as a wiki
    /// in one's own network.
    pub trusted: Vec<IpAddr>,
    /// Certificates trusted beside those of the system, PEM (several in one
    /// text allowed) or DER.
    pub extra_roots: Vec<Vec<u8>>,
    /// Most idle connections kept to one host.
    pub most_idle_per_host: usize,
    /// How long an idle connection is kept.
    pub idle_timeout: Duration,
}

/// Limits fit for a watcher of web pages; see `docs/fetch.md`.
impl Default for Settings {
    fn default() -> Self {
        Self {
            user_agent: concat!("recrawl/", env!("CARGO_PKG_VERSION")).to_owned(),
            from: None,
            connect_timeout: Duration::from_secs(10),
            total_timeout: Duration::from_secs(30),
            most_body: 10 << 20,
            most_redirects: 10,
            allow_private: false,
            trusted: Vec::new(),
            extra_roots: Vec::new(),
            most_idle_per_host: 8,
            idle_timeout: Duration::from_secs(20),
        }
    }
}

/// Why settings make no [`Fetcher`](crate::Fetcher).
#[derive(Debug, Error)]
pub enum FetchError {
    /// A text that cannot be sent as a header.
    #[error("{header} `{value}` cannot be sent: only visible ASCII and spaces may stand in it")]
    Header {
        /// Name of the header.
        header: &'static str,
        /// What was asked for.
        value: String,
    },
    /// An extra root certificate that is none.
    #[error("extra root certificate {number} is neither PEM nor DER: {reason}")]
    Root {
        /// Its place among the extra roots, from 1.
        number: usize,
        /// What the reader of certificates said.
        reason: String,
    },
    /// TLS or the client could not be set up.
    #[error("cannot set up the web client: {0}")]
    Client(String),
}
