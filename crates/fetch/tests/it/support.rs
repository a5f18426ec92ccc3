//! Short ways to say what tests say often.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use recrawl_fetch::{Answer, Ask, Everything, Failure, Fetcher, Lookup, Settings};
use recrawl_testkit::Names;
use url::Url;

/// Loopback may be visited, and a loaded machine has time enough.
pub(crate) fn settings() -> Settings {
    Settings {
        allow_private: true,
        ..Settings::default()
    }
}

/// As [`settings`], but nobody waits for what never comes.
pub(crate) fn impatient() -> Settings {
    Settings {
        total_timeout: Duration::from_millis(300),
        ..settings()
    }
}

/// Only 127.0.0.1, where the scripted servers are, passes for public.
pub(crate) fn guarded() -> Settings {
    Settings {
        trusted: vec![loopback()],
        ..Settings::default()
    }
}

pub(crate) fn loopback() -> IpAddr {
    Ipv4Addr::LOCALHOST.into()
}

/// A fetcher that takes its addresses from a script.
pub(crate) fn fetcher_with(settings: &Settings, names: &Arc<Names>) -> Fetcher {
    let names = Arc::clone(names);
    let lookup: Arc<dyn Lookup> = Arc::new(move |name: &str| names.look_up(name));
    Fetcher::with_lookup(settings, lookup).expect("sound settings")
}

pub(crate) fn url(text: &str) -> Url {
    Url::parse(text).expect("a URL")
}

/// One fetch by a fetcher of its own.
pub(crate) async fn fetch(settings: &Settings, address: &str) -> Result<Answer, Failure> {
    let fetcher = Fetcher::new(settings).expect("sound settings");
    get(&fetcher, address).await
}

/// One fetch with nothing known and every redirect permitted.
pub(crate) async fn get(fetcher: &Fetcher, address: &str) -> Result<Answer, Failure> {
    fetcher.fetch(Ask::new(&url(address)), &Everything).await
}
