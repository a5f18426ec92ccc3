//! What the log is made of: [`Record`].

use std::time::Duration;

use recrawl_model::{Cost, Outcome, PageId, Timestamp, Weight};

/// Whether a page is visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Standing {
    /// It is.
    Watched,
    /// Not for now; somebody said so.
    Paused,
    /// It answered 404 or 410. If it ever answers again, that is a birth.
    Gone,
    /// Nobody wants it watched any more. It keeps its number and its history.
    Removed,
}

impl Standing {
    /// All of them, each at the index it is stored as.
    pub const ALL: [Self; 4] = [Self::Watched, Self::Paused, Self::Gone, Self::Removed];

    /// The word used in files and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Watched => "watched",
            Self::Paused => "paused",
            Self::Gone => "gone",
            Self::Removed => "removed",
        }
    }
}

/// What is held of a page's last good response: enough to ask conditionally
/// and to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// When the response came.
    pub at: Timestamp,
    /// The `ETag` header as received.
    pub etag: Option<String>,
    /// The `Last-Modified` header as received.
    pub last_modified: Option<String>,
    /// Where redirects led, if they did.
    pub location: Option<String>,
    /// What change detection remembers; its own business.
    pub memory: Vec<u8>,
}

/// How a visit went, for people and for judging hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The HTTP status; 0 where there was no HTTP answer.
    pub status: u16,
    /// Why the outcome is what it is, in a few words.
    pub reason: String,
    /// Bytes of body received.
    pub bytes: u32,
    /// Milliseconds the visit took.
    pub millis: u32,
}

/// One entry of the log. The log is the truth; everything else the store
/// answers is made from it.
///
/// Records stand in the order they were appended, which is not always the order
/// of their times: an import brings old observations late, and clocks jump.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// A page is watched from now on. Numbers are given in order, without gaps,
    /// from 0; a URL keeps its number for ever, so a page that was removed comes
    /// back by [`Record::PageSet`].
    PageAdded {
        /// Its number.
        page: PageId,
        /// When it was added.
        at: Timestamp,
        /// Its URL, or any other name.
        url: String,
        /// The group it is sampled with.
        site: String,
        /// Its importance.
        weight: Weight,
    },
    /// A page's standing or importance is another one now.
    PageSet {
        /// The page.
        page: PageId,
        /// Since when.
        at: Timestamp,
        /// Its standing from now on.
        standing: Standing,
        /// Its importance from now on.
        weight: Weight,
    },
    /// A visit is about to be made and is paid for. Durable before the request
    /// leaves, so that a crash can lose a visit but never spend twice.
    Asked {
        /// The visit's number: above 0, above all before it.
        visit: u64,
        /// The page.
        page: PageId,
        /// When it was asked for.
        at: Timestamp,
        /// What it costs of the cycle's budget.
        cost: Cost,
    },
    /// What a visit taught.
    Seen {
        /// The visit, asked for and not seen before; or 0: imported, or pushed
        /// from elsewhere, never asked for here.
        visit: u64,
        /// The page.
        page: PageId,
        /// When it was seen.
        at: Timestamp,
        /// What it taught.
        outcome: Outcome,
        /// When the source says the page was last modified.
        last_modified: Option<Timestamp>,
        /// How the visit went.
        note: Option<Note>,
        /// What is held from now on; `None` leaves what is held as it is.
        /// [`Store::replay`](crate::Store::replay) always tells `None`: what is
        /// held stands in the page's row.
        held: Option<Held>,
    },
    /// A cycle begins; the one before it is over.
    CycleBegun {
        /// Its number.
        number: u64,
        /// When it began.
        at: Timestamp,
        /// How long it lasts.
        length: Duration,
        /// What it may spend.
        budget: Cost,
    },
    /// A host is to be left alone for a while, also after a restart.
    HostHeld {
        /// The host.
        host: String,
        /// Until when.
        until: Timestamp,
    },
    /// A small named setting of a driver, such as the hash of the settings
    /// changes were detected with.
    Setting {
        /// Its name.
        name: String,
        /// Its value from now on.
        value: String,
    },
}

impl Record {
    /// The latest moment the record says has passed, if it says one.
    #[must_use]
    pub const fn at(&self) -> Option<Timestamp> {
        match self {
            Self::PageAdded { at, .. }
            | Self::PageSet { at, .. }
            | Self::Asked { at, .. }
            | Self::Seen { at, .. }
            | Self::CycleBegun { at, .. } => Some(*at),
            Self::HostHeld { .. } | Self::Setting { .. } => None,
        }
    }
}
