//! What a visit brought home: [`Body`].

use thiserror::Error;

/// The body of a response, decompressed, with the type its server gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Body<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The `Content-Type` header as it came, parameters included.
    pub content_type: Option<&'a str>,
}

impl<'a> Body<'a> {
    /// A body of the given type.
    #[must_use]
    pub const fn new(bytes: &'a [u8], content_type: Option<&'a str>) -> Self {
        Self {
            bytes,
            content_type,
        }
    }
}

/// Why a body has nothing to remember.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// No byte came.
    #[error("the body is empty")]
    Empty,
    /// The page holds nothing the settings ask for.
    #[error("no element matches the include selectors")]
    NothingSelected,
}

impl Unreadable {
    /// The same as its `Display`, without allocation.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Empty => "the body is empty",
            Self::NothingSelected => "no element matches the include selectors",
        }
    }
}
