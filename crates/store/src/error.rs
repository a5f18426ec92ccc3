//! What can go wrong: [`StoreError`].

use std::io;
use std::path::{Path, PathBuf};

use recrawl_model::PageId;
use thiserror::Error;

/// Why a store does not do what it was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A record that cannot follow what is there; nothing was appended.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is no store.
    #[error("there is no store in {}", path.display())]
    Missing {
        /// Where one was looked for.
        path: PathBuf,
    },
    /// A directory with something else in it.
    #[error("{} is not a store: it has files but none called FORMAT", path.display())]
    NotAStore {
        /// The directory.
        path: PathBuf,
    },
    /// A store of a later program.
    #[error("store format {found} is newer than {newest}, the newest this program reads")]
    TooNew {
        /// The format found.
        found: u32,
        /// The newest format this program reads.
        newest: u32,
    },
    /// Another process has it open.
    #[error("store {} is in use by another process{}", path.display(), holder(*pid))]
    InUse {
        /// The store.
        path: PathBuf,
        /// The other process, if it said.
        pid: Option<u32>,
    },
    /// Bytes that are not what was written.
    #[error("{} is damaged at byte {offset}: {what}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Where in it.
        offset: u64,
        /// What is wrong.
        what: String,
    },
    /// The operating system refused.
    #[error("could not {doing} {}: {cause}", file.display())]
    Io {
        /// What was tried, as in "could not ...".
        doing: &'static str,
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// The tree of page rows refused. What was appended with it is in the log,
    /// and will be in the rows when the store is opened again.
    #[error("page rows in {}: {message}", directory.display())]
    Rows {
        /// The directory of the rows.
        directory: PathBuf,
        /// What the tree said.
        message: String,
    },
    /// A log that does not make histories.
    #[error(transparent)]
    Histories(#[from] recrawl_model::SetError),
    /// An append failed before and could not be undone, so none can follow.
    #[error("{} could not be put right after a failed write; open the store again", file.display())]
    Stopped {
        /// The segment.
        file: PathBuf,
    },
}

/// Why a record cannot follow what is there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// Page numbers are given in order.
    #[error("page {} cannot be added: the next number is {expected}", page.0)]
    PageOutOfTurn {
        /// The number used.
        page: PageId,
        /// The one to use.
        expected: u32,
    },
    /// A URL has one number.
    #[error("`{url}` is page {} already", page.0)]
    UrlTaken {
        /// The URL.
        url: String,
        /// Its page.
        page: PageId,
    },
    /// A number never given.
    #[error("there is no page {}", page.0)]
    NoSuchPage {
        /// The number.
        page: PageId,
    },
    /// Visit numbers only rise.
    #[error("visit {visit} cannot be asked for: the next number is {least} or more")]
    VisitOutOfTurn {
        /// The number used.
        visit: u64,
        /// The least number to use.
        least: u64,
    },
    /// A visit is seen once, after it was asked for.
    #[error("visit {visit} of page {} was not asked for, or was seen already", page.0)]
    NotOutstanding {
        /// The visit.
        visit: u64,
        /// The page.
        page: PageId,
    },
    /// A text longer than the format can hold.
    #[error("a record of {bytes} bytes is longer than {most}, the most a record may have")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The most allowed.
        most: usize,
    },
}

impl StoreError {
    /// A way out, where there is one.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Missing { .. } => {
                Some("`recrawl watch` and `recrawl import` make one; --store names another place")
            }
            Self::NotAStore { .. } => Some("point --store at an empty or a new directory"),
            Self::TooNew { .. } => Some("upgrade, or point --store at another directory"),
            Self::InUse { .. } => Some("stop that process first, or point --store elsewhere"),
            Self::Damaged { .. } => Some("`recrawl store check` lists all damage"),
            _ => None,
        }
    }

    /// An error of the operating system, with what was tried.
    pub(crate) fn io(doing: &'static str, file: &Path) -> impl FnOnce(io::Error) -> Self {
        let file = file.to_owned();
        move |cause| Self::Io { doing, file, cause }
    }
}

fn holder(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default()
}
