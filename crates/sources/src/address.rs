//! Addresses of pages: [`page_url`].

use thiserror::Error;
use url::Url;

/// Longest address taken, in bytes; servers refuse longer ones.
const MAX_ADDRESS_BYTES: usize = 8_192;

/// Why a text is not the address of a page.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AddressError {
    /// It has no scheme.
    #[error("`{0}` has no scheme, write https:// before it")]
    NoScheme(String),
    /// Another scheme than those of the web.
    #[error("`{0}` is not an http or https address")]
    OtherScheme(String),
    /// It cannot be read.
    #[error("`{address}` is not an address: {reason}")]
    Malformed {
        /// The text, cut where it is long.
        address: String,
        /// What the parser says.
        reason: String,
    },
    /// Longer than any server takes.
    #[error("an address of {0} bytes is longer than the {MAX_ADDRESS_BYTES} allowed")]
    TooLong(usize),
}

/// Reads the address of a page. It is normalised as browsers do, and the
/// fragment, which no server sees, is dropped.
///
/// # Errors
/// [`AddressError`] says what is wrong with the text.
///
/// ```
/// let url = recrawl_sources::page_url("HTTPS://Example.org:443/a/../b?c#d")?;
/// assert_eq!(url.as_str(), "https://example.org/b?c");
/// # Ok::<(), recrawl_sources::AddressError>(())
/// ```
pub fn page_url(text: &str) -> Result<Url, AddressError> {
    resolve(text, None)
}

/// The same for an address that may be relative to another.
pub(crate) fn resolve(text: &str, base: Option<&Url>) -> Result<Url, AddressError> {
    let text = text.trim();
    if text.len() > MAX_ADDRESS_BYTES {
        return Err(AddressError::TooLong(text.len()));
    }
    let mut url = Url::options()
        .base_url(base)
        .parse(text)
        .map_err(|error| match error {
            url::ParseError::RelativeUrlWithoutBase => AddressError::NoScheme(shown(text)),
            other => AddressError::Malformed {
                address: shown(text),
                reason: other.to_string(),
            },
        })?;
    if !matches!(url.scheme(), "http" | "https") {
        // `example.org:8080/a` reads as the scheme `example.org`.
        return Err(
            if url.scheme().contains('.') || url.scheme() == "localhost" {
                AddressError::NoScheme(shown(text))
            } else {
                AddressError::OtherScheme(shown(text))
            },
        );
    }
    url.set_fragment(None);
    Ok(url)
}

/// A text short enough for a message.
pub(crate) fn shown(text: &str) -> String {
    const SHOWN_CHARACTERS: usize = 80;
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_page_is_refused_with_a_reason() {
        let error = |text: &str| page_url(text).expect_err(text).to_string();
        assert_eq!(
            error("example.org/a"),
            "`example.org/a` has no scheme, write https:// before it"
        );
        assert_eq!(
            error("example.org:80/a"),
            "`example.org:80/a` has no scheme, write https:// before it"
        );
        assert_eq!(
            error("ftp://a.org"),
            "`ftp://a.org` is not an http or https address"
        );
        assert_eq!(
            error("mailto:a@b.org"),
            "`mailto:a@b.org` is not an http or https address"
        );
        assert_eq!(error("http://"), "`http://` is not an address: empty host");
        assert!(error(&format!("http://a.org/{}", "x".repeat(9_000))).contains("9013 bytes"));
    }
}
