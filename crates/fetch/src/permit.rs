//! Who is asked before a redirect is followed: [`Permit`].

use url::Url;

use crate::Failure;

/// Asked by [`Fetcher::fetch`](crate::Fetcher::fetch) before each redirect is
/// followed, to another origin or within one: its target may be closed to us by
/// `robots.txt`. The page itself is not asked about; that is done before fetching.
///
/// Waiting here does not count towards the time a fetch may take.
pub trait Permit: Sync {
    /// Whether this target may be requested, or the reason it may not.
    fn may(&self, url: &Url) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// Permits every redirect.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Permit for Everything {
    async fn may(&self, _url: &Url) -> Result<(), Failure> {
        Ok(())
    }
}
