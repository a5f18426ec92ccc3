//! HTML pages: their visible text, parts of it, and their main content.
//!
//! The text is found by a scanner that knows tags, comments and what browsers
//! do not show, and builds no tree: it is many times faster than a parser and
//! cannot be made slow or deep. Selectors and main content need a tree.

mod elements;
mod entities;
mod main_content;
mod scan;
mod select;
mod text;

pub(crate) use main_content::main_content;
pub(crate) use select::{Selection, too_large_for_a_tree};
pub(crate) use text::visible_text;
