//! What to watch: [`Sources`], and what of it is known to be named.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use recrawl_model::Weight;
use recrawl_sources::{Entry, EntryKind, url_list};
use url::Url;

use crate::WatchError;

/// Addresses, files of addresses, sitemaps and feeds.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    pages: Vec<(Url, Weight)>,
    lists: Vec<PathBuf>,
    remotes: Vec<Remote>,
    /// What was read to see whether it can be, and when its files were written.
    checked: Arc<Mutex<Option<(Stamps, Local)>>>,
}

/// When each file was last written and how long it is.
type Stamps = Vec<Option<(SystemTime, u64)>>;

/// A list kept by somebody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Remote {
    Sitemap(Url),
    Feed(Url),
}

/// What local sources name.
#[derive(Debug, Default)]
pub(crate) struct Local {
    pub(crate) pages: Vec<(Url, Weight)>,
    pub(crate) remotes: Vec<Remote>,
    /// Tells one content of all sources from another.
    pub(crate) fingerprint: u64,
}

impl Sources {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what a person named: an address, `sitemap:ADDRESS`, `feed:ADDRESS`,
    /// or a file with one of these a line. An address whose last part is
    /// `sitemap….xml` is a sitemap.
    ///
    /// # Errors
    /// [`WatchError::NoSource`] if it is none of these.
    pub fn add(&mut self, name: &str) -> Result<(), WatchError> {
        *self.checked() = None;
        if looks_like_address(name) {
            let list = url_list(name).map_err(|_| WatchError::NoSource(name.to_owned()))?;
            for entry in list {
                sort_in(entry, &mut self.pages, &mut self.remotes);
            }
            return Ok(());
        }
        let path = PathBuf::from(name);
        if path.is_file() {
            self.lists.push(path);
            return Ok(());
        }
        Err(WatchError::NoSource(name.to_owned()))
    }

    /// Adds a page.
    pub fn add_page(&mut self, url: Url, weight: Weight) {
        *self.checked() = None;
        self.pages.push((url, weight));
    }

    /// Whether nothing was named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.lists.is_empty() && self.remotes.is_empty()
    }

    /// Whether all local sources can be read. The next [`Self::read`] has what
    /// this one found.
    pub(crate) fn check(&self) -> Result<(), WatchError> {
        let stamps = self.stamps();
        let local = self.read()?;
        *self.checked() = Some((stamps, local));
        Ok(())
    }

    fn checked(&self) -> MutexGuard<'_, Option<(Stamps, Local)>> {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads all local sources.
    pub(crate) fn read(&self) -> Result<Local, WatchError> {
        if let Some((stamps, local)) = self.checked().take()
            && stamps == self.stamps()
        {
            return Ok(local);
        }
        let mut local = Local {
            pages: self.pages.clone(),
            remotes: self.remotes.clone(),
            fingerprint: 0,
        };
        for path in &self.lists {
            let wrong = |cause: String| WatchError::File {
                path: path.clone(),
                cause,
            };
            let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|_| wrong("not UTF-8 text".to_owned()))?;
            let list = url_list(&text).map_err(|error| wrong(error.to_string()))?;
            if list.is_empty() {
                return Err(wrong("names no page".to_owned()));
            }
            for entry in list {
                sort_in(entry, &mut local.pages, &mut local.remotes);
            }
        }
        local.fingerprint = fingerprint(&local);
        Ok(local)
    }

    fn stamps(&self) -> Stamps {
        let stamp = |path: &PathBuf| {
            let about = std::fs::metadata(path).ok()?;
            Some((about.modified().ok()?, about.len()))
        };
        self.lists.iter().map(stamp).collect()
    }
}

fn looks_like_address(name: &str) -> bool {
    ["http://", "https://", "sitemap:", "feed:"]
        .iter()
        .any(|start| {
            name.get(..start.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(start))
        })
}

fn sort_in(entry: Entry, pages: &mut Vec<(Url, Weight)>, remotes: &mut Vec<Remote>) {
    match entry.kind {
        EntryKind::Page if is_sitemap(&entry.url) => remotes.push(Remote::Sitemap(entry.url)),
        EntryKind::Page => pages.push((entry.url, entry.weight)),
        EntryKind::Sitemap => remotes.push(Remote::Sitemap(entry.url)),
        EntryKind::Feed => remotes.push(Remote::Feed(entry.url)),
    }
}

/// `…/sitemap.xml`, `…/sitemap_index.xml.gz` and the like.
fn is_sitemap(url: &Url) -> bool {
    let last = url.path().rsplit('/').next().unwrap_or_default();
    let last = last.to_ascii_lowercase();
    let last = last.strip_suffix(".gz").unwrap_or(&last);
    last.starts_with("sitemap") && last.strip_suffix(".xml").is_some()
}

/// The same for the same pages, in whatever order they are named.
fn fingerprint(local: &Local) -> u64 {
    let pages = local.pages.iter().map(|(url, weight)| {
        let mut hash = fnv(url.as_str().as_bytes());
        hash ^= weight.get().to_bits().rotate_left(17);
        hash
    });
    let sum = pages.fold(0u64, |sum, hash| sum.wrapping_add(mixed(hash)));
    mixed(sum ^ local.pages.len() as u64 ^ ((local.remotes.len() as u64) << 40))
}

/// The 64-bit Fowler-Noll-Vo hash, variant 1a: the same on every machine.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Spreads the bits, so that sums of hashes do not cancel.
fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

/// What the watcher remembers of its sources while it runs.
#[derive(Debug)]
pub(crate) struct Named {
    sources: Sources,
    stamps: Stamps,
    pub(crate) remotes: Vec<Remote>,
    pub(crate) fingerprint: u64,
    /// When remote lists were last asked for, by the steady clock.
    pub(crate) remote_read: Duration,
    /// Whether they are being read.
    pub(crate) reading: bool,
}

impl Named {
    pub(crate) fn new(sources: Sources, local: &Local, steady: Duration) -> Self {
        Self {
            stamps: sources.stamps(),
            remotes: local.remotes.clone(),
            fingerprint: local.fingerprint,
            remote_read: steady,
            reading: false,
            sources,
        }
    }

    pub(crate) fn has_remote(&self) -> bool {
        !self.remotes.is_empty()
    }

    /// What local sources name now, if a file was written since the last look.
    pub(crate) fn edited(&mut self) -> Option<Result<Local, WatchError>> {
        let stamps = self.sources.stamps();
        if stamps == self.stamps {
            return None;
        }
        self.stamps = stamps;
        let local = self.sources.read();
        match &local {
            Ok(local) if local.fingerprint == self.fingerprint => None,
            _ => Some(local),
        }
    }
}
