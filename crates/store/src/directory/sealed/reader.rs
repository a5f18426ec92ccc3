//! Columns back to records.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use arrow::array::{
    Array, Float32Array, RecordBatch, StringArray, TimestampMicrosecondArray, UInt8Array,
    UInt16Array, UInt32Array, UInt64Array,
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use recrawl_model::{Cost, PageId, Timestamp, Weight};

use super::columns::{
    AT, BYTES, BYTES_KEY, CHECKSUM_KEY, COST, DETAIL, FORMAT_KEY, KIND, LAST_MODIFIED, LENGTH,
    MILLIS, OUTCOME, PAGE, REASON, RECORDS_KEY, STANDING, STATUS, TEXT, VISIT, WEIGHT,
};
use crate::codec::{decode_outcome, decode_standing, kind};
use crate::directory::files::LogFile;
use crate::directory::log_reader::damaged;
use crate::directory::place::LOG_FORMAT;
use crate::fields::Malformed;
use crate::{Note, Record, StoreError};

/// Records decoded at a time.
const BATCH: usize = 1 << 14;

/// Reads the records of a sealed file in order.
pub(crate) fn read(
    handle: File,
    file: &LogFile,
    each: &mut dyn FnMut(Record) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let path = &file.path;
    let unreadable = |what: String| damaged(path, 0, what);
    let builder =
        guarded(|| ParquetRecordBatchReaderBuilder::try_new(handle)).map_err(unreadable)?;
    let told = Told::of(&builder);
    if let Some(found) = told.format.filter(|&format| format > u64::from(LOG_FORMAT)) {
        return Err(StoreError::TooNew {
            found: u32::try_from(found).unwrap_or(u32::MAX),
            newest: LOG_FORMAT,
        });
    }
    let mut batches = guarded(|| builder.with_batch_size(BATCH).build()).map_err(unreadable)?;
    let mut count = 0u64;
    while let Some(batch) = guarded(|| batches.next().transpose()).map_err(unreadable)? {
        let columns = Columns::of(&batch)
            .ok_or_else(|| unreadable("a column is missing or of another type".to_owned()))?;
        for row in 0..batch.num_rows() {
            let record = columns.record(row).map_err(|error| {
                unreadable(format!("record {count} cannot be understood: {error}"))
            })?;
            each(record)?;
            count += 1;
        }
    }
    if told.records != Some(count) {
        let what = "it does not hold as many records as it says";
        return Err(unreadable(what.to_owned()));
    }
    Ok(())
}

/// Runs the decoder. It panics on some damaged files; that too only means that
/// the file cannot be read.
fn guarded<T, E: std::fmt::Display>(decode: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(decoded) => decoded.map_err(|error| error.to_string()),
        Err(_) => Err("it cannot be decoded".to_owned()),
    }
}

/// What the footer tells of the file.
struct Told {
    format: Option<u64>,
    records: Option<u64>,
    bytes: Option<u64>,
    checksum: Option<u64>,
}

impl Told {
    fn of(builder: &ParquetRecordBatchReaderBuilder<File>) -> Self {
        let pairs = builder.metadata().file_metadata().key_value_metadata();
        let number = |name: &str| {
            let pair = pairs?.iter().find(|pair| pair.key == name)?;
            pair.value.as_ref()?.parse().ok()
        };
        Self {
            format: number(FORMAT_KEY),
            records: number(RECORDS_KEY),
            bytes: number(BYTES_KEY),
            checksum: number(CHECKSUM_KEY),
        }
    }
}

/// What is wrong with the bytes of a sealed file, if anything is: a damaged
/// byte may otherwise decode to a wrong record.
pub(crate) fn damage(path: &Path) -> Result<Option<String>, StoreError> {
    let failed = || StoreError::io("read", path);
    let mut handle = File::open(path).map_err(failed())?;
    let copy = handle.try_clone().map_err(failed())?;
    let builder = match guarded(|| ParquetRecordBatchReaderBuilder::try_new(copy)) {
        Ok(builder) => builder,
        Err(what) => return Ok(Some(what)),
    };
    let told = Told::of(&builder);
    let (Some(bytes), Some(checksum)) = (told.bytes, told.checksum) else {
        return Ok(Some("its footer has no checksum".to_owned()));
    };
    handle.seek(SeekFrom::Start(0)).map_err(failed())?;
    let mut stream = handle.take(bytes);
    let mut hasher = crc32fast::Hasher::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        let read = stream.read(&mut chunk).map_err(failed())?;
        if read == 0 {
            break;
        }
        hasher.update(&chunk[..read]);
    }
    let right = u64::from(hasher.finalize()) == checksum;
    Ok((!right).then(|| "its checksum does not match".to_owned()))
}

