//! What a synthetic world is made of: [`WorldSpec`], read from TOML.

use serde::Deserialize;
use thiserror::Error;

use super::laws::{GapLaw, NumberLaw, ShareLaw};

/// The recipe of a synthetic world. Every key has a default but `sites` and
/// `pages_per_site`; a key that is not here is refused.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldSpec {
    /// How many sites.
    pub sites: u32,
    /// Pages of each site: a number, or a law of sizes.
    pub pages_per_site: NumberLaw,
    /// The chance that a page of the site changes in a cycle, rho in the
    /// papers, drawn once for each site.
    #[serde(default)]
    pub rho: ShareLaw,
    /// How pages of one site differ.
    #[serde(default)]
    pub pages: PageLaw,
    /// When changes happen.
    #[serde(default)]
    pub time: TimeLaw,
    /// Rates that rise or fall over the run.
    #[serde(default)]
    pub trend: Option<Trend>,
    /// Rates that follow the day and the week.
    #[serde(default)]
    pub rhythm: Option<Rhythm>,
    /// Changes that strike a whole site at once.
    #[serde(default)]
    pub bursts: Option<Bursts>,
    /// Pages that exchange their rates.
    #[serde(default)]
    pub drift: Option<Drift>,
    /// Pages whose bytes differ at every visit though their content stays.
    #[serde(default)]
    pub liars: Option<Liars>,
    /// What a sitemap says of pages between visits, nothing by default.
    #[serde(default)]
    pub hints: Option<Hints>,
    /// Importance of pages, 1 by default.
    #[serde(default)]
    pub weight: Option<NumberLaw>,
    /// Size of pages in bytes, unknown by default.
    #[serde(default)]
    pub bytes: Option<NumberLaw>,
}

/// How pages of one site differ.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "law")]
pub enum PageLaw {
    /// All have the chance of their site.
    #[default]
    Alike,
    /// In every cycle exactly rho of the site's pages change, drawn anew: the
    /// setting of Cho & Ntoulas' Examples 1 and 2. Only with changes per cycle.
    Exact,
    /// Chances follow Beta(c rho, c (1 - rho)).
    Beta {
        /// c: the larger, the more alike.
        concentration: f64,
    },
}

/// When changes happen.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "kind")]
pub enum TimeLaw {
    /// At most once a cycle, at a moment uniform in it, with the page's chance.
    #[default]
    PerCycle,
    /// At the end of independent gaps of mean 1/rate, rate = -ln(1 - chance)
    /// a cycle.
    Continuous {
        /// The law of the gaps.
        #[serde(default)]
        gaps: GapLaw,
    },
}

/// Cumulative intensity `horizon (t/horizon)^exponent`: as many changes up to
/// the horizon as without the trend, later ones denser for an exponent above 1.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trend {
    /// Above 1 rates rise, below 1 they fall.
    pub exponent: f64,
    /// In cycles.
    #[serde(default = "default_horizon")]
    pub horizon: f64,
}

fn default_horizon() -> f64 {
    100.0
}

/// Intensity `1 + daily cos(2 pi t/day) + weekly cos(2 pi t/week)`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rhythm {
    /// Swing over the day.
    #[serde(default)]
    pub daily: f64,
    /// Swing over the week; both together at most 1.
    #[serde(default)]
    pub weekly: f64,
}

/// A burst comes to each site by itself at `per_cycle` a cycle and changes each
/// page of the site with chance `strength`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bursts {
    /// Mean number of bursts of a site in a cycle.
    pub per_cycle: f64,
    /// Chance of each page to be struck.
    #[serde(default = "one")]
    pub strength: f64,
}

fn one() -> f64 {
    1.0
}

/// Every so many cycles some pages, drawn from all sites, exchange rates.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drift {
    /// Cycles between two exchanges.
    pub every: u32,
    /// Share of all pages that take part.
    pub share: f64,
}

/// In each cycle a sitemap says of a page that it was modified.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hints {
    /// The chance if it was.
    pub of_changed: f64,
    /// The chance if it was not: as large as the other, the sitemap says nothing.
    #[serde(default)]
    pub of_unchanged: f64,
}

/// Pages that lie about change, and who believes them.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Liars {
    /// Share of all pages that lie.
    pub share: f64,
    /// What the crawler compares.
    #[serde(default)]
    pub detector: Detector,
}

/// What the crawler compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detector {
    /// Bytes: the policy is told `changed` at every visit of a liar, while
    /// scores count true changes only. The default.
    #[default]
    Bytes,
    /// Content: liars deceive nobody.
    Content,
}

