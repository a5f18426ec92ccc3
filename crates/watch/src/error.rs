//! Why the watcher stops: [`WatchError`].

use std::path::PathBuf;

use recrawl_detect::SettingsError;
use recrawl_engine::{AllowanceError, PolicyError};
use recrawl_fetch::FetchError;
use recrawl_store::StoreError;
use thiserror::Error;

/// Why a watch cannot start, or ended before it was told to.
#[derive(Debug, Error)]
pub enum WatchError {
    /// The store refuses or fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The budget.
    #[error(transparent)]
    Allowance(#[from] AllowanceError),
    /// The policy.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A policy that samples for less than a visit costs.
    #[error(
        "policy `{policy}` takes samples that cost less than a visit, and over HTTP a sample is a visit: leave the cost at 1"
    )]
    CheapSamples {
        /// The policy.
        policy: String,
    },
    /// What changes are looked for in.
    #[error(transparent)]
    Detect(#[from] SettingsError),
    /// The web client.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// A file of URLs, or a sitemap on disk.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// Something named on the command line.
    #[error(
        "`{0}` is neither a web address nor a file: give https://…, or a file with one address a line"
    )]
    NoSource(String),
    /// Nothing to watch.
    #[error("nothing to watch: the store is empty and no URLs were given")]
    NothingToWatch,
    /// More pages than can be numbered.
    #[error("more pages than can be numbered: 4,294,967,294 at most")]
    TooManyPages,
}
