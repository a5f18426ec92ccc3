//! Whom we trust: certificates of the system and those of the settings.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use crate::FetchError;

/// The TLS side of a client; which versions of HTTP it offers is the client's.
///
/// # Errors
/// [`FetchError`] where an extra root is not a certificate.
pub(crate) fn config(extra_roots: &[Vec<u8>]) -> Result<ClientConfig, FetchError> {
    let provider = Arc::new(ring::default_provider());
    let extra = certificates(extra_roots)?;
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| FetchError::Client(error.to_string()))?;
    Ok(match Verifier::new_with_extra_roots(extra, provider) {
        Ok(verifier) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        // A machine without any certificates can still watch plain HTTP; TLS
        // connections then fail as untrusted.
        Err(_) => builder
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth(),
    })
}

/// The certificates of the settings.
pub(crate) fn certificates(roots: &[Vec<u8>]) -> Result<Vec<CertificateDer<'static>>, FetchError> {
    let mut all = Vec::new();
    for (place, root) in roots.iter().enumerate() {
        let bad = |reason: String| FetchError::Root {
            number: place + 1,
            reason,
        };
        let found = if root.trim_ascii_start().starts_with(b"-----BEGIN") {
            CertificateDer::pem_slice_iter(root)
                .collect::<Result<Vec<_>, _>>()
                .map_err(|error| bad(error.to_string()))?
        } else {
            vec![CertificateDer::from(root.clone())]
        };
        let mut fit = RootCertStore::empty();
        for certificate in found {
            fit.add(certificate.clone())
                .map_err(|error| bad(error.to_string()))?;
            all.push(certificate);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_that_is_no_certificate_is_named() {
        let error = config(&[b"hello".to_vec()]).expect_err("no certificate");
        let text = error.to_string();
        assert!(
            text.starts_with("extra root certificate 1 is neither"),
            "{text}"
        );
    }
}
