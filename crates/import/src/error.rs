//! What keeps a history from being imported: [`ImportError`].

use std::path::{Path, PathBuf};

use recrawl_model::{Outcome, SetError, Timestamp};
use recrawl_store::StoreError;
use thiserror::Error;

/// Why nothing was imported.
#[derive(Debug, Error)]
pub enum ImportError {
    /// A file that cannot be read.
    #[error("could not read {}: {cause}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        cause: std::io::Error,
    },
    /// A file that is not what it should be.
    #[error("{}: {what}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// Something nobody knows how to import.
    #[error(
        "{} is no log, no update history, no changedetection.io directory, no urlwatch cache and no git repository; say --from",
        path.display()
    )]
    Unrecognised {
        /// What it is.
        path: PathBuf,
    },
    /// The `git` command failed.
    #[error("git could not read {}: {message}", path.display())]
    Git {
        /// The repository.
        path: PathBuf,
        /// What it said.
        message: String,
    },
    /// A schedule that makes more visits than anybody wants.
    #[error("a schedule of {schedule} makes more than {most} visits; take a longer one")]
    TooManyVisits {
        /// The schedule.
        schedule: String,
        /// The most allowed.
        most: usize,
    },
    /// What is to be imported contradicts what is in the store.
    #[error(
        "page `{page}` was {known} at {at} in the store, and {told} in what is imported; nothing was imported"
    )]
    Conflict {
        /// The page.
        page: String,
        /// The time of both observations.
        at: Timestamp,
        /// What the store says.
        known: Outcome,
        /// What the import says.
        told: Outcome,
    },
    /// A page with an impossible weight.
    #[error("page `{page}`: {error}")]
    Weight {
        /// The page.
        page: String,
        /// What is wrong with it.
        error: recrawl_model::WeightError,
    },
    /// Rows that are no histories.
    #[error(transparent)]
    Set(#[from] SetError),
    /// A log that cannot be read.
    #[error(transparent)]
    Log(#[from] recrawl_logs::LogError),
    /// Update histories that cannot be read.
    #[error(transparent)]
    Histories(#[from] recrawl_histories::ReadError),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ImportError {
    pub(crate) fn unreadable(file: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let file = file.to_owned();
        move |cause| Self::Unreadable { file, cause }
    }

    pub(crate) fn malformed(file: &Path, what: impl Into<String>) -> Self {
        Self::Malformed {
            file: file.to_owned(),
            what: what.into(),
        }
    }
}
