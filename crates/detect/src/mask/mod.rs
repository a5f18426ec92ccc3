//! Which parts of a page differ by themselves.
//!
//! A page is remembered as a sequence of [`Element`]s: blocks as they were, and
//! between them masks, which hold for some tokens of a block (a [`Pattern`]) or
//! for some blocks between two others (a gap). A later page is unchanged if it
//! fits the sequence ([`fit`]), as a name fits a pattern with stars in it. If it
//! does not, [`carry`] makes the sequence for the new page and keeps the masks
//! that still have a place; [`learn`] adds masks where two fetches differ that
//! ought to be the same.

mod align;
mod carry;
mod clock;
mod element;
mod fit;
mod learn;
mod pattern;

pub(crate) use carry::carry;
pub(crate) use element::{Element, Seen};
pub(crate) use fit::{fit, settle};
pub(crate) use learn::{Lesson, learn};
pub(crate) use pattern::{Item, Pattern};
