//! What others ask of whoever holds a store: [`Command`].

use std::collections::BTreeMap;

use recrawl_model::{Outcome, PageId, Timestamp, Weight, site_of};
use recrawl_store::{Note, PageRow, Record, Standing, Store, StoreError, Version, Versions};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

use crate::pinned::Pinned;

/// Commands that may wait. Whoever asks then waits too.
const MOST_WAITING: usize = 256;

/// Where an answer goes. Whoever asked may be gone, which is no concern.
pub type Reply<T> = oneshot::Sender<Result<T, CommandError>>;

/// Something asked of whoever holds the store: the watcher, or an
/// [`Attendant`](crate::Attendant) where nobody watches. Answered once it is durable.
#[derive(Debug)]
pub enum Command {
    /// Watch pages from now on.
    Add {
        /// Their addresses, and their importance where somebody says.
        pages: Vec<(String, Option<Weight>)>,
        /// What became of them.
        reply: Reply<Added>,
    },
    /// Watch a page or not, and how much it matters.
    Set {
        /// The page.
        page: PageId,
        /// `None` leaves it as it is.
        standing: Option<Standing>,
        /// `None` leaves it as it is.
        weight: Option<Weight>,
        /// That it is so.
        reply: Reply<()>,
    },
    /// Take in observations somebody else made. They cost nothing.
    Learn {
        /// What was seen, of each page in order of time.
        seen: Vec<Learned>,
        /// How many pages were new.
        reply: Reply<usize>,
    },
    /// What is known of a page, without its versions.
    Row {
        /// The page.
        page: PageId,
        /// What is there.
        reply: Reply<PageRow>,
    },
    /// What is held of a page, and its versions.
    Look {
        /// The page.
        page: PageId,
        /// What is there.
        reply: Reply<Looked>,
    },
    /// How the work stands.
    Status {
        /// The numbers.
        reply: Reply<Status>,
    },
}

/// Why a command was not carried out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    /// A number never given.
    #[error("page {0} is not in the store")]
    NoSuchPage(u32),
    /// The disk.
    #[error("the store does not answer: {0}")]
    Store(String),
    /// Nobody holds the store any more.
    #[error("the watcher has ended")]
    Ended,
}

/// What became of pages that were to be watched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Added {
    /// New ones.
    pub added: usize,
    /// Known ones that were not watched.
    pub back: usize,
    /// Ones that were watched already.
    pub known: usize,
    /// The number of each, in the order asked.
    pub pages: Vec<PageId>,
}

/// An observation somebody else made.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// The page: its address, or any other name.
    pub page: String,
    /// Its site; by default the host of its address.
    pub site: Option<String>,
    /// Its importance, if it is new.
    pub weight: Option<Weight>,
    /// When it was seen.
    pub at: Timestamp,
    /// What was seen.
    pub outcome: Outcome,
    /// When the source says the page was last modified.
    pub last_modified: Option<Timestamp>,
    /// How the visit went.
    pub note: Option<Note>,
}

/// What is kept of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Looked {
    /// Its row.
    pub row: PageRow,
    /// Its versions, newest first.
    pub versions: Vec<Version>,
    /// What counts as a change, as JSON; `None` if nobody ever watched.
    pub detect: Option<String>,
}

/// How the work of a watcher stands; all zero where nobody watches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Status {
    /// Visits that wait for their hosts.
    pub waiting: usize,
    /// Requests under way.
    pub in_flight: usize,
    /// Visits the budget would have allowed by now and that were not started.
    pub behind: f64,
}

/// Sends commands; clones all go to the same place.
pub type Commander = mpsc::Sender<Command>;

/// Where commands arrive.
pub type Commands = mpsc::Receiver<Command>;

/// A way for commands to whoever holds a store.
#[must_use]
pub fn commands() -> (Commander, Commands) {
    mpsc::channel(MOST_WAITING)
}

/// Asks, and waits for the answer.
///
/// # Errors
/// [`CommandError`] as it was answered, or that nobody is there.
pub async fn ask<T>(
    commander: &Commander,
    command: impl FnOnce(Reply<T>) -> Command,
) -> Result<T, CommandError> {
    let (reply, answer) = oneshot::channel();
    let sent = commander.send(command(reply)).await;
    sent.map_err(|_| CommandError::Ended)?;
    answer.await.map_err(|_| CommandError::Ended)?
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> Self {
        Self::Store(error.to_string())
    }
}

