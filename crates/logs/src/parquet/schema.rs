//! Which columns of a Parquet file are read, and as what: [`Plan`].

use std::sync::Arc;

use arrow::datatypes::{DataType, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Encoding;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;

use crate::cell::shown;
use crate::{Column, LogError};

use super::damaged;
use super::lane::Lane;

/// How the row groups of one file are decoded.
pub(super) struct Plan {
    pub(super) file: String,
    /// Page names one by one.
    plain: ArrowReaderMetadata,
    /// Page names as entries of a dictionary, each looked up once.
    by_dictionary: Option<ArrowReaderMetadata>,
    projection: ProjectionMask,
    /// Which leaf of the file is the page.
    page_leaf: Option<usize>,
}

impl Plan {
    /// Finds the columns of a file and checks their types.
    pub(super) fn new(metadata: &ArrowReaderMetadata, file: &str) -> Result<Self, LogError> {
        let schema = metadata.schema();
        let mut roots = Vec::new();
        for column in Column::ALL {
            let mut found = schema
                .fields()
                .iter()
                .enumerate()
                .filter(|(_, field)| field.name() == column.name());
            let Some((root, field)) = found.next() else {
                if Column::NEEDED.contains(&column) {
                    return Err(missing(file, column, schema));
                }
                continue;
            };
            if found.next().is_some() {
                return Err(LogError::RepeatedColumn {
                    file: file.to_owned(),
                    column,
                });
            }
            check_type(file, column, field.data_type())?;
            roots.push(root);
        }
        let reread = |page: &DataType| {
            let options = ArrowReaderOptions::new().with_schema(Arc::new(hinted(schema, page)));
            ArrowReaderMetadata::try_new(metadata.metadata().clone(), options)
        };
        let page_is_text = schema
            .field_with_name(Column::Page.name())
            .is_ok_and(|field| is_text(field.data_type()));
        let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        Ok(Self {
            file: file.to_owned(),
            plain: reread(&DataType::Utf8View).map_err(|refused| damaged(file, &refused))?,
            by_dictionary: if page_is_text {
                reread(&dictionary).ok()
            } else {
                None
            },
            projection: ProjectionMask::roots(metadata.parquet_schema(), roots),
            page_leaf: metadata
                .parquet_schema()
                .columns()
                .iter()
                .position(|leaf| leaf.path().string() == Column::Page.name()),
        })
    }

    /// A lane that decodes one row group, whose first row is `first_row`.
    pub(super) fn lane<R: ChunkReader + 'static>(
        &self,
        reader: R,
        group: usize,
        first_row: u64,
        batch_rows: usize,
    ) -> Result<Lane, LogError> {
        let chunk = self
            .page_leaf
            .map(|leaf| self.plain.metadata().row_group(group).column(leaf));
        let metadata = match &self.by_dictionary {
            Some(by_dictionary) if chunk.is_some_and(only_dictionary_pages) => by_dictionary,
            _ => &self.plain,
        };
        ParquetRecordBatchReaderBuilder::new_with_metadata(reader, metadata.clone())
            .with_projection(self.projection.clone())
            .with_row_groups(vec![group])
            .with_batch_size(batch_rows)
            .build()
            .map(|reader| Lane::new(reader, first_row))
            .map_err(|refused| damaged(&self.file, &refused))
    }
}

/// Whether all pages of a chunk are keys of its dictionary. Writers give up on
/// dictionaries that grow too large; what they then write plainly would be
/// hashed once more to make it keys again.
fn only_dictionary_pages(chunk: &ColumnChunkMetaData) -> bool {
    chunk.page_encoding_stats_mask().is_some_and(|mask| {
        mask.is_only(Encoding::RLE_DICTIONARY) || mask.is_only(Encoding::PLAIN_DICTIONARY)
    })
}

/// The schema with texts read as views, and the page as `page`.
fn hinted(schema: &Schema, page: &DataType) -> Schema {
    let fields: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| match Column::named(field.name()) {
            Some(column) if is_text(field.data_type()) => {
                let kind = match column {
                    Column::Page => page.clone(),
                    _ => DataType::Utf8View,
                };
                Arc::new(field.as_ref().clone().with_data_type(kind))
            }
            _ => field.clone(),
        })
        .collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, value) => is_text(value),
        _ => false,
    }
}

fn check_type(file: &str, column: Column, kind: &DataType) -> Result<(), LogError> {
    let number = kind.is_integer() || kind.is_floating();
    let time = number || is_text(kind) || matches!(kind, DataType::Timestamp(_, _));
    let nothing = matches!(kind, DataType::Null);
    let (fits, expected) = match column {
        Column::Page => (
            is_text(kind) || kind.is_integer(),
            "a string or a whole number",
        ),
        Column::Time => (time, "a timestamp, a number of seconds or a string"),
        Column::LastModified => (
            time || nothing,
            "a timestamp, a number of seconds or a string",
        ),
        Column::Changed => (
            number || is_text(kind) || nothing || matches!(kind, DataType::Boolean),
            "a boolean, a number or a string",
        ),
        Column::Site => (is_text(kind) || nothing, "a string"),
        Column::Weight => (number || is_text(kind) || nothing, "a number or a string"),
    };
    if fits {
        return Ok(());
    }
    Err(LogError::ColumnType {
        file: file.to_owned(),
        column,
        found: shown(&kind.to_string()),
        expected,
    })
}

fn missing(file: &str, column: Column, schema: &Schema) -> LogError {
    let names: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| format!("`{}`", shown(field.name())))
        .collect();
    LogError::MissingColumn {
        file: file.to_owned(),
        column,
        found: names.join(", "),
        hint: "",
    }
}
