//! Segments: files the log is appended to. `docs/store.md` tells the bytes.

mod frame;
mod reader;
mod search;
mod writer;

pub(crate) use frame::{HEADER_BYTES, Header, HeldPlace};
pub(crate) use reader::{SegmentReader, Step};
pub(crate) use search::{Sought, find_frame};
pub(crate) use writer::SegmentWriter;