/// The records that carry pages to be watched, and what became of each.
pub(crate) fn add<S: Store>(
    store: &S,
    pages: &[(String, Option<Weight>)],
    at: Timestamp,
) -> Result<(Vec<Record>, Added), StoreError> {
    let mut newcomers = Newcomers::after(store, at);
    let (mut sets, mut done) = (Vec::new(), Added::default());
    for (url, weight) in pages {
        let Some(page) = store.find(url)? else {
            let known = newcomers.numbers.contains_key(url);
            let site = site_of(url);
            let page = newcomers.number(url, site, weight.unwrap_or(Weight::ONE));
            done.pages.push(page);
            done.known += usize::from(known);
            done.added += usize::from(!known);
            continue;
        };
        done.pages.push(page);
        let row = store.rows(&[page])?.pop().flatten();
        let is_away = |row: &PageRow| matches!(row.standing, Standing::Paused | Standing::Removed);
        let Some(row) = row else { continue };
        let weight = weight.unwrap_or(row.weight);
        let away = is_away(&row);
        done.back += usize::from(away);
        done.known += usize::from(!away);
        if away || weight != row.weight {
            let standing = if away {
                Standing::Watched
            } else {
                row.standing
            };
            sets.push(Record::PageSet {
                page,
                at,
                standing,
                weight,
            });
        }
    }
    let mut records = newcomers.records;
    records.extend(sets);
    let mut pinned = Pinned::of(store.resume());
    if pinned.extend(done.pages.iter().copied()) {
        records.push(pinned.record());
    }
    Ok((records, done))
}

/// The records that give a page another standing or importance; none if it has
/// them already.
pub(crate) fn set<S: Store>(
    store: &S,
    page: PageId,
    (asked, weight): (Option<Standing>, Option<Weight>),
    at: Timestamp,
) -> Result<Vec<Record>, CommandError> {
    let row = row(store, page)?;
    let standing = match asked {
        // A page that answered 404 is watched: it may come back.
        Some(Standing::Watched) if row.standing == Standing::Gone => Standing::Gone,
        Some(standing) => standing,
        None => row.standing,
    };
    let weight = weight.unwrap_or(row.weight);
    let mut records = Vec::new();
    let mut pinned = Pinned::of(store.resume());
    // Who asks for a page by hand wants it whatever a file names.
    if asked == Some(Standing::Watched) && pinned.extend([page]) {
        records.push(pinned.record());
    }
    if standing != row.standing || weight != row.weight {
        records.push(Record::PageSet {
            page,
            at,
            standing,
            weight,
        });
    }
    Ok(records)
}

/// The records of observations somebody else made, and how many pages are new.
pub(crate) fn learn<S: Store>(
    store: &S,
    seen: Vec<Learned>,
    at: Timestamp,
) -> Result<(Vec<Record>, usize), StoreError> {
    let mut newcomers = Newcomers::after(store, at);
    let mut observations = Vec::with_capacity(seen.len());
    for learned in seen {
        let page = if let Some(page) = store.find(&learned.page)? {
            page
        } else {
            let site = learned.site.unwrap_or_else(|| site_of(&learned.page));
            newcomers.number(&learned.page, site, learned.weight.unwrap_or(Weight::ONE))
        };
        observations.push(Record::Seen {
            visit: 0,
            page,
            at: learned.at,
            outcome: learned.outcome,
            last_modified: learned.last_modified,
            note: learned.note,
            held: None,
        });
    }
    let mut records = newcomers.records;
    let new = records.len();
    if new > 0 {
        let mut pinned = Pinned::of(store.resume());
        if pinned.extend(newcomers.numbers.into_values()) {
            records.push(pinned.record());
        }
    }
    records.extend(observations);
    Ok((records, new))
}

/// What is known of a page.
pub(crate) fn row<S: Store>(store: &S, page: PageId) -> Result<PageRow, CommandError> {
    let row = store.rows(&[page])?.pop().flatten();
    row.ok_or(CommandError::NoSuchPage(page.0))
}

/// What is kept of a page.
pub(crate) fn look<S: Store + Versions>(store: &S, page: PageId) -> Result<Looked, CommandError> {
    Ok(Looked {
        row: row(store, page)?,
        versions: store.versions(page)?,
        detect: store.resume().settings.get(crate::DETECT_SETTING).cloned(),
    })
}

/// Pages that get their numbers.
struct Newcomers {
    at: Timestamp,
    next: u32,
    records: Vec<Record>,
    numbers: BTreeMap<String, PageId>,
}

impl Newcomers {
    fn after<S: Store>(store: &S, at: Timestamp) -> Self {
        Self {
            at,
            next: store.resume().next_page,
            records: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }

    fn number(&mut self, url: &str, site: String, weight: Weight) -> PageId {
        if let Some(&page) = self.numbers.get(url) {
            return page;
        }
        let (page, at, url) = (PageId(self.next), self.at, url.to_owned());
        self.next += 1;
        self.numbers.insert(url.clone(), page);
        self.records.push(Record::PageAdded {
            page,
            at,
            url,
            site,
            weight,
        });
        page
    }
}
