//! Records on their way into a file: [`Form`] and [`Encoded`].

use std::io::Write;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use serde::Serialize;

use super::parquet::columns_of;
use super::{Cell, Columns};

/// How records are encoded.
#[derive(Debug, Clone)]
pub(super) enum Form {
    /// Objects of an array, each after a comma.
    Json,
    /// An object a line.
    Ndjson,
    /// Comma-separated values.
    Csv,
    /// Columns of this schema.
    Parquet(SchemaRef),
}

/// Some records, encoded.
#[derive(Debug)]
pub(super) enum Encoded {
    /// As text.
    Bytes(Vec<u8>),
    /// As columns.
    Rows(RecordBatch),
}

impl Form {
    /// Encodes records; there is at least one.
    pub(super) fn encode<R: Serialize>(
        &self,
        records: &[R],
        columns: &Columns<R>,
    ) -> anyhow::Result<Encoded> {
        let mut bytes = Vec::new();
        match self {
            Self::Json => {
                for record in records {
                    bytes.extend_from_slice(b",\n  ");
                    serde_json::to_writer(&mut bytes, record)?;
                }
            }
            Self::Ndjson => {
                for record in records {
                    serde_json::to_writer(&mut bytes, record)?;
                    bytes.push(b'\n');
                }
            }
            Self::Csv => {
                for record in records {
                    csv_row(&mut bytes, columns.cells(record))?;
                }
            }
            Self::Parquet(schema) => {
                return Ok(Encoded::Rows(columns_of(records, columns, schema)?));
            }
        }
        Ok(Encoded::Bytes(bytes))
    }
}

/// Writes a row of CSV, quotes only where they are needed.
fn csv_row<'r>(
    bytes: &mut Vec<u8>,
    cells: impl IntoIterator<Item = Cell<'r>>,
) -> anyhow::Result<()> {
    for (index, cell) in cells.into_iter().enumerate() {
        if index > 0 {
            bytes.push(b',');
        }
        match cell {
            Cell::Text(text) => csv_text(bytes, &text),
            Cell::Real(Some(number)) => plain_number(bytes, number)?,
            Cell::Real(None) => {}
            Cell::Count(count) => {
                bytes.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
            }
        }
    }
    bytes.push(b'\n');
    Ok(())
}

/// Writes a text, in quotes if it would be mistaken for something else.
fn csv_text(bytes: &mut Vec<u8>, text: &str) {
    let speaks = |all: bool, byte: &u8| all | matches!(byte, b',' | b'"' | b'\n' | b'\r');
    if !text.as_bytes().iter().fold(false, speaks) {
        bytes.extend_from_slice(text.as_bytes());
        return;
    }
    bytes.push(b'"');
    for &byte in text.as_bytes() {
        if byte == b'"' {
            bytes.push(b'"');
        }
        bytes.push(byte);
    }
    bytes.push(b'"');
}

/// Writes a number as `{number}` does: the fewest digits that tell it from all
/// others, never an exponent. Of two such numbers as near as each other either may
/// be taken.
fn plain_number(bytes: &mut Vec<u8>, number: f64) -> anyhow::Result<()> {
    if number.is_finite() {
        let mut buffer = zmij::Buffer::new();
        let digits = buffer.format_finite(number);
        if !digits.contains('e') {
            let digits = digits.strip_suffix(".0").unwrap_or(digits);
            bytes.extend_from_slice(digits.as_bytes());
            return Ok(());
        }
    }
    Ok(write!(bytes, "{number}")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_standard_library_does() {
        let mut numbers = vec![
            0.0, -0.0, 1.0, 0.1, 1e-5, 1e-7, 1e15, 1e16, 1e17, 1e300, -2.5,
        ];
        numbers.extend([f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, f64::NAN, 5e-324]);
        let mut bits: u64 = 1;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            numbers.push(f64::from_bits(bits));
            numbers.push((bits >> 11) as f64 / 1e14);
        }
        for number in numbers {
            let mut bytes = Vec::new();
            plain_number(&mut bytes, number).expect("memory");
            let (ours, theirs) = (String::from_utf8_lossy(&bytes), number.to_string());
            let same = ours.len() == theirs.len() && ours.parse() == Ok(number);
            assert!(same || ours == theirs, "{ours} {theirs}");
        }
    }

    #[test]
    fn rows_are_those_of_another_writer_of_csv() {
        for text in [
            "",
            "plain",
            "a,b",
            "say \"so\"",
            "two\nlines",
            "\r",
            " \u{e9} ",
            "\"",
        ] {
            let cells = [Cell::Text(text.into()), Cell::Real(None), Cell::Count(7)];
            let mut ours = Vec::new();
            csv_row(&mut ours, cells).expect("memory");
            let mut theirs = csv::Writer::from_writer(Vec::new());
            theirs.write_record([text, "", "7"]).expect("memory");
            assert_eq!(ours, theirs.into_inner().expect("memory"), "{text:?}");
        }
    }
}
