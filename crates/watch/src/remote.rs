//! Lists kept by others: sitemaps and feeds.

use std::sync::Arc;
use std::time::Duration;

use recrawl_fetch::{Ask, Failure, Fetcher, Robots, RobotsPermit, RobotsVerdict};
use recrawl_model::{HintKind, Timestamp};
use recrawl_sources::{Listed, MAX_SOURCE_BYTES, feed, sitemap};
use recrawl_store::{Store, Versions};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::commanded::next_command;
use crate::event::Event;
use crate::planned::Work;
use crate::sources::Remote;
use crate::{Clock, WatchError, Watcher};

/// Most sitemaps followed from one index, those of indexes within it included.
const MOST_SITEMAPS: usize = 1_000;

/// What a remote list said.
#[derive(Debug)]
pub(crate) enum Found {
    /// A page, and when it was last modified as the list has it.
    Page(Url, Option<(HintKind, Timestamp)>),
    /// Why a list could not be read.
    Trouble(String),
}

impl<S: Store + Versions> Watcher<S> {
    /// Reads remote lists before the first cycle, so that it has their pages.
    pub(crate) async fn read_remote_first(
        &mut self,
        stop: &CancellationToken,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        if !self.named.has_remote() {
            return Ok(());
        }
        let now = self.tick();
        self.named.remote_read = self.clock.steady();
        let reading = self.reader(now).read(self.named.remotes.clone());
        tokio::pin!(reading);
        loop {
            tokio::select! {
                found = &mut reading => {
                    self.found.extend(found);
                    break;
                }
                command = next_command(&mut self.commands) => self.carry_out(command, tell)?,
                () = stop.cancelled() => break,
            }
        }
        let now = self.tick();
        self.take_found(now, tell)
    }

    /// Reads remote lists again when it is time.
    pub(crate) fn read_remote_again(&mut self, steady: std::time::Duration, now: Timestamp) {
        let passed = steady.saturating_sub(self.named.remote_read);
        if !self.named.has_remote() || self.named.reading || passed < self.settings.sources_every {
            return;
        }
        self.named.remote_read = steady;
        self.named.reading = true;
        let reading = self.reader(now).read(self.named.remotes.clone());
        self.tasks
            .push(Box::pin(async move { Work::Sources(reading.await) }));
    }

    fn reader(&self, now: Timestamp) -> Reader {
        Reader {
            fetcher: self.fetcher.clone(),
            robots: Arc::clone(&self.robots),
            clock: Arc::clone(&self.clock),
            gap: self.settings.manners.gap,
            now,
        }
    }

    /// Lets what remote lists named join.
    pub(crate) fn take_found(
        &mut self,
        now: Timestamp,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        if self.found.is_empty() {
            return Ok(());
        }
        let mut named = Vec::new();
        for found in std::mem::take(&mut self.found) {
            match found {
                Found::Page(url, said) => named.push((url, said)),
                Found::Trouble(trouble) => tell(Event::Note(&trouble)),
            }
        }
        self.join_found(&named, now, tell)
    }
}

/// A page a list names, with its date if it has one.
fn page_found(kind: HintKind, listed: Listed) -> Found {
    Found::Page(listed.url, listed.last_modified.map(|said| (kind, said)))
}

/// Reads lists politely.
struct Reader {
    fetcher: Fetcher,
    robots: Arc<Robots>,
    clock: Arc<dyn Clock>,
    /// Least time between two requests to one host.
    gap: Duration,
    now: Timestamp,
}

impl Reader {
    async fn read(self, remotes: Vec<Remote>) -> Vec<Found> {
        let mut found = Vec::new();
        for remote in remotes {
            match remote {
                Remote::Sitemap(url) => self.sitemap(url, &mut found).await,
                Remote::Feed(url) => self.feed(url, &mut found).await,
            }
        }
        found
    }

    /// Follows a sitemap, and the sitemaps of an index.
    async fn sitemap(&self, first: Url, found: &mut Vec<Found>) {
        let mut waiting = vec![first];
        let mut read = 0;
        let mut before: Option<Url> = None;
        while let Some(url) = waiting.pop() {
            read += 1;
            if read > MOST_SITEMAPS {
                let text =
                    format!("more than {MOST_SITEMAPS} sitemaps: {url} and others are left out");
                found.push(Found::Trouble(text));
                return;
            }
            if before.is_some_and(|before| before.host() == url.host()) {
                self.pause(&url).await;
            }
            before = Some(url.clone());
            match self.body(&url).await.map(|body| sitemap(&body)) {
                Err(why) => found.push(Found::Trouble(format!("sitemap {url}: {why}"))),
                Ok(Err(why)) => found.push(Found::Trouble(format!("sitemap {url}: {why}"))),
                Ok(Ok(sitemap)) => {
                    let pages = sitemap.pages.into_iter();
                    found.extend(pages.map(|page| page_found(HintKind::Sitemap, page)));
                    waiting.extend(sitemap.sitemaps.into_iter().map(|child| child.url));
                    if sitemap.truncated {
                        let text = format!(
                            "sitemap {url} is longer than a sitemap may be: its end is left out"
                        );
                        found.push(Found::Trouble(text));
                    }
                }
            }
        }
    }

    /// A feed is a page itself, and names those of its entries.
    async fn feed(&self, url: Url, found: &mut Vec<Found>) {
        match self.body(&url).await.map(|body| feed(&body, Some(&url))) {
            Err(why) => found.push(Found::Trouble(format!("feed {url}: {why}"))),
            Ok(Err(why)) => found.push(Found::Trouble(format!("feed {url}: {why}"))),
            Ok(Ok(feed)) => {
                let entries = feed.entries.into_iter();
                found.extend(entries.map(|entry| page_found(HintKind::Feed, entry)));
                found.push(Found::Page(url, None));
            }
        }
    }

    /// Waits as long as the host of the next sitemap asks for, as between visits.
    async fn pause(&self, url: &Url) {
        let verdict = self.robots.verdict(&self.fetcher, url, self.now).await;
        let asked = match verdict {
            RobotsVerdict::Allowed { delay } => delay.unwrap_or(Duration::ZERO),
            RobotsVerdict::Disallowed | RobotsVerdict::Wait { .. } => return, // not asked for
        };
        tokio::time::sleep(self.clock.real(asked.max(self.gap))).await;
    }

    async fn body(&self, url: &Url) -> Result<bytes::Bytes, String> {
        match self.robots.verdict(&self.fetcher, url, self.now).await {
            RobotsVerdict::Allowed { .. } => {}
            RobotsVerdict::Disallowed => return Err("robots.txt disallows it".to_owned()),
            RobotsVerdict::Wait { why, .. } => return Err(why.to_string()),
        }
        let permit = RobotsPermit {
            robots: &self.robots,
            fetcher: &self.fetcher,
            now: self.now,
        };
        let answer = self
            .fetcher
            .fetch_up_to(MAX_SOURCE_BYTES, Ask::new(url), &permit)
            .await;
        let answer = answer.map_err(|failure: Failure| failure.to_string())?;
        if answer.status == 200 {
            Ok(answer.body)
        } else {
            Err(format!("answered {}", answer.status))
        }
    }
}