/// The columns of a batch.
struct Columns<'a> {
    kind: &'a UInt8Array,
    page: &'a UInt32Array,
    at: &'a TimestampMicrosecondArray,
    visit: &'a UInt64Array,
    outcome: &'a UInt8Array,
    last_modified: &'a TimestampMicrosecondArray,
    cost: &'a UInt64Array,
    length: &'a UInt64Array,
    status: &'a UInt16Array,
    bytes: &'a UInt32Array,
    millis: &'a UInt32Array,
    reason: &'a StringArray,
    text: &'a StringArray,
    detail: &'a StringArray,
    weight: &'a Float32Array,
    standing: &'a UInt8Array,
}

fn column<'a, A: Array + 'static>(batch: &'a RecordBatch, name: &str) -> Option<&'a A> {
    batch.column_by_name(name)?.as_any().downcast_ref()
}

/// The value at a row, where there must be one.
macro_rules! value {
    ($self:ident . $column:ident, $row:expr) => {
        if $self.$column.is_null($row) {
            Err(Malformed::Short(stringify!($column)))
        } else {
            Ok($self.$column.value($row))
        }
    };
}

impl<'a> Columns<'a> {
    fn of(batch: &'a RecordBatch) -> Option<Self> {
        Some(Self {
            kind: column(batch, KIND)?,
            page: column(batch, PAGE)?,
            at: column(batch, AT)?,
            visit: column(batch, VISIT)?,
            outcome: column(batch, OUTCOME)?,
            last_modified: column(batch, LAST_MODIFIED)?,
            cost: column(batch, COST)?,
            length: column(batch, LENGTH)?,
            status: column(batch, STATUS)?,
            bytes: column(batch, BYTES)?,
            millis: column(batch, MILLIS)?,
            reason: column(batch, REASON)?,
            text: column(batch, TEXT)?,
            detail: column(batch, DETAIL)?,
            weight: column(batch, WEIGHT)?,
            standing: column(batch, STANDING)?,
        })
    }

    fn record(&self, row: usize) -> Result<Record, Malformed> {
        Ok(match self.kind.value(row) {
            kind::PAGE_ADDED => Record::PageAdded {
                page: self.page(row)?,
                at: self.at(row)?,
                url: value!(self.text, row)?.to_owned(),
                site: value!(self.detail, row)?.to_owned(),
                weight: self.weight(row)?,
            },
            kind::PAGE_SET => Record::PageSet {
                page: self.page(row)?,
                at: self.at(row)?,
                standing: decode_standing(value!(self.standing, row)?)?,
                weight: self.weight(row)?,
            },
            kind::ASKED => Record::Asked {
                visit: value!(self.visit, row)?,
                page: self.page(row)?,
                at: self.at(row)?,
                cost: self.cost(row)?,
            },
            kind::SEEN => self.seen(row)?,
            kind::CYCLE_BEGUN => Record::CycleBegun {
                number: value!(self.visit, row)?,
                at: self.at(row)?,
                length: Duration::from_micros(value!(self.length, row)?),
                budget: self.cost(row)?,
            },
            kind::HOST_HELD => Record::HostHeld {
                host: value!(self.text, row)?.to_owned(),
                until: self.at(row)?,
            },
            kind::SETTING => Record::Setting {
                name: value!(self.text, row)?.to_owned(),
                value: value!(self.detail, row)?.to_owned(),
            },
            _ => return Err(Malformed::Value("kind")),
        })
    }

    fn seen(&self, row: usize) -> Result<Record, Malformed> {
        let last_modified = self.last_modified.is_valid(row);
        let note = if self.reason.is_valid(row) {
            Some(Note {
                status: value!(self.status, row)?,
                reason: self.reason.value(row).to_owned(),
                bytes: value!(self.bytes, row)?,
                millis: value!(self.millis, row)?,
            })
        } else {
            None
        };
        Ok(Record::Seen {
            visit: value!(self.visit, row)?,
            page: self.page(row)?,
            at: self.at(row)?,
            outcome: decode_outcome(value!(self.outcome, row)?)?,
            last_modified: last_modified
                .then(|| Timestamp::from_micros(self.last_modified.value(row))),
            note,
            held: None,
        })
    }

    fn page(&self, row: usize) -> Result<PageId, Malformed> {
        value!(self.page, row).map(PageId)
    }

    fn at(&self, row: usize) -> Result<Timestamp, Malformed> {
        value!(self.at, row).map(Timestamp::from_micros)
    }

    fn cost(&self, row: usize) -> Result<Cost, Malformed> {
        value!(self.cost, row).map(Cost::from_millionths)
    }

    fn weight(&self, row: usize) -> Result<Weight, Malformed> {
        let number = value!(self.weight, row)?;
        Weight::new(f64::from(number)).map_err(|_| Malformed::Value("weight"))
    }
}
