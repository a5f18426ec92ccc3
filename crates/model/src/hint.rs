//! What is said of a page between visits: [`Hint`].

use crate::Timestamp;

/// A source's word that a page was modified, heard without downloading it. It
/// may be wrong, late, or made up: who uses it learns how far to trust it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hint {
    /// Where it comes from.
    pub kind: HintKind,
    /// When the page is said to have been modified last.
    pub said_modified_at: Timestamp,
    /// When it was heard.
    pub heard_at: Timestamp,
}

/// Where a hint comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HintKind {
    /// `lastmod` of a sitemap.
    Sitemap,
    /// The date of a feed's entry.
    Feed,
    /// A last-modified date or a new ETag in a header, asked for alone.
    Header,
}

impl HintKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Sitemap, Self::Feed, Self::Header];

    /// The word used in explanations and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sitemap => "sitemap",
            Self::Feed => "feed",
            Self::Header => "header",
        }
    }
}
