//! `recrawl.toml` and flags alike: [`Config`].

use std::path::{Path, PathBuf};
use std::time::Duration;

use recrawl_detect::Level;
use recrawl_engine::{Allowance, AllowanceError};
use recrawl_model::{SpanError, parse_span};
use serde::Deserialize;
use thiserror::Error;

use crate::{Settings, Sources, WatchError};

/// Everything the flags of `recrawl watch` say, each under its flag's name. A
/// flag counts more than the file; unknown keys are refused.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Addresses, files of addresses, `sitemap:` and `feed:` addresses.
    pub urls: Option<Vec<String>>,
    /// The directory of the store.
    pub store: Option<PathBuf>,
    /// `2000/d`, or a number of visits with `cycle`.
    pub budget: Option<Count>,
    /// The length of a cycle: its visits are made as soon as politeness allows.
    pub cycle: Option<String>,
    /// The policy.
    pub policy: Option<String>,
    /// What visits are to achieve: changes, freshness or age.
    pub objective: Option<String>,
    /// Seed of policies that draw.
    pub seed: Option<u64>,
    /// Least time between two visits of one host.
    pub host_gap: Option<String>,
    /// Visits of one host at a time.
    pub host_connections: Option<u32>,
    /// Visits of one registrable domain at a time.
    pub domain_connections: Option<u32>,
    /// Visits at a time over all hosts.
    pub connections: Option<usize>,
    /// Most visits of one site in a period of the budget.
    pub site_cap: Option<u64>,
    /// Whether private and loopback addresses may be visited.
    pub allow_private: Option<bool>,
    /// What has to differ: bytes, text or main.
    pub level: Option<Level>,
    /// CSS selectors of what counts.
    pub include: Option<Vec<String>>,
    /// CSS selectors of what does not.
    pub exclude: Option<Vec<String>>,
    /// Regular expressions of text that does not count.
    pub ignore: Option<Vec<String>>,
    /// Versions kept of each page.
    pub keep: Option<usize>,
    /// Largest share of visits spent on second looks.
    pub second_looks: Option<f64>,
    /// How long a visit may take.
    pub timeout: Option<String>,
    /// Most bytes of a body.
    pub most_body: Option<usize>,
    /// How the watcher names itself.
    pub user_agent: Option<String>,
    /// A mail address or page for those who want to complain.
    pub contact: Option<String>,
    /// How often sitemaps and feeds are read again.
    pub sources_every: Option<String>,
    /// End by itself after this time.
    #[serde(rename = "for")]
    pub stop_after: Option<String>,
    /// End by itself after so many cycles.
    pub cycles: Option<u64>,
    /// Where the API and the dashboard are served.
    pub serve: Option<String>,
    /// A file with the token that lets its bearer in.
    pub token_file: Option<PathBuf>,
    /// Whether anyone may come in without a token.
    pub allow_anyone: Option<bool>,
    /// Names the server is called by.
    pub host: Option<Vec<String>>,
}

/// A number of visits, or visits a period.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Count {
    /// Visits of a cycle.
    Visits(u64),
    /// `2000/d`, or a number as text.
    Text(String),
}

