//! The columns of a sealed file.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};

/// Number of the record's kind, as in a segment.
pub(super) const KIND: &str = "kind";
/// The page.
pub(super) const PAGE: &str = "page";
/// The time; of a `HostHeld`, until when.
pub(super) const AT: &str = "at";
/// The visit; of a `CycleBegun`, the cycle.
pub(super) const VISIT: &str = "visit";
/// Number of the outcome, as in a segment.
pub(super) const OUTCOME: &str = "outcome";
/// The last-modified time.
pub(super) const LAST_MODIFIED: &str = "last_modified";
/// Millionths of a download: the cost, or the budget of a cycle.
pub(super) const COST: &str = "cost";
/// Microseconds a cycle lasts.
pub(super) const LENGTH: &str = "length";
/// HTTP status of a note.
pub(super) const STATUS: &str = "status";
/// Bytes of a note.
pub(super) const BYTES: &str = "bytes";
/// Milliseconds of a note.
pub(super) const MILLIS: &str = "millis";
/// Reason of a note; there is a note where this is not null.
pub(super) const REASON: &str = "reason";
/// URL, host, or name of a setting.
pub(super) const TEXT: &str = "text";
/// Site, or value of a setting.
pub(super) const DETAIL: &str = "detail";
/// The importance.
pub(super) const WEIGHT: &str = "weight";
/// Number of the standing, as in a segment.
pub(super) const STANDING: &str = "standing";

/// Names in the file's footer.
pub(super) const FORMAT_KEY: &str = "recrawl.format";
pub(super) const BYTES_KEY: &str = "recrawl.bytes";
pub(super) const CHECKSUM_KEY: &str = "recrawl.crc32";
pub(super) const RECORDS_KEY: &str = "recrawl.records";

/// A moment in microseconds.
pub(super) fn moment() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}

/// All columns in order.
pub(super) fn schema() -> SchemaRef {
    let optional = |name, kind| Field::new(name, kind, true);
    Arc::new(Schema::new(vec![
        Field::new(KIND, DataType::UInt8, false),
        optional(PAGE, DataType::UInt32),
        optional(AT, moment()),
        optional(VISIT, DataType::UInt64),
        optional(OUTCOME, DataType::UInt8),
        optional(LAST_MODIFIED, moment()),
        optional(COST, DataType::UInt64),
        optional(LENGTH, DataType::UInt64),
        optional(STATUS, DataType::UInt16),
        optional(BYTES, DataType::UInt32),
        optional(MILLIS, DataType::UInt32),
        optional(REASON, DataType::Utf8),
        optional(TEXT, DataType::Utf8),
        optional(DETAIL, DataType::Utf8),
        optional(WEIGHT, DataType::Float32),
        optional(STANDING, DataType::UInt8),
    ]))
}
