//! From an error of the client to a [`Failure`].

use std::error::Error;
use std::io;
use std::iter;

use hyper_util::client::legacy;
use rustls::CertificateError;

use crate::client::TooSlow;
use crate::guard::{Refused, Unresolved};
use crate::{Failure, TlsFault};

type Cause = dyn Error + 'static;

/// Why a request got no answer.
pub(crate) fn request_failure(error: &legacy::Error, redirected: bool) -> Failure {
    if let Some(failure) = cause_failure(error, redirected) {
        return failure;
    }
    if is_timeout(error) {
        Failure::Timeout
    } else if causes(error).any(<Cause>::is::<Unresolved>) {
        Failure::Dns
    } else if error.is_connect() {
        let kind = io_kind(error).unwrap_or(io::ErrorKind::Other);
        Failure::Connect { kind }
    } else if io_kind(error).is_some() {
        Failure::Truncated
    } else {
        Failure::Protocol
    }
}

/// Why a body ended early.
pub(crate) fn body_failure(error: &Cause) -> Failure {
    if let Some(failure) = cause_failure(error, false) {
        return failure;
    }
    if is_timeout(error) {
        return Failure::Timeout;
    }
    let from_connection = causes(error).any(<Cause>::is::<hyper::Error>);
    match (from_connection, io_kind(error)) {
        (_, Some(io::ErrorKind::UnexpectedEof)) | (true, Some(_)) => Failure::Truncated,
        (true, None) => Failure::Protocol,
        (false, _) => Failure::Encoding,
    }
}

/// What one of the causes says by itself.
fn cause_failure(error: &Cause, redirected: bool) -> Option<Failure> {
    causes(error).find_map(|cause| {
        if let Some(&Refused(address)) = cause.downcast_ref() {
            return Some(Failure::Private {
                address,
                redirected,
            });
        }
        if let Some(error) = cause.downcast_ref::<rustls::Error>() {
            let fault = tls_fault(error);
            return Some(Failure::Tls { fault });
        }
        let error: &hyper::Error = cause.downcast_ref()?;
        if error.is_parse_too_large() {
            Some(Failure::Header)
        } else if error.is_parse() {
            Some(Failure::Protocol)
        } else if error.is_incomplete_message() {
            Some(Failure::Truncated)
        } else {
            None
        }
    })
}

fn tls_fault(error: &rustls::Error) -> TlsFault {
    let rustls::Error::InvalidCertificate(error) = error else {
        return TlsFault::Handshake;
    };
    match error {
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            TlsFault::WrongName
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => TlsFault::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            TlsFault::NotYetValid
        }
        CertificateError::UnknownIssuer => TlsFault::Untrusted,
        CertificateError::Revoked => TlsFault::Revoked,
        _ => TlsFault::BadCertificate,
    }
}

/// Whether we, or the system, waited long enough.
fn is_timeout(error: &Cause) -> bool {
    causes(error).any(<Cause>::is::<TooSlow>) || io_kind(error) == Some(io::ErrorKind::TimedOut)
}

fn io_kind(error: &Cause) -> Option<io::ErrorKind> {
    causes(error)
        .filter_map(<Cause>::downcast_ref::<io::Error>)
        .last()
        .map(io::Error::kind)
}

/// The error and all its causes. An I/O error made from another error hides
/// that one from `source`, so it is asked for by name.
fn causes(error: &Cause) -> impl Iterator<Item = &Cause> {
    iter::successors(Some(error), |&cause| {
        let wrapped = cause
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        match wrapped {
            Some(inner) => Some(inner),
            None => cause.source(),
        }
    })
}
