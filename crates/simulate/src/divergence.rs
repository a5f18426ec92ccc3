//! How far a stale copy is from its page: [`Divergence`].

use std::fmt;
use std::sync::Arc;

/// A function of the updates missed since the copy was taken, 0 where none
/// was, that does not fall. Its mean over pages is averaged over time exactly.
#[derive(Clone, Default)]
pub enum Divergence {
    /// The number of updates missed, the default.
    #[default]
    UpdatesMissed,
    /// Any function of that number.
    Custom(Arc<dyn Fn(u32) -> f64 + Send + Sync>),
}

impl Divergence {
    /// The divergence of a copy that missed so many updates.
    #[must_use]
    pub fn of(&self, missed: u32) -> f64 {
        match self {
            Self::UpdatesMissed => f64::from(missed),
            Self::Custom(function) => function(missed),
        }
    }
}

impl fmt::Debug for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UpdatesMissed => "UpdatesMissed",
            Self::Custom(_) => "Custom",
        })
    }
}
