//! Where the API and the dashboard are served, and to whom.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use recrawl_serve::{Access, Bound, Mode, Settings, Token, bind};

/// Who may come in; loopback only if nothing is said.
#[derive(Debug, Args)]
#[command(next_help_heading = "Who may come in")]
pub(crate) struct AccessArgs {
    /// Only who knows the token in this file may come in; needed beyond
    /// loopback
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// Let anyone in who can reach the address, without a token
    #[arg(long, conflicts_with = "token_file")]
    pub(crate) allow_anyone: bool,

    /// A name the server is called by, beside its address (repeatable)
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
}

impl AccessArgs {
    /// A server at an address for those the flags let in.
    pub(crate) fn at(&self, address: &str) -> Place {
        Place {
            address: address.to_owned(),
            token_file: self.token_file.clone(),
            allow_anyone: self.allow_anyone,
            hosts: self.host.clone(),
        }
    }
}

/// Where and for whom a server is to be.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) address: String,
    pub(crate) token_file: Option<PathBuf>,
    pub(crate) allow_anyone: bool,
    pub(crate) hosts: Vec<String>,
}

impl Place {
    /// Takes the address; tells at once if it cannot be had.
    pub(crate) fn bind(
        &self,
        mode: Mode,
        policy: &str,
        store: Option<&Path>,
    ) -> anyhow::Result<Bound> {
        let mut settings = Settings::new(address(&self.address)?);
        settings.access = match &self.token_file {
            Some(path) => Access::Token(token(path)?),
            None if self.allow_anyone => Access::Anyone,
            None => Access::Local,
        };
        settings.hosts.clone_from(&self.hosts);
        settings.mode = mode;
        policy.clone_into(&mut settings.policy);
        settings.store = store.map(Path::to_owned);
        Ok(bind(settings)?)
    }
}

/// `8417`, `:8417`, `127.0.0.1:8417`, `localhost:8417` or `[::1]:8417`.
fn address(text: &str) -> anyhow::Result<SocketAddr> {
    let port = text.strip_prefix(':').unwrap_or(text);
    if let Ok(port) = port.parse::<u16>() {
        return Ok((IpAddr::V4(Ipv4Addr::LOCALHOST), port).into());
    }
    let found = text.to_socket_addrs();
    let found = found.ok().and_then(|mut found| found.next());
    found.with_context(|| {
        format!("`{text}` is no address to listen on; give HOST:PORT, as 127.0.0.1:8417")
    })
}

fn token(path: &Path) -> anyhow::Result<Token> {
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("--token-file {}", path.display()))?;
    match Token::new(&text) {
        Ok(token) => Ok(token),
        Err(error) => bail!("--token-file {}: {error}", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_as_people_write_them() {
        for (text, wanted) in [
            ("8417", "127.0.0.1:8417"),
            (":0", "127.0.0.1:0"),
            ("127.0.0.1:1", "127.0.0.1:1"),
            ("[::1]:80", "[::1]:80"),
        ] {
            let taken = address(text).expect("an address").to_string();
            assert_eq!(taken, wanted);
        }
        let refused = address("nowhere").expect_err("no port").to_string();
        assert!(refused.contains("`nowhere`"), "{refused}");
    }
}
