//! What is known of a page now: [`PageRow`] and, at a [`Glance`], a part of it.

use recrawl_model::{Timestamp, Weight};

use crate::{Held, Standing};

/// One watched page as the store keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRow {
    /// Its URL, or any other name.
    pub url: String,
    /// The group it is sampled with.
    pub site: String,
    /// Its importance.
    pub weight: Weight,
    /// When it was added.
    pub added: Timestamp,
    /// Whether it is visited.
    pub standing: Standing,
    /// What is held of its last good response.
    pub held: Option<Held>,
}

/// What a scheduler needs to know of a page, without its URL and what is held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glance<'a> {
    /// The group it is sampled with.
    pub site: &'a str,
    /// Its importance.
    pub weight: Weight,
    /// Whether it is visited.
    pub standing: Standing,
    /// When it was added.
    pub added: Timestamp,
}

impl PageRow {
    /// The row at a glance.
    #[must_use]
    pub fn glance(&self) -> Glance<'_> {
        Glance {
            site: &self.site,
            weight: self.weight,
            standing: self.standing,
            added: self.added,
        }
    }
}
