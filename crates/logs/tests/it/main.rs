//! The reader of observation logs, from outside.

#![expect(
    clippy::expect_used,
    clippy::format_push_string,
    reason = "helpers of tests may fail, and need not be quick"
)]

mod blocks;
mod damage;
mod errors;
mod files;
mod formats;
mod parquet_types;
mod support;
