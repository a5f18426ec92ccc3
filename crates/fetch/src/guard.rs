//! No private address is connected to: [`Guard`].

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec;

use hyper_util::client::legacy::connect::dns::Name;
use thiserror::Error;
use tower_service::Service;
use url::{Host, Url};

use crate::client::BoxError;
use crate::{Failure, Settings, is_public};

/// Most addresses of one name that are tried.
const MOST_ADDRESSES: usize = 16;

/// A look-up under way.
pub type Looking = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Turns host names into addresses. Called once for each new connection to a
/// host given by name; tests put their own in place of [`SystemLookup`].
pub trait Lookup: Send + Sync {
    /// All addresses of a name.
    fn look_up(&self, name: &str) -> Looking;
}

/// The resolver of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn look_up(&self, name: &str) -> Looking {
        let name = name.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// A function that knows all addresses at once.
impl<F> Lookup for F
where
    F: Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync,
{
    fn look_up(&self, name: &str) -> Looking {
        Box::pin(std::future::ready(self(name)))
    }
}

/// Stands between names and connections: a name is looked up, all its addresses
/// are judged, and exactly those addresses are connected to. There is no second
/// look-up in between that could answer otherwise.
#[derive(Clone)]
pub(crate) struct Guard {
    lookup: Arc<dyn Lookup>,
    allow_private: bool,
    trusted: Arc<[IpAddr]>,
}

/// A name with an address we do not connect to.
#[derive(Debug, Error)]
#[error("private address {0} refused")]
pub(crate) struct Refused(pub(crate) IpAddr);

/// A name nobody knows an address of.
#[derive(Debug, Error)]
#[error("no address found")]
pub(crate) struct Unresolved(#[source] io::Error);

impl Guard {
    pub(crate) fn new(settings: &Settings, lookup: Arc<dyn Lookup>) -> Self {
        Self {
            lookup,
            allow_private: settings.allow_private,
            trusted: settings.trusted.as_slice().into(),
        }
    }

    /// Refuses addresses written out in the URL, which no look-up ever sees.
    /// The URL parser has already brought every spelling (decimal, octal,
    /// hexadecimal, shortened) to one form.
    pub(crate) fn check_literal(&self, url: &Url, redirected: bool) -> Result<(), Failure> {
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::V4(address),
            Some(Host::Ipv6(address)) => IpAddr::V6(address),
            Some(Host::Domain(_)) | None => return Ok(()),
        };
        if self.admits(address) {
            return Ok(());
        }
        Err(Failure::Private {
            address,
            redirected,
        })
    }

    fn admits(&self, address: IpAddr) -> bool {
        self.allow_private || is_public(address) || self.trusted.contains(&address)
    }

    /// The addresses of a name, if every one of them may be connected to: a
    /// name that mixes public and private ones is out to trick somebody.
    fn judge(&self, found: &[IpAddr]) -> Result<Vec<SocketAddr>, Refused> {
        match found.iter().find(|address| !self.admits(**address)) {
            Some(&private) => Err(Refused(private)),
            None => Ok(found
                .iter()
                .take(MOST_ADDRESSES)
                .map(|&address| SocketAddr::new(address, 0))
                .collect()),
        }
    }
}

/// Addresses on their way.
type Resolving = Pin<Box<dyn Future<Output = Result<vec::IntoIter<SocketAddr>, BoxError>> + Send>>;

impl Service<Name> for Guard {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = BoxError;
    type Future = Resolving;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let found = guard.lookup.look_up(name.as_str()).await;
            let addresses = guard.judge(&found.map_err(Unresolved)?)?;
            if addresses.is_empty() {
                return Err(Unresolved(io::ErrorKind::NotFound.into()).into());
            }
            Ok(addresses.into_iter())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(settings: &Settings) -> Guard {
        Guard::new(settings, Arc::new(SystemLookup))
    }

    fn check(guard: &Guard, url: &str) -> Result<(), Failure> {
        guard.check_literal(&Url::parse(url).expect("a URL"), false)
    }

    #[test]
    fn every_spelling_of_a_private_address_is_refused() {
        let guard = guard(&Settings::default());
        for url in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://0/",
            "http://169.254.169.254/latest/meta-data",
            "http://10.0.0.1:8080/",
            "https://[fd00::1]/",
            "http://[64:ff9b::10.0.0.1]/",
            "http://１２７.0.0.1/",
        ] {
            assert!(
                matches!(check(&guard, url), Err(Failure::Private { .. })),
                "{url}"
            );
        }
        assert_eq!(check(&guard, "http://1.1.1.1/"), Ok(()));
        assert_eq!(check(&guard, "http://example.org/"), Ok(()));
    }

    #[test]
    fn private_addresses_are_visited_where_allowed_and_trusted_ones_where_named() {
        let open = guard(&Settings {
            allow_private: true,
            ..Settings::default()
        });
        assert_eq!(check(&open, "http://10.0.0.1/"), Ok(()));
        let trusted = vec![IpAddr::from([10, 0, 0, 1])];
        let some = guard(&Settings {
            trusted,
            ..Settings::default()
        });
        assert_eq!(check(&some, "http://10.0.0.1/"), Ok(()));
        assert!(check(&some, "http://10.0.0.2/").is_err());
    }

    #[test]
    fn one_private_address_refuses_the_whole_name() {
        let guard = guard(&Settings::default());
        let public = IpAddr::from([1, 1, 1, 1]);
        let private = IpAddr::from([192, 168, 0, 1]);
        assert_eq!(
            guard.judge(&[public]).map_err(|Refused(a)| a),
            Ok(vec![(public, 0).into()])
        );
        assert_eq!(
            guard.judge(&[public, private]).map_err(|Refused(a)| a),
            Err(private)
        );
    }
}
