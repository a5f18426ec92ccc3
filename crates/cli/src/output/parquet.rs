//! Records as Parquet columns.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Builder, RecordBatch, StringBuilder, UInt64Builder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use super::columns::Kind;
use super::target::Target;
use super::{Cell, Columns};

/// Writes columns of text, numbers and counts, absent ones as null.
pub(super) struct ParquetWriter {
    schema: SchemaRef,
    writer: ArrowWriter<Target>,
}

enum Builder {
    Text(StringBuilder),
    Real(Float64Builder),
    Count(UInt64Builder),
}

impl ParquetWriter {
    pub(super) fn new(
        target: Target,
        names: impl Iterator<Item = &'static str>,
        kinds: impl Iterator<Item = Kind>,
    ) -> anyhow::Result<Self> {
        let mut fields = Vec::new();
        let mut properties =
            WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
        for (name, kind) in names.zip(kinds) {
            let data_type = match kind {
                Kind::Text => DataType::Utf8,
                Kind::Real => DataType::Float64,
                Kind::Count => DataType::UInt64,
            };
            if kind == Kind::Real {
                // Rates hardly ever repeat: a dictionary of them would be given up.
                properties =
                    properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
            }
            fields.push(Field::new(name, data_type, true));
        }
        let schema = Arc::new(Schema::new(fields));
        let writer = ArrowWriter::try_new(target, Arc::clone(&schema), Some(properties.build()))?;
        Ok(Self { schema, writer })
    }

    pub(super) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    pub(super) fn write(&mut self, rows: &RecordBatch) -> anyhow::Result<()> {
        Ok(self.writer.write(rows)?)
    }

    /// Writes what is left and the footer, and gives the target back.
    pub(super) fn finish(self) -> anyhow::Result<Target> {
        Ok(self.writer.into_inner()?)
    }
}

/// The cells of `records` in columns of `schema`.
pub(super) fn columns_of<R>(
    records: &[R],
    columns: &Columns<R>,
    schema: &SchemaRef,
) -> anyhow::Result<RecordBatch> {
    let mut builders: Vec<Builder> = columns.kinds().map(Builder::new).collect();
    for record in records {
        for (builder, cell) in builders.iter_mut().zip(columns.cells(record)) {
            builder.push(cell);
        }
    }
    let columns = builders.iter_mut().map(Builder::finish).collect();
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}

impl Builder {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Text(StringBuilder::new()),
            Kind::Real => Self::Real(Float64Builder::new()),
            Kind::Count => Self::Count(UInt64Builder::new()),
        }
    }

    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Self::Text(builder), Cell::Text(text)) => builder.append_value(text),
            (Self::Real(builder), Cell::Real(number)) => builder.append_option(number),
            (Self::Count(builder), Cell::Count(count)) => builder.append_value(count),
            (Self::Text(builder), _) => builder.append_null(),
            (Self::Real(builder), _) => builder.append_null(),
            (Self::Count(builder), _) => builder.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Real(builder) => Arc::new(builder.finish()),
            Self::Count(builder) => Arc::new(builder.finish()),
        }
    }
}
