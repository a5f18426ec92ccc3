//! What a comparison found: [`Finding`] and [`Levels`].

use recrawl_model::Outcome;

use crate::Memory;

/// What differs, level by level, before noise is set aside.
///
/// Each is [`Outcome::Changed`], [`Outcome::Unchanged`] or [`Outcome::Unknown`]
/// where it was not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels {
    /// The bytes of the body.
    pub bytes: Outcome,
    /// Its text, after selectors and ignored patterns.
    pub text: Outcome,
    /// Its main content.
    pub main: Outcome,
}

impl Levels {
    /// All the same.
    #[must_use]
    pub const fn all(outcome: Outcome) -> Self {
        Self {
            bytes: outcome,
            text: outcome,
            main: outcome,
        }
    }
}

/// What comparing a body with what is remembered of the last one found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Whether the page changed, at the level of the settings and with learned
    /// noise set aside: `Changed`, `Unchanged` or `Unknown`.
    pub outcome: Outcome,
    /// What differs at each level, noise included.
    pub levels: Levels,
    /// What to remember from now on.
    pub memory: Memory,
    /// Why the outcome is unknown, or why another level than asked for decided.
    pub reason: Option<&'static str>,
    /// The change looks like noise: a second fetch within seconds, given to
    /// [`Detector::learn_noise`](crate::Detector::learn_noise), would tell.
    /// Asked for ever more rarely where second looks taught nothing.
    pub worth_a_second_look: bool,
}