/// A recipe that makes no world.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SpecError {
    /// Not TOML, an unknown key, or a value of the wrong kind.
    #[error("{0}")]
    Malformed(String),
    /// A number outside its range.
    #[error("`{key}` is {value}, which must be {range}")]
    OutOfRange {
        /// The key.
        key: &'static str,
        /// What it was given.
        value: String,
        /// What it takes.
        range: &'static str,
    },
    /// Settings that need continuous time.
    #[error("`{0}` needs changes in continuous time: add [time] with kind = \"continuous\"")]
    NeedsContinuousTime(&'static str),
    /// Settings that need changes per cycle.
    #[error("`{0}` needs changes per cycle: leave out [time]")]
    NeedsCycles(&'static str),
}

impl WorldSpec {
    /// Reads a recipe from TOML and checks it.
    ///
    /// # Errors
    /// [`SpecError`] names the line or the key.
    pub fn from_toml(text: &str) -> Result<Self, SpecError> {
        let spec: Self = toml::from_str(text).map_err(|error| {
            let line = error
                .span()
                .map_or(0, |span| text[..span.start].matches('\n').count() + 1);
            SpecError::Malformed(format!("line {line}: {}", error.message()))
        })?;
        spec.check()?;
        Ok(spec)
    }

    /// Checks every number against its range.
    ///
    /// # Errors
    /// [`SpecError`] names the key.
    pub fn check(&self) -> Result<(), SpecError> {
        require("sites", f64::from(self.sites), self.sites > 0, "above 0")?;
        self.pages_per_site.check("pages_per_site", 1.0)?;
        self.rho.check()?;
        if let PageLaw::Beta { concentration } = self.pages {
            let key = "pages.concentration";
            require(key, concentration, positive(concentration), "above 0")?;
        }
        if let TimeLaw::Continuous { gaps } = self.time {
            gaps.check()?;
        }
        if self.pages == PageLaw::Exact && self.time != TimeLaw::PerCycle {
            return Err(SpecError::NeedsCycles("pages.law = \"exact\""));
        }
        self.check_clock()?;
        if let Some(bursts) = self.bursts {
            let rate = bursts.per_cycle;
            require("bursts.per_cycle", rate, positive(rate), "above 0")?;
            require_share("bursts.strength", bursts.strength)?;
        }
        if let Some(drift) = self.drift {
            require(
                "drift.every",
                f64::from(drift.every),
                drift.every > 0,
                "above 0",
            )?;
            require_share("drift.share", drift.share)?;
        }
        if let Some(hints) = self.hints {
            require_share("hints.of_changed", hints.of_changed)?;
            require_share("hints.of_unchanged", hints.of_unchanged)?;
        }
        if let Some(liars) = self.liars {
            require_share("liars.share", liars.share)?;
        }
        if let Some(weight) = &self.weight {
            weight.check("weight", 0.0)?;
        }
        if let Some(bytes) = &self.bytes {
            bytes.check("bytes", 0.0)?;
        }
        Ok(())
    }

    fn check_clock(&self) -> Result<(), SpecError> {
        let continuous = matches!(self.time, TimeLaw::Continuous { .. });
        if let Some(trend) = self.trend {
            if !continuous {
                return Err(SpecError::NeedsContinuousTime("trend"));
            }
            let (exponent, horizon) = (trend.exponent, trend.horizon);
            require("trend.exponent", exponent, positive(exponent), "above 0")?;
            require("trend.horizon", horizon, positive(horizon), "above 0")?;
        }
        if let Some(rhythm) = self.rhythm {
            if !continuous {
                return Err(SpecError::NeedsContinuousTime("rhythm"));
            }
            let swing = rhythm.daily + rhythm.weekly;
            let fine = rhythm.daily >= 0.0 && rhythm.weekly >= 0.0 && swing <= 1.0;
            require(
                "rhythm",
                swing,
                fine,
                "two swings of at least 0, together at most 1",
            )?;
        }
        Ok(())
    }
}

pub(super) fn positive(number: f64) -> bool {
    number.is_finite() && number > 0.0
}

pub(super) fn require(
    key: &'static str,
    value: f64,
    fine: bool,
    range: &'static str,
) -> Result<(), SpecError> {
    if fine {
        return Ok(());
    }
    Err(SpecError::OutOfRange {
        key,
        value: value.to_string(),
        range,
    })
}

pub(super) fn require_share(key: &'static str, value: f64) -> Result<(), SpecError> {
    require(key, value, (0.0..=1.0).contains(&value), "between 0 and 1")
}
