//! Why a source cannot be read: [`SourceError`].

use thiserror::Error;

/// Why bytes are no source of pages.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceError {
    /// More bytes than are read, as they came or decompressed.
    #[error("more than {limit} bytes: too large to be read as a {what}")]
    TooLarge {
        /// `sitemap` or `feed`.
        what: &'static str,
        /// Bytes allowed.
        limit: usize,
    },
    /// Compressed data that is cut short or damaged.
    #[error("the compressed data are damaged: {0}")]
    Compression(String),
    /// A document type, which could define entities.
    #[error("a document type is declared, which no sitemap needs: refused")]
    DocumentType,
    /// The XML cannot be read.
    #[error("not well-formed XML at byte {at}: {reason}")]
    Malformed {
        /// Where.
        at: u64,
        /// What the parser says.
        reason: String,
    },
    /// It begins like something else.
    #[error("not a {what}: it begins with `{found}`")]
    Other {
        /// `sitemap` or `feed`.
        what: &'static str,
        /// The name of its first element, or its first characters.
        found: String,
    },
    /// A feed its parser refuses.
    #[error("not a feed that can be read: {0}")]
    Feed(String),
}
