//! Records of one type, written in any shape as they come.

use std::fmt::Write as _;
use std::io::Write;

use rayon::prelude::*;
use serde::Serialize;

use super::parquet::ParquetWriter;
use super::table::Table;
use super::target::{Shape, Target};
use super::{Cell, Columns};

/// Records encoded by one thread at a time.
const ENCODED_TOGETHER: usize = 2_048;

/// Writes records as they come; nothing is kept but what a shape must keep.
pub(crate) struct RecordWriter<R> {
    columns: Columns<R>,
    style: Style,
    any: bool,
}

enum Style {
    Table(Target, Table),
    Json(Target),
    Ndjson(Target),
    Csv(Target),
    Parquet(Box<ParquetWriter>),
}

impl<R: Serialize + Sync> RecordWriter<R> {
    pub(super) fn begin(
        shape: Shape,
        mut target: Target,
        columns: Columns<R>,
    ) -> anyhow::Result<Self> {
        let style = match shape {
            Shape::Table => {
                let table = Table::new(columns.names(), columns.kinds());
                Style::Table(target, table)
            }
            Shape::Json => {
                target.write_all(b"[")?;
                Style::Json(target)
            }
            Shape::Ndjson => Style::Ndjson(target),
            Shape::Csv => {
                let mut header = csv::Writer::from_writer(&mut target);
                header.write_record(columns.names())?;
                header.flush()?;
                drop(header);
                Style::Csv(target)
            }
            Shape::Parquet => {
                let writer = ParquetWriter::new(target, columns.names(), columns.kinds())?;
                Style::Parquet(Box::new(writer))
            }
        };
        Ok(Self {
            columns,
            style,
            any: false,
        })
    }

    /// Writes some more records, encoding them on all cores.
    pub(crate) fn write(&mut self, records: &[R]) -> anyhow::Result<()> {
        let columns = &self.columns;
        match &mut self.style {
            Style::Table(target, table) => {
                for record in records {
                    table.push(target, columns.cells(record))?;
                }
            }
            Style::Json(target) => {
                for piece in encode(records, |record, bytes| {
                    bytes.extend_from_slice(b",\n  ");
                    Ok(serde_json::to_writer(bytes, record)?)
                })? {
                    let separator = usize::from(!self.any); // no comma before the first
                    target.write_all(&piece[separator..])?;
                    self.any = true;
                }
            }
            Style::Ndjson(target) => {
                for piece in encode(records, |record, bytes| {
                    serde_json::to_writer(&mut *bytes, record)?;
                    bytes.push(b'\n');
                    Ok(())
                })? {
                    target.write_all(&piece)?;
                }
            }
            Style::Csv(target) => {
                for piece in encode_csv(records, columns)? {
                    target.write_all(&piece)?;
                }
            }
            Style::Parquet(writer) => {
                for record in records {
                    writer.push(columns.cells(record))?;
                }
            }
        }
        Ok(())
    }

    /// Writes what is left and puts the answer where it belongs.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self.style {
            Style::Table(mut target, mut table) => {
                table.flush(&mut target)?;
                target.finish()
            }
            Style::Json(mut target) => {
                target.write_all(if self.any { b"\n]\n" } else { b"]\n" })?;
                target.finish()
            }
            Style::Ndjson(target) | Style::Csv(target) => target.finish(),
            Style::Parquet(writer) => writer.finish()?.finish(),
        }
    }
}

/// Encodes records on all cores, in order.
fn encode<R: Sync>(
    records: &[R],
    one: impl Fn(&R, &mut Vec<u8>) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<Vec<Vec<u8>>> {
    records
        .par_chunks(ENCODED_TOGETHER)
        .map(|chunk| {
            let mut bytes = Vec::new();
            for record in chunk {
                one(record, &mut bytes)?;
            }
            Ok(bytes)
        })
        .collect()
}

fn encode_csv<R: Sync>(records: &[R], columns: &Columns<R>) -> anyhow::Result<Vec<Vec<u8>>> {
    records
        .par_chunks(ENCODED_TOGETHER)
        .map(|chunk| {
            let mut rows = csv::Writer::from_writer(Vec::new());
            let mut digits = String::new(); // of one number after the other
            for record in chunk {
                for cell in columns.cells(record) {
                    digits.clear();
                    match cell {
                        Cell::Text(text) => {
                            rows.write_field(text.as_bytes())?;
                            continue;
                        }
                        Cell::Real(Some(number)) => write!(digits, "{number}")?,
                        Cell::Real(None) => {}
                        Cell::Count(count) => write!(digits, "{count}")?,
                    }
                    rows.write_field(&digits)?;
                }
                rows.write_record(None::<&[u8]>)?;
            }
            Ok(rows.into_inner().map_err(csv::IntoInnerError::into_error)?)
        })
        .collect()
}
