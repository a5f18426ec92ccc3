//! Sealed segments: the same records as columns of a Parquet file, without
//! what is held.

mod columns;
mod gather;
mod reader;
mod writer;

pub(crate) use reader::{damage, read};
pub(crate) use writer::Replacement;
