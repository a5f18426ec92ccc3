//! Records of one type, written in any shape as they come.

use std::io::Write;
use std::mem;

use rayon::prelude::*;
use serde::Serialize;

use super::Columns;
use super::encoded::{Encoded, Form};
use super::parquet::ParquetWriter;
use super::table::Table;
use super::target::{Shape, Target};

/// Records encoded by one thread at a time: few enough to stay in a core's cache
/// from their making to their bytes.
const ENCODED_TOGETHER: usize = 1_024;

/// Pieces a thread gets while those before them are written: a few, so that none
/// waits long for another.
const PIECES_A_THREAD: usize = 8;

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
        let form = match &mut self.style {
            Style::Table(target, table) => {
                for record in records {
                    table.push(target, columns.cells(record))?;
                }
                return Ok(());
            }
            other => other.form(),
        };
        let pieces = records
            .par_chunks(ENCODED_TOGETHER)
            .map(|records| form.encode(records, columns))
            .collect::<anyhow::Result<Vec<_>>>()?;
        self.style.put(pieces, &mut self.any)
    }

    /// Writes the records that `make` makes of each of `subjects`. They are made
    /// and encoded on all cores while those before them are written; `made` hears of
    /// how many subjects that has been done.
    pub(crate) fn write_made<S: Sync>(
        &mut self,
        subjects: &[S],
        make: impl Fn(&S, &mut Vec<R>) + Sync,
        made: impl Fn(usize),
    ) -> anyhow::Result<()>
    where
        R: Send,
    {
        let Self {
            columns,
            style,
            any,
        } = self;
        let make_all = |subjects: &[S]| {
            let mut records = Vec::with_capacity(subjects.len());
            for subject in subjects {
                make(subject, &mut records);
            }
            records
        };
        let pieces = PIECES_A_THREAD * rayon::current_num_threads();
        let together = (subjects.len() / pieces).clamp(1, ENCODED_TOGETHER);
        if let Style::Table(target, table) = style {
            for subjects in subjects.chunks(pieces * together) {
                let groups = subjects.par_chunks(together);
                let groups: Vec<Vec<R>> = groups.map(make_all).collect();
                for record in groups.iter().flatten() {
                    table.push(target, columns.cells(record))?;
                }
                made(subjects.len());
            }
            return Ok(());
        }
        let (form, columns) = (style.form(), &*columns);
        let mut waiting = Vec::new();
        for subjects in subjects.chunks(pieces * together) {
            let before = mem::take(&mut waiting);
            let (written, encoded) = rayon::join(
                || style.put(before, any),
                || {
                    let groups = subjects.par_chunks(together);
                    groups
                        .map(|subjects| form.encode(&make_all(subjects), columns))
                        .collect::<anyhow::Result<Vec<_>>>()
                },
            );
            written?;
            waiting = encoded?;
            made(subjects.len());
        }
        style.put(waiting, any)
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

impl Style {
    /// The form pieces are encoded in; a table's rows are not.
    fn form(&self) -> Form {
        match self {
            Self::Json(_) => Form::Json,
            Self::Table(..) | Self::Ndjson(_) => Form::Ndjson,
            Self::Csv(_) => Form::Csv,
            Self::Parquet(writer) => Form::Parquet(writer.schema()),
        }
    }

    /// Writes encoded pieces; `any` says whether something came before them.
    fn put(&mut self, pieces: Vec<Encoded>, any: &mut bool) -> anyhow::Result<()> {
        for piece in pieces {
            match (&mut *self, piece) {
                (Self::Json(target), Encoded::Bytes(bytes)) => {
                    let separator = usize::from(!*any); // no comma before the first
                    target.write_all(&bytes[separator..])?;
                }
                (
                    Self::Ndjson(target) | Self::Csv(target) | Self::Table(target, _),
                    Encoded::Bytes(bytes),
                ) => target.write_all(&bytes)?,
                (Self::Parquet(writer), Encoded::Rows(rows)) => writer.write(&rows)?,
                _ => anyhow::bail!("a piece in a form its file is not in"),
            }
            *any = true;
        }
        Ok(())
    }
}
