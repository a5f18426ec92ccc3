//! One bounded, conditional request after another: [`Fetcher`].

use std::sync::Arc;
use std::time::Duration;

use hyper::Response;
use hyper::body::Body as _;
use hyper::header::{HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION};
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use crate::answer::str_of;
use crate::body::{self, Excess};
use crate::classify::request_failure;
use crate::client::{Body, Client, standing_headers};
use crate::guard::Guard;
use crate::{Answer, Ask, Failure, FetchError, Hop, Lookup, Permit, Settings, SystemLookup, tls};

/// Most bytes of an error page or redirect read so that its connection can be
/// used again; a connection with more to come is closed instead.
const MOST_DRAINED: usize = 64 << 10;

/// Longest time spent on that.
const LONGEST_DRAIN: Duration = Duration::from_secs(1);

/// Makes requests, all bounded by the same [`Settings`]; cheap to clone, with
/// one pool of connections for all clones.
#[derive(Clone)]
pub struct Fetcher {
    client: Arc<Client>,
    guard: Guard,
    bounds: Bounds,
}

/// What one fetch is bounded by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) total_timeout: Duration,
    pub(crate) most_body: usize,
    pub(crate) excess: Excess,
    pub(crate) most_redirects: usize,
}

/// Where one request led.
enum Step {
    Arrived(Answer),
    Redirected(Hop),
}

impl Fetcher {
    /// A fetcher that asks the system for addresses.
    ///
    /// # Errors
    /// [`FetchError`] names the setting that cannot be.
    pub fn new(settings: &Settings) -> Result<Self, FetchError> {
        Self::with_lookup(settings, Arc::new(SystemLookup))
    }

    /// Whether [`Fetcher::new`] takes these settings, without reading the
    /// certificates of the system.
    ///
    /// # Errors
    /// [`FetchError`] names the setting that cannot be.
    pub fn check(settings: &Settings) -> Result<(), FetchError> {
        standing_headers(settings)?;
        tls::certificates(&settings.extra_roots).map(drop)
    }

    /// A fetcher that asks `lookup` for the addresses of names.
    ///
    /// # Errors
    /// [`FetchError`] names the setting that cannot be.
    pub fn with_lookup(settings: &Settings, lookup: Arc<dyn Lookup>) -> Result<Self, FetchError> {
        let guard = Guard::new(settings, lookup);
        let client = Arc::new(Client::new(settings, guard.clone())?);
        let bounds = Bounds {
            total_timeout: settings.total_timeout,
            most_body: settings.most_body,
            excess: Excess::Refused,
            most_redirects: settings.most_redirects,
        };
        Ok(Self {
            client,
            guard,
            bounds,
        })
    }

    /// Requests a page and follows its redirects, each checked as the page was
    /// and put to `permit` first. Validators are sent to every hop.
    ///
    /// Dropping the future ends the exchange.
    ///
    /// # Errors
    /// [`Failure`]; a status such as 404 or 503 is an [`Answer`].
    pub async fn fetch(&self, ask: Ask<'_>, permit: &impl Permit) -> Result<Answer, Failure> {
        self.fetch_within(ask, permit, self.bounds).await
    }

    /// As [`Fetcher::fetch`], for something that may be larger or must be
    /// smaller than pages are, as a sitemap.
    ///
    /// # Errors
    /// [`Failure`]; a status such as 404 or 503 is an [`Answer`].
    pub async fn fetch_up_to(
        &self,
        most_body: usize,
        ask: Ask<'_>,
        permit: &impl Permit,
    ) -> Result<Answer, Failure> {
        let bounds = Bounds {
            most_body,
            ..self.bounds
        };
        self.fetch_within(ask, permit, bounds).await
    }

    /// The bounds of every fetch, for those who need some of them tighter.
    pub(crate) const fn bounds(&self) -> Bounds {
        self.bounds
    }

