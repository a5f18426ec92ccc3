//! Who a TLS server claims to be: [`Identity`].

use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;

/// A certificate of its own making, and the key to it.
#[derive(Debug)]
pub struct Identity {
    params: CertificateParams,
}

impl Identity {
    /// A certificate for these names or addresses.
    ///
    /// # Panics
    /// Where one of them cannot be a name.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test cannot go on without it")]
    pub fn of(names: &[&str]) -> Self {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let params = CertificateParams::new(names).expect("names fit for a certificate");
        Self { params }
    }

    /// Valid until the end of the year 2000.
    #[must_use]
    pub fn expired(mut self) -> Self {
        self.params.not_after = date_time_ymd(2001, 1, 1);
        self
    }

    /// The certificate in PEM, and a server that shows it and speaks `protocol`.
    #[expect(clippy::expect_used, reason = "a test cannot go on without it")]
    pub(crate) fn into_config(self, protocol: &[u8]) -> (String, Arc<ServerConfig>) {
        let key = KeyPair::generate().expect("a key");
        let certificate = self.params.self_signed(&key).expect("a certificate");
        let private = PrivateKeyDer::try_from(key.serialize_der()).expect("a key just made");
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("protocols of the provider")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], private)
            .expect("a certificate that fits its key");
        config.alpn_protocols = vec![protocol.to_vec()];
        (certificate.pem(), Arc::new(config))
    }
}