/// What is wrong with a configuration.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file.
    #[error("{}: {cause}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// A span of time.
    #[error("{name}: {cause}")]
    Span {
        /// The setting.
        name: &'static str,
        /// What is wrong.
        cause: SpanError,
    },
    /// The budget.
    #[error(transparent)]
    Budget(#[from] AllowanceError),
    /// A budget of so many visits needs to know of how long.
    #[error("a budget of {0} visits needs a period: say {0}/d, or add --cycle SPAN")]
    NoPeriod(u64),
    /// A period twice.
    #[error(
        "a budget of {0} has its period already: leave --cycle away, or the part after the slash"
    )]
    TwoPeriods(String),
    /// A number outside its range.
    #[error("{name} must be {range}")]
    Range {
        /// The setting.
        name: &'static str,
        /// What it may be.
        range: &'static str,
    },
    /// A source.
    #[error(transparent)]
    Source(#[from] WatchError),
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// [`ConfigError::File`] names the file, the line and the key.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let wrong = |cause: String| ConfigError::File {
            path: path.to_owned(),
            cause,
        };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        toml::from_str(&text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))
    }

    /// This configuration where it says something, `other` elsewhere.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            urls: self.urls.or(other.urls),
            store: self.store.or(other.store),
            cycle: self
                .cycle
                .or_else(|| other.cycle.filter(|_| self.budget.is_none())),
            budget: self.budget.or(other.budget),
            policy: self.policy.or(other.policy),
            objective: self.objective.or(other.objective),
            seed: self.seed.or(other.seed),
            host_gap: self.host_gap.or(other.host_gap),
            host_connections: self.host_connections.or(other.host_connections),
            domain_connections: self.domain_connections.or(other.domain_connections),
            connections: self.connections.or(other.connections),
            site_cap: self.site_cap.or(other.site_cap),
            allow_private: self.allow_private.or(other.allow_private),
            level: self.level.or(other.level),
            include: self.include.or(other.include),
            exclude: self.exclude.or(other.exclude),
            ignore: self.ignore.or(other.ignore),
            keep: self.keep.or(other.keep),
            second_looks: self.second_looks.or(other.second_looks),
            timeout: self.timeout.or(other.timeout),
            most_body: self.most_body.or(other.most_body),
            user_agent: self.user_agent.or(other.user_agent),
            contact: self.contact.or(other.contact),
            sources_every: self.sources_every.or(other.sources_every),
            stop_after: self.stop_after.or(other.stop_after),
            cycles: self.cycles.or(other.cycles),
            serve: self.serve.or(other.serve),
            token_file: self.token_file.or(other.token_file),
            allow_anyone: self.allow_anyone.or(other.allow_anyone),
            host: self.host.or(other.host),
        }
    }

    /// The sources named.
    ///
    /// # Errors
    /// [`WatchError::NoSource`] names the one that is none.
    pub fn sources(&self) -> Result<Sources, ConfigError> {
        let mut sources = Sources::new();
        for name in self.urls.iter().flatten() {
            sources.add(name)?;
        }
        Ok(sources)
    }

    /// The settings, checked; what nobody set is as by default.
    ///
    /// # Errors
    /// [`ConfigError`] names the setting.
    pub fn settings(&self) -> Result<Settings, ConfigError> {
        let mut settings = Settings::new(self.allowance()?);
        if let Some(policy) = &self.policy {
            settings.policy.clone_from(policy);
        }
        if let Some(objective) = &self.objective {
            let mark = if settings.policy.contains(':') {
                ','
            } else {
                ':'
            };
            settings.policy = format!("{}{mark}objective={objective}", settings.policy);
        }
        settings.seed = self.seed.unwrap_or(settings.seed);
        self.set_manners(&mut settings)?;
        self.set_fetch(&mut settings)?;
        self.set_detect(&mut settings);
        settings.site_cap = self.site_cap;
        settings.keep = positive("keep", self.keep, settings.keep)?;
        if let Some(share) = self.second_looks {
            if !(0.0..=0.5).contains(&share) {
                let (name, range) = ("second-looks", "between 0 and 0.5");
                return Err(ConfigError::Range { name, range });
            }
            settings.second_looks = share;
        }
        if let Some(every) = span("sources-every", self.sources_every.as_ref())? {
            settings.sources_every = every;
        }
        settings.stop_after = span("for", self.stop_after.as_ref())?;
        settings.stop_after_cycles = self.cycles;
        Ok(settings)
    }

    fn allowance(&self) -> Result<Allowance, ConfigError> {
        let cycle = span("cycle", self.cycle.as_ref())?;
        let visits = match &self.budget {
            None if cycle.is_none() => return Ok(Settings::default_allowance()?),
            None => {
                let (name, range) = ("budget", "given where --cycle is");
                return Err(ConfigError::Range { name, range });
            }
            Some(Count::Visits(visits)) => *visits,
            Some(Count::Text(text)) => match text.trim().parse() {
                Ok(visits) => visits,
                Err(_) if cycle.is_some() => return Err(ConfigError::TwoPeriods(text.clone())),
                Err(_) => return Ok(Allowance::parse(text)?),
            },
        };
        let cycle = cycle.ok_or(ConfigError::NoPeriod(visits))?;
        Ok(Allowance::at_once(visits, cycle)?)
    }

    fn set_manners(&self, settings: &mut Settings) -> Result<(), ConfigError> {
        let manners = &mut settings.manners;
        manners.gap = match self.host_gap.as_deref().map(str::trim) {
            Some("0" | "0s") => Duration::ZERO, // one's own server needs no rest
            _ => span("host-gap", self.host_gap.as_ref())?.unwrap_or(manners.gap),
        };
        let host = positive(
            "host-connections",
            self.host_connections,
            manners.connections_a_host,
        )?;
        manners.connections_a_host = host;
        let domain = self.domain_connections;
        let domain = positive("domain-connections", domain, manners.connections_a_domain)?;
        manners.connections_a_domain = domain.max(host);
        settings.connections = positive("connections", self.connections, settings.connections)?;
        Ok(())
    }

    fn set_fetch(&self, settings: &mut Settings) -> Result<(), ConfigError> {
        let fetch = &mut settings.fetch;
        if let Some(timeout) = span("timeout", self.timeout.as_ref())? {
            fetch.total_timeout = timeout;
            fetch.connect_timeout = fetch.connect_timeout.min(timeout);
        }
        fetch.most_body = positive("most-body", self.most_body, fetch.most_body)?;
        fetch.allow_private = self.allow_private.unwrap_or(fetch.allow_private);
        if let Some(agent) = &self.user_agent {
            fetch.user_agent.clone_from(agent);
        } else if let Some(contact) = &self.contact {
            fetch.user_agent = format!("{} (+{contact})", fetch.user_agent);
        }
        if let Some(contact) = self
            .contact
            .as_ref()
            .filter(|contact| contact.contains('@'))
        {
            fetch.from = Some(contact.clone());
        }
        Ok(())
    }

    fn set_detect(&self, settings: &mut Settings) {
        let detect = &mut settings.detect;
        detect.level = self.level.unwrap_or(detect.level);
        detect.include = self.include.clone().unwrap_or_default();
        detect.exclude = self.exclude.clone().unwrap_or_default();
        detect.ignore = self.ignore.clone().unwrap_or_default();
    }
}

