//! A table of CSV or Parquet in memory: [`Table`].

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, StringBuilder};
use arrow::compute::concat;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::columns::{Numbers, Texts, Times};
use crate::error::ReadError;

/// The columns of a file that somebody asked for.
pub(crate) struct Table {
    pub(crate) file: String,
    /// What a row is called, and how many come before the first of data.
    unit: &'static str,
    header_rows: usize,
    rows: usize,
    columns: Vec<(String, ArrayRef)>,
}

impl Table {
    /// Reads the `needed` columns of a file, and those of `optional` it has.
    pub(crate) fn read(path: &Path, needed: &[&str], optional: &[&str]) -> Result<Self, ReadError> {
        let file = path.display().to_string();
        let extension = path.extension().and_then(|text| text.to_str());
        let wanted = |name: &str| needed.contains(&name) || optional.contains(&name);
        let (found, table) = match extension {
            Some("csv") => read_csv(path, &file, wanted)?,
            Some("parquet" | "pq") => read_parquet(path, &file, wanted)?,
            _ => return Err(ReadError::UnknownFormat(file)),
        };
        for &column in needed {
            if table.column(column).is_none() {
                return Err(ReadError::MissingColumn {
                    file,
                    column: column.to_owned(),
                    found: found.join(", "),
                });
            }
        }
        Ok(table)
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// How people find a row: `updates.csv line 17`.
    pub(crate) fn place(&self, row: usize) -> String {
        format!("{} {} {}", self.file, self.unit, row + 1 + self.header_rows)
    }

    fn column(&self, name: &str) -> Option<&ArrayRef> {
        let found = self.columns.iter().find(|(column, _)| column == name)?;
        Some(&found.1)
    }

    /// The texts of a column; none at all where it is not there.
    pub(crate) fn texts(&self, name: &'static str) -> Result<Texts, ReadError> {
        self.open(name, Texts::new)
    }

    /// As [`Self::texts`], for a column the user named.
    pub(crate) fn texts_of(&self, name: &str) -> Result<Texts, ReadError> {
        Texts::new(self.column(name)).map_err(|error| self.unreadable(name, &error))
    }

    pub(crate) fn times(&self, name: &'static str) -> Result<Times, ReadError> {
        self.open(name, Times::new)
    }

    pub(crate) fn numbers(&self, name: &'static str) -> Result<Numbers, ReadError> {
        self.open(name, Numbers::new)
    }

    fn open<T>(
        &self,
        name: &'static str,
        as_column: impl Fn(Option<&ArrayRef>) -> Result<T, arrow::error::ArrowError>,
    ) -> Result<T, ReadError> {
        as_column(self.column(name)).map_err(|error| self.unreadable(name, &error))
    }

    fn unreadable(&self, column: &str, error: &arrow::error::ArrowError) -> ReadError {
        ReadError::Unreadable {
            file: self.file.clone(),
            reason: format!("column `{column}`: {error}"),
        }
    }

    /// A cell that cannot be what its column holds.
    pub(crate) fn bad_cell(&self, row: usize, column: &str, reason: String) -> ReadError {
        ReadError::BadCell {
            place: self.place(row),
            column: column.to_owned(),
            reason,
        }
    }
}

fn unreadable(file: &str, reason: impl std::fmt::Display) -> ReadError {
    ReadError::Unreadable {
        file: file.to_owned(),
        reason: reason.to_string(),
    }
}

/// All column names, and the wanted columns.
type Found = (Vec<String>, Table);

fn read_csv(path: &Path, file: &str, wanted: impl Fn(&str) -> bool) -> Result<Found, ReadError> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| unreadable(file, error))?;
    let header = reader
        .headers()
        .map_err(|error| unreadable(file, error))?
        .clone();
    let names: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
    let places: Vec<usize> = (0..names.len())
        .filter(|&place| wanted(&names[place]))
        .collect();
    let mut builders: Vec<StringBuilder> = places.iter().map(|_| StringBuilder::new()).collect();
    let mut record = csv::StringRecord::new();
    let mut rows = 0;
    while reader
        .read_record(&mut record)
        .map_err(|error| unreadable(file, error))?
    {
        for (builder, &place) in builders.iter_mut().zip(&places) {
            match record.get(place).map(str::trim) {
                Some("") | None => builder.append_null(),
                Some(text) => builder.append_value(text),
            }
        }
        rows += 1;
    }
    let columns = places.iter().zip(&mut builders).map(|(&place, builder)| {
        let column: ArrayRef = Arc::new(builder.finish());
        (names[place].clone(), column)
    });
    let table = Table {
        file: file.to_owned(),
        unit: "line",
        header_rows: 1,
        rows,
        columns: columns.collect(),
    };
    Ok((names, table))
}

fn read_parquet(
    path: &Path,
    file: &str,
    wanted: impl Fn(&str) -> bool,
) -> Result<Found, ReadError> {
    let opened = File::open(path).map_err(|error| unreadable(file, error))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(opened)
        .map_err(|error| unreadable(file, error))?;
    let schema = Arc::clone(builder.schema());
    let names: Vec<String> = schema.fields().iter().map(|f| f.name().clone()).collect();
    let places: Vec<usize> = (0..names.len())
        .filter(|&place| wanted(&names[place]))
        .collect();
    let mask = ProjectionMask::roots(builder.parquet_schema(), places.iter().copied());
    let reader = builder
        .with_projection(mask)
        .build()
        .map_err(|error| unreadable(file, error))?;
    let mut parts: Vec<Vec<ArrayRef>> = vec![Vec::new(); places.len()];
    let mut rows = 0;
    for batch in reader {
        let batch = batch.map_err(|error| unreadable(file, error))?;
        rows += batch.num_rows();
        for (part, column) in parts.iter_mut().zip(batch.columns()) {
            part.push(Arc::clone(column));
        }
    }
    let mut columns = Vec::new();
    for (&place, part) in places.iter().zip(&parts) {
        let pieces: Vec<&dyn arrow::array::Array> = part.iter().map(AsRef::as_ref).collect();
        let joined = if pieces.is_empty() {
            arrow::array::new_empty_array(schema.field(place).data_type())
        } else {
            concat(&pieces).map_err(|error| unreadable(file, error))?
        };
        columns.push((names[place].clone(), joined));
    }
    let table = Table {
        file: file.to_owned(),
        unit: "row",
        header_rows: 0,
        rows,
        columns,
    };
    Ok((names, table))
}