    pub(crate) async fn fetch_within(
        &self,
        ask: Ask<'_>,
        permit: &impl Permit,
        bounds: Bounds,
    ) -> Result<Answer, Failure> {
        let began = Instant::now();
        let mut waited = Duration::ZERO;
        let mut redirects: Vec<Hop> = Vec::new();
        let mut url = ask.url.clone();
        self.guard.check_literal(&url, false)?;
        loop {
            let redirected = !redirects.is_empty();
            let deadline = began + waited + bounds.total_timeout;
            let step = timeout_at(deadline, self.step(ask, url, redirected, bounds)).await;
            let hop = match step.map_err(|_| Failure::Timeout)?? {
                Step::Redirected(hop) => hop,
                Step::Arrived(mut answer) => {
                    answer.redirects = redirects;
                    answer.elapsed = began.elapsed().saturating_sub(waited);
                    return Ok(answer);
                }
            };
            check_hop(ask.url, &redirects, &hop, bounds.most_redirects)?;
            self.guard.check_literal(&hop.to, true)?;
            let asked = Instant::now();
            permit.may(&hop.to).await?;
            waited += asked.elapsed();
            url = hop.to.clone();
            redirects.push(hop);
        }
    }

    /// One request and its answer.
    async fn step(
        &self,
        ask: Ask<'_>,
        url: Url,
        redirected: bool,
        bounds: Bounds,
    ) -> Result<Step, Failure> {
        if !is_web(&url) {
            return Err(Failure::Scheme);
        }
        let mut request = self.client.request(&url).ok_or(Failure::Scheme)?;
        for (name, value) in [
            (IF_NONE_MATCH, ask.etag),
            (IF_MODIFIED_SINCE, ask.last_modified),
        ] {
            // What could not have been a header cannot have been received as one.
            if let Some(value) =
                value.and_then(|text| HeaderValue::from_bytes(text.as_bytes()).ok())
            {
                request.headers_mut().insert(name, value);
            }
        }
        let response = self
            .client
            .send(request)
            .await
            .map_err(|error| request_failure(&error, redirected))?;
        let status = response.status();
        if let 301 | 302 | 303 | 307 | 308 = status.as_u16() {
            let to = target(&url, response.headers())?;
            drain(response).await;
            let status = status.as_u16();
            return Ok(Step::Redirected(Hop { status, to }));
        }
        let mut answer = Answer::from_headers(status.as_u16(), url, response.headers());
        if status.is_success() {
            answer.body = body::read(response, bounds.most_body, bounds.excess).await?;
        } else {
            drain(response).await;
        }
        Ok(Step::Arrived(answer))
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

/// Where a redirect leads, without the fragment, which is not sent.
fn target(from: &Url, headers: &HeaderMap) -> Result<Url, Failure> {
    let location = str_of(headers, &LOCATION).ok_or(Failure::BadRedirect)?;
    let mut to = from.join(location).map_err(|_| Failure::BadRedirect)?;
    to.set_fragment(None);
    if is_web(&to) {
        Ok(to)
    } else {
        Err(Failure::BadRedirect)
    }
}

/// Whether one more redirect may be followed.
fn check_hop(page: &Url, before: &[Hop], hop: &Hop, limit: usize) -> Result<(), Failure> {
    if hop.to == *page || before.iter().any(|earlier| earlier.to == hop.to) {
        Err(Failure::RedirectLoop)
    } else if before.len() >= limit {
        Err(Failure::TooManyRedirects { limit })
    } else {
        Ok(())
    }
}

/// Reads away a short body nobody wants, so that its connection can be used
/// again. What goes wrong here costs the connection, not the answer.
async fn drain(response: Response<Body>) {
    let length = response.body().size_hint().exact();
    if length != Some(0) && length.is_none_or(|length| length <= MOST_DRAINED as u64) {
        let read = body::read(response, MOST_DRAINED, Excess::Refused);
        // Boxed, as it is seldom done: all other fetches are smaller for it.
        let _ = Box::pin(timeout(LONGEST_DRAIN, read)).await;
    }
}
