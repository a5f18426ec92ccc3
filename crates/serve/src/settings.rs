//! How to serve: [`Settings`].

use std::net::SocketAddr;
use std::path::PathBuf;

use subtle::ConstantTimeEq;
use thiserror::Error;

/// Shortest token taken: with fewer characters it could be guessed.
const LEAST_TOKEN: usize = 16;

/// Everything the server can be told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where to listen; port 0 takes a free one.
    pub address: SocketAddr,
    /// Who may come in.
    pub access: Access,
    /// Names the server may be called by, beside its own address and localhost.
    pub hosts: Vec<String>,
    /// Whether somebody watches.
    pub mode: Mode,
    /// The policy whose plans are shown.
    pub policy: String,
    /// The directory of the store, to tell its size.
    pub store: Option<PathBuf>,
}

/// Who may come in.
#[derive(Debug, Clone)]
pub enum Access {
    /// Programs of this machine only.
    Local,
    /// Whoever knows the token.
    Token(Token),
    /// Whoever can reach the address.
    Anyone,
}

/// Whether pages are being visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A watcher runs.
    Watch,
    /// The store is only served.
    Serve,
}

impl Mode {
    /// The word used in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Watch => "watch",
            Self::Serve => "serve",
        }
    }
}

/// A secret that lets its bearer in. It is never shown.
#[derive(Clone)]
pub struct Token(String);

/// Why a text is no token.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TokenError {
    /// Too short.
    #[error(
        "the token has {0} characters, and fewer than {LEAST_TOKEN} can be guessed; `openssl rand -hex 32` makes a good one"
    )]
    Short(usize),
    /// Not what fits in a header.
    #[error("the token holds characters other than letters, digits and -._~+/=")]
    Characters,
}

impl Token {
    /// A token as a file holds it; white space around it does not count.
    ///
    /// # Errors
    /// [`TokenError`] if it is too short or does not fit in a header.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        if text.chars().count() < LEAST_TOKEN {
            return Err(TokenError::Short(text.chars().count()));
        }
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        if !text.bytes().all(fits) {
            return Err(TokenError::Characters);
        }
        Ok(Self(text.to_owned()))
    }

    /// Whether somebody knows it; how long this takes tells nothing about it.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Settings {
    /// Settings for an address, everything else as it is by default.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        Self {
            address,
            access: Access::Local,
            hosts: Vec::new(),
            mode: Mode::Serve,
            policy: recrawl_policy::DEFAULT_POLICY.to_owned(),
            store: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_or_not_and_never_shown() {
        let token = Token::new("  0123456789abcdef\n").expect("long enough");
        assert!(token.is("0123456789abcdef"));
        assert!(!token.is("0123456789abcdeF") && !token.is("0123456789abcde"));
        assert_eq!(format!("{token:?}"), "Token(…)");
        assert_eq!(Token::new("short").err(), Some(TokenError::Short(5)));
        let spaced = Token::new("0123456789 abcdef");
        assert_eq!(spaced.err(), Some(TokenError::Characters));
    }
}
