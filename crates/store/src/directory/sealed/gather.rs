//! Records gathered into columns: [`Gather`].

use std::sync::Arc;

use arrow::array::{
    ArrayRef, Float32Builder, RecordBatch, StringBuilder, TimestampMicrosecondBuilder,
    UInt8Builder, UInt16Builder, UInt32Builder, UInt64Builder,
};
use arrow::error::ArrowError;
use recrawl_model::Timestamp;

use super::columns::{moment, schema};
use crate::Record;
use crate::codec;

/// One value a column of one record; what it does not have stays `None`.
#[derive(Default)]
struct Cells<'a> {
    page: Option<u32>,
    at: Option<i64>,
    visit: Option<u64>,
    outcome: Option<u8>,
    last_modified: Option<i64>,
    cost: Option<u64>,
    length: Option<u64>,
    status: Option<u16>,
    bytes: Option<u32>,
    millis: Option<u32>,
    reason: Option<&'a str>,
    text: Option<&'a str>,
    detail: Option<&'a str>,
    weight: Option<f32>,
    standing: Option<u8>,
}

impl<'a> Cells<'a> {
    fn of(record: &'a Record) -> Self {
        let at = record.at().map(Timestamp::micros);
        let mut cells = Self {
            at,
            ..Self::default()
        };
        match record {
            Record::PageAdded {
                page,
                url,
                site,
                weight,
                ..
            } => {
                cells.page = Some(page.0);
                cells.text = Some(url);
                cells.detail = Some(site);
                cells.weight = Some(weight.get() as f32);
            }
            Record::PageSet {
                page,
                standing,
                weight,
                ..
            } => {
                cells.page = Some(page.0);
                cells.standing = Some(*standing as u8);
                cells.weight = Some(weight.get() as f32);
            }
            Record::Asked {
                visit, page, cost, ..
            } => {
                cells.visit = Some(*visit);
                cells.page = Some(page.0);
                cells.cost = Some(cost.millionths());
            }
            Record::Seen { .. } => cells.see(record),
            Record::CycleBegun {
                number,
                length,
                budget,
                ..
            } => {
                cells.visit = Some(*number);
                cells.length = Some(codec::micros(*length));
                cells.cost = Some(budget.millionths());
            }
            Record::HostHeld { host, until } => {
                cells.at = Some(until.micros());
                cells.text = Some(host);
            }
            Record::Setting { name, value } => {
                cells.text = Some(name);
                cells.detail = Some(value);
            }
        }
        cells
    }

    fn see(&mut self, record: &'a Record) {
        let Record::Seen {
            visit,
            page,
            outcome,
            last_modified,
            note,
            ..
        } = record
        else {
            return;
        };
        self.visit = Some(*visit);
        self.page = Some(page.0);
        self.outcome = Some(*outcome as u8);
        self.last_modified = last_modified.map(Timestamp::micros);
        if let Some(note) = note {
            self.status = Some(note.status);
            self.bytes = Some(note.bytes);
            self.millis = Some(note.millis);
            self.reason = Some(&note.reason);
        }
    }
}

/// Records on their way into a sealed file.
pub(super) struct Gather {
    kind: UInt8Builder,
    page: UInt32Builder,
    at: TimestampMicrosecondBuilder,
    visit: UInt64Builder,
    outcome: UInt8Builder,
    last_modified: TimestampMicrosecondBuilder,
    cost: UInt64Builder,
    length: UInt64Builder,
    status: UInt16Builder,
    bytes: UInt32Builder,
    millis: UInt32Builder,
    reason: StringBuilder,
    text: StringBuilder,
    detail: StringBuilder,
    weight: Float32Builder,
    standing: UInt8Builder,
    records: usize,
}

impl Gather {
    pub(super) fn new() -> Self {
        let moments = || TimestampMicrosecondBuilder::new().with_data_type(moment());
        Self {
            kind: UInt8Builder::new(),
            page: UInt32Builder::new(),
            at: moments(),
            visit: UInt64Builder::new(),
            outcome: UInt8Builder::new(),
            last_modified: moments(),
            cost: UInt64Builder::new(),
            length: UInt64Builder::new(),
            status: UInt16Builder::new(),
            bytes: UInt32Builder::new(),
            millis: UInt32Builder::new(),
            reason: StringBuilder::new(),
            text: StringBuilder::new(),
            detail: StringBuilder::new(),
            weight: Float32Builder::new(),
            standing: UInt8Builder::new(),
            records: 0,
        }
    }

    /// How many records are gathered.
    pub(super) const fn len(&self) -> usize {
        self.records
    }

    pub(super) fn push(&mut self, record: &Record) {
        let cells = Cells::of(record);
        self.records += 1;
        self.kind.append_value(codec::kind_of(record));
        self.page.append_option(cells.page);
        self.at.append_option(cells.at);
        self.visit.append_option(cells.visit);
        self.outcome.append_option(cells.outcome);
        self.last_modified.append_option(cells.last_modified);
        self.cost.append_option(cells.cost);
        self.length.append_option(cells.length);
        self.status.append_option(cells.status);
        self.bytes.append_option(cells.bytes);
        self.millis.append_option(cells.millis);
        self.reason.append_option(cells.reason);
        self.text.append_option(cells.text);
        self.detail.append_option(cells.detail);
        self.weight.append_option(cells.weight);
        self.standing.append_option(cells.standing);
    }

    /// The columns of all records gathered, which are then forgotten.
    pub(super) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.records = 0;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.kind.finish()),
            Arc::new(self.page.finish()),
            Arc::new(self.at.finish()),
            Arc::new(self.visit.finish()),
            Arc::new(self.outcome.finish()),
            Arc::new(self.last_modified.finish()),
            Arc::new(self.cost.finish()),
            Arc::new(self.length.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.bytes.finish()),
            Arc::new(self.millis.finish()),
            Arc::new(self.reason.finish()),
            Arc::new(self.text.finish()),
            Arc::new(self.detail.finish()),
            Arc::new(self.weight.finish()),
            Arc::new(self.standing.finish()),
        ];
        RecordBatch::try_new(schema(), columns)
    }
}
