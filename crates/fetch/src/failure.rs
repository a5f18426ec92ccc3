//! Why there is no answer: [`Failure`].

use std::io;
use std::net::IpAddr;

use recrawl_model::Timestamp;
use thiserror::Error;

/// Why a request brought no usable answer, in a text fit for people.
///
/// Nothing the server wrote is part of the text, so it is short and safe to
/// store and show.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// The page is not a web address.
    #[error("only http and https addresses can be fetched")]
    Scheme,
    /// The name has no address, or nobody could tell.
    #[error("host name does not resolve")]
    Dns,
    /// No connection to any address of the host.
    #[error("cannot connect: {kind}")]
    Connect {
        /// What the system said.
        kind: io::ErrorKind,
    },
    /// The host could not prove who it is, or speaks no TLS we know.
    #[error("tls refused: {fault}")]
    Tls {
        /// What is wrong.
        fault: TlsFault,
    },
    /// Connecting or the whole exchange took too long.
    #[error("timed out")]
    Timeout,
    /// The body, decompressed, goes beyond the limit.
    #[error("body larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// A redirect led back to an address already tried.
    #[error("redirect loop")]
    RedirectLoop,
    /// Too many redirects in a row.
    #[error("more than {limit} redirects")]
    TooManyRedirects {
        /// How many are followed.
        limit: usize,
    },
    /// A redirect without a target, or to something other than a web address.
    #[error("redirect without a usable target")]
    BadRedirect,
    /// A loopback, private or otherwise special address.
    #[error("{}private address {address} refused", if *redirected { "redirect to " } else { "" })]
    Private {
        /// The address, as written or as the name resolved.
        address: IpAddr,
        /// Whether a redirect led there.
        redirected: bool,
    },
    /// Too many headers, or too long ones.
    #[error("headers too many or too long")]
    Header,
    /// The connection ended before the answer did.
    #[error("connection closed before the whole answer")]
    Truncated,
    /// The body is not what its `Content-Encoding` says, or in one we do not know.
    #[error("body does not decode as its content-encoding says")]
    Encoding,
    /// What came back is not HTTP.
    #[error("answer is not valid http")]
    Protocol,
    /// `robots.txt` closes the target of a redirect to us.
    #[error("redirect to a page robots.txt disallows")]
    Disallowed,
    /// The `robots.txt` of a redirect's target cannot be read for now.
    #[error("redirect to a site whose robots.txt cannot be read before {until}")]
    RobotsUnreachable {
        /// When it is tried again.
        until: Timestamp,
    },
    /// A [`Permit`](crate::Permit) ended the fetch because the program stops.
    #[error("stopped")]
    Stopped,
}

impl Failure {
    /// The same, at the target of a redirect.
    pub(crate) fn after_redirect(self) -> Self {
        match self {
            Self::Private { address, .. } => Self::Private {
                address,
                redirected: true,
            },
            other => other,
        }
    }
}

/// What is wrong with a TLS connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TlsFault {
    /// The certificate is for other names.
    #[error("certificate is for another name")]
    WrongName,
    /// The certificate is no longer valid.
    #[error("certificate has expired")]
    Expired,
    /// The certificate is not valid yet.
    #[error("certificate is not valid yet")]
    NotYetValid,
    /// Nobody we trust vouches for the certificate.
    #[error("certificate is not from a trusted issuer")]
    Untrusted,
    /// The certificate was withdrawn.
    #[error("certificate is revoked")]
    Revoked,
    /// The certificate is malformed or unfit in another way.
    #[error("certificate is not acceptable")]
    BadCertificate,
    /// The two sides found no common version or cipher, or broke off.
    #[error("handshake failed")]
    Handshake,
}
