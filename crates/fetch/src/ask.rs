//! What is asked for: [`Ask`].

use url::Url;

/// A page, and what is known of the version held.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The page.
    pub url: &'a Url,
    /// The entity tag of the version held, exactly as received.
    pub etag: Option<&'a str>,
    /// The `Last-Modified` of the version held, exactly as received.
    pub last_modified: Option<&'a str>,
}

impl<'a> Ask<'a> {
    /// Asks for a page of which no version is held.
    #[must_use]
    pub const fn new(url: &'a Url) -> Self {
        Self {
            url,
            etag: None,
            last_modified: None,
        }
    }
}
