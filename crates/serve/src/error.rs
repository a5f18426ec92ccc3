//! Why nothing is served: [`ServeError`].

use std::net::SocketAddr;

use recrawl_store::StoreError;
use thiserror::Error;

/// Why the server cannot start.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The log.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An address other machines can reach, and nothing that keeps them out.
    #[error(
        "{0} can be reached from other machines: give --token-file FILE, or --allow-anyone if nobody else is there"
    )]
    Open(SocketAddr),
    /// The address is taken, or not of this machine.
    #[error("cannot listen on {address}: {cause}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the operating system said.
        cause: std::io::Error,
    },
    /// Threads of its own.
    #[error("cannot start the server's threads: {0}")]
    Threads(std::io::Error),
}