fn span(name: &'static str, text: Option<&String>) -> Result<Option<Duration>, ConfigError> {
    let parsed = text.map(|text| parse_span(text)).transpose();
    parsed.map_err(|cause| ConfigError::Span { name, cause })
}

/// A count of at least one.
fn positive<T: PartialEq + From<u8>>(
    name: &'static str,
    given: Option<T>,
    otherwise: T,
) -> Result<T, ConfigError> {
    match given {
        Some(count) if count == T::from(0) => {
            let range = "at least 1";
            Err(ConfigError::Range { name, range })
        }
        Some(count) => Ok(count),
        None => Ok(otherwise),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Config {
        toml::from_str(text).expect("a configuration")
    }

    #[test]
    fn a_file_says_everything_the_flags_say() {
        let config = config(
            r#"
            urls = ["https://example.org/"]
            budget = 10000
            cycle = "7d"
            policy = "greedy"
            host-gap = "10s"
            level = "main"
            exclude = [".advert"]
            contact = "me@example.org"
            for = "1h"
            "#,
        );
        let settings = config.settings().expect("good settings");
        assert_eq!(settings.allowance.visits_of(0), 10_000);
        assert_eq!(settings.manners.gap, Duration::from_secs(10));
        assert_eq!(settings.detect.exclude, [".advert"]);
        assert_eq!(settings.fetch.from.as_deref(), Some("me@example.org"));
        assert_eq!(settings.stop_after, Some(Duration::from_secs(3_600)));
    }

    #[test]
    fn unknown_keys_are_refused() {
        let error = toml::from_str::<Config>("budgte = \"5/d\"").expect_err("a slip");
        assert!(error.to_string().contains("budgte"), "{error}");
    }

    #[test]
    fn a_flag_counts_more_than_the_file() {
        let file = config("budget = 10\ncycle = \"7d\"\nkeep = 3");
        let flags = config("budget = \"2000/d\"");
        let settings = flags.or(file).settings().expect("good settings");
        assert_eq!(settings.allowance.visits(), 2_000);
        assert_eq!(settings.keep, 3);
    }

    #[test]
    fn budgets_that_make_no_sense_are_refused_with_the_way_out() {
        for (text, said) in [
            ("budget = 10", "10/d"),
            ("budget = \"10\"", "10/d"),
            ("budget = \"10/d\"\ncycle = \"1d\"", "already"),
            ("cycle = \"1d\"", "budget"),
            ("budget = \"0/d\"", "no visits"),
            ("keep = 0", "keep"),
            ("host-gap = \"soon\"", "host-gap"),
        ] {
            let error = config(text).settings().expect_err(text);
            assert!(error.to_string().contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn the_objective_joins_the_policy() {
        let of = |text: &str| config(text).settings().expect("good").policy;
        assert_eq!(of("objective = \"age\""), "bayes:objective=age");
        assert_eq!(
            of("policy = \"greedy:samples=3\"\nobjective = \"age\""),
            "greedy:samples=3,objective=age"
        );
    }
}
