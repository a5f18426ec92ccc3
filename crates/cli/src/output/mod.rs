//! Answers in every format: table, JSON, NDJSON, CSV, and Parquet to a file.
//!
//! A command describes its records once, as [`Columns`] for the flat formats and
//! as `Serialize` for the nested ones, and hands them to a [`RecordWriter`].

mod columns;
mod encoded;
mod parquet;
mod record_writer;
mod table;
mod target;

pub(crate) use columns::{Cell, Columns};
pub(crate) use record_writer::RecordWriter;
pub(crate) use table::four_digits;
pub(crate) use target::{Output, Shape, make_readable};
