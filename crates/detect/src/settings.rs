//! What counts as a change: [`Settings`] and [`Level`].

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How much of a response has to differ for the page to count as changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Any byte of the body.
    Bytes,
    /// The text a reader sees; of JSON the values, of feeds the entries.
    #[default]
    Text,
    /// The main content of an HTML page, without menus, footers and boxes.
    /// Other kinds of documents have no such part: for them it is [`Level::Text`].
    Main,
}

impl Level {
    /// The word used in files and flags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Text => "text",
            Self::Main => "main",
        }
    }
}

/// What a [`Detector`](crate::Detector) looks at and what it leaves out.
///
/// ```
/// let settings = recrawl_detect::Settings {
///     exclude: vec![".advert".to_owned()],
///     ignore: vec![r"\d+ minutes ago".to_owned()],
///     ..Default::default()
/// };
/// assert!(recrawl_detect::Detector::new(&settings).is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// What has to differ: `bytes`, `text` (the default) or `main`.
    pub level: Level,
    /// CSS selectors: of an HTML page only what one of them matches counts. Not
    /// used at level `bytes`.
    pub include: Vec<String>,
    /// CSS selectors: of an HTML page what one of them matches does not count.
    /// Not used at level `bytes`.
    pub exclude: Vec<String>,
    /// Regular expressions: what they match in a block of text is dropped. Not
    /// used at level `bytes`.
    pub ignore: Vec<String>,
}

/// Why settings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// A text in `include` or `exclude` is no CSS selector.
    #[error("`{selector}` in `{list}` is not a CSS selector: {reason}")]
    Selector {
        /// The list it stands in: `include` or `exclude`.
        list: &'static str,
        /// The text.
        selector: String,
        /// What the parser says.
        reason: String,
    },
    /// A text in `ignore` is no regular expression, or one too large.
    #[error("`{pattern}` in `ignore` is not a regular expression that can be used: {reason}")]
    Pattern {
        /// The text.
        pattern: String,
        /// What the parser says.
        reason: String,
    },
}
