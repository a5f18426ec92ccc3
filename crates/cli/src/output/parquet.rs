//! Records as Parquet columns.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Builder, RecordBatch, StringBuilder, UInt64Builder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::Cell;
use super::columns::Kind;
use super::target::Target;

/// Rows gathered before they are handed to the encoder.
const BATCH: usize = 65_536;

/// Writes cells as columns: text, numbers and counts, absent ones as null.
pub(super) struct ParquetWriter {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
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
        let mut builders = Vec::new();
        for (name, kind) in names.zip(kinds) {
            let (data_type, builder) = match kind {
                Kind::Text => (DataType::Utf8, Builder::Text(StringBuilder::new())),
                Kind::Real => (DataType::Float64, Builder::Real(Float64Builder::new())),
                Kind::Count => (DataType::UInt64, Builder::Count(UInt64Builder::new())),
            };
            fields.push(Field::new(name, data_type, true));
            builders.push(builder);
        }
        let schema = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        let writer = ArrowWriter::try_new(target, Arc::clone(&schema), Some(properties))?;
        Ok(Self {
            schema,
            builders,
            rows: 0,
            writer,
        })
    }

    pub(super) fn push<'r>(
        &mut self,
        cells: impl IntoIterator<Item = Cell<'r>>,
    ) -> anyhow::Result<()> {
        for (builder, cell) in self.builders.iter_mut().zip(cells) {
            match (builder, cell) {
                (Builder::Text(builder), Cell::Text(text)) => builder.append_value(text),
                (Builder::Real(builder), Cell::Real(number)) => builder.append_option(number),
                (Builder::Count(builder), Cell::Count(count)) => builder.append_value(count),
                (Builder::Text(builder), _) => builder.append_null(),
                (Builder::Real(builder), _) => builder.append_null(),
                (Builder::Count(builder), _) => builder.append_null(),
            }
        }
        self.rows += 1;
        if self.rows >= BATCH {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        let columns = self
            .builders
            .iter_mut()
            .map(|builder| -> ArrayRef {
                match builder {
                    Builder::Text(builder) => Arc::new(builder.finish()),
                    Builder::Real(builder) => Arc::new(builder.finish()),
                    Builder::Count(builder) => Arc::new(builder.finish()),
                }
            })
            .collect();
        self.rows = 0;
        self.writer
            .write(&RecordBatch::try_new(Arc::clone(&self.schema), columns)?)?;
        Ok(())
    }

    /// Writes what is left and the footer, and gives the target back.
    pub(super) fn finish(mut self) -> anyhow::Result<Target> {
        self.flush()?;
        Ok(self.writer.into_inner()?)
    }
}
