//! One row group on its way into rows: [`Lane`].

use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;

use crate::batch::{Batch, NamedBatch, Row};
use crate::cell::empty;
use crate::gather::Known;
use crate::{Column, LogError, RowProblem};

use super::cells::{Answers, Texts, Times, Weights};
use super::damaged;
use super::guard::guarded;
use super::pages::{PageNames, Recognised};
use super::schema::Plan;

/// A row group being decoded.
pub(super) struct Lane {
    reader: ParquetRecordBatchReader,
    /// The row of the file that comes next, counted from 0.
    next_row: u64,
    pub(super) finished: bool,
    recognised: Recognised,
}

impl Lane {
    /// The rows of `reader`, the first of them row `first_row` of the file.
    pub(super) fn new(reader: ParquetRecordBatchReader, first_row: u64) -> Self {
        Self {
            reader,
            next_row: first_row,
            finished: false,
            recognised: Recognised::default(),
        }
    }

    /// The next rows, or `None` at the end of the row group.
    pub(super) fn decode(&mut self, plan: &Plan) -> Result<Option<Columns>, LogError> {
        let columns = guarded(|| match self.reader.next() {
            Some(rows) => rows
                .and_then(|rows| Columns::new(&rows))
                .map(Some)
                .map_err(|refused| refused.to_string()),
            None => Ok(None),
        });
        let Some(columns) = columns.map_err(|reason| damaged(&plan.file, &reason))? else {
            self.finished = true;
            return Ok(None);
        };
        Ok(Some(columns))
    }

    /// The rows just decoded, with the pages of `known` recognised, and which row of
    /// the file the first is.
    pub(super) fn recognise(&mut self, columns: &Columns, known: Known<'_>) -> (u64, Batch) {
        let first_row = self.next_row;
        self.next_row += columns.rows as u64;
        let batch = columns.plain_batch(known).unwrap_or_else(|| {
            let told = |row| columns.row(row);
            let recognised = &mut self.recognised;
            columns.pages.batch(columns.rows, known, recognised, told)
        });
        (first_row, batch)
    }
}

/// The columns of some rows.
pub(super) struct Columns {
    rows: usize,
    pages: PageNames,
    times: Times,
    changed: Answers,
    modified: Times,
    sites: Texts,
    weights: Weights,
}

impl Columns {
    fn new(rows: &RecordBatch) -> Result<Self, ArrowError> {
        let column = |column: Column| rows.column_by_name(column.name());
        Ok(Self {
            rows: rows.num_rows(),
            pages: PageNames::new(column(Column::Page))?,
            times: Times::new(Column::Time, column(Column::Time))?,
            changed: Answers::new(column(Column::Changed))?,
            modified: Times::new(Column::LastModified, column(Column::LastModified))?,
            sites: Texts::new(column(Column::Site))?,
            weights: Weights::new(column(Column::Weight))?,
        })
    }

    /// All rows in a batch, if they tell a page, a time and an outcome, none of which
    /// asks for a second look.
    fn plain_batch(&self, known: Known<'_>) -> Option<Batch> {
        if !(self.modified.is_absent() && self.sites.is_absent() && self.weights.is_absent()) {
            return None;
        }
        let (names, times) = (self.pages.plain()?, self.times.plain()?);
        let mut batch = NamedBatch::with_capacity(self.rows, known);
        batch.push_plain(names, times, self.changed.plain()?);
        let mut batch = batch.finish();
        batch.lines = self.rows as u64;
        Some(batch)
    }

    #[inline]
    fn row(&self, row: usize) -> Result<Row<'_>, RowProblem> {
        Ok(Row {
            at: self.times.get(row)?.ok_or_else(|| empty(Column::Time))?,
            outcome: self.changed.get(row)?,
            last_modified: self.modified.get(row)?,
            site: self.sites.get(row).filter(|site| !site.is_empty()),
            weight: self.weights.get(row)?,
        })
    }
}
