//! What keeps a damaged file from bringing the decoder down.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

/// Whether the footer can be true of a file of `length` bytes: the decoder
/// trusts the places it names. Says what cannot be.
pub(super) fn check_footer(metadata: &ParquetMetaData, length: u64) -> Result<(), String> {
    for (index, group) in metadata.row_groups().iter().enumerate() {
        if group.num_rows() < 0 {
            return Err(format!("row group {index} has a negative number of rows"));
        }
        if let Some(column) = group
            .columns()
            .iter()
            .find(|&column| outside(column, length))
        {
            let name = column.column_path().string();
            return Err(format!(
                "column `{name}` of row group {index} lies outside the file"
            ));
        }
    }
    Ok(())
}

fn outside(column: &ColumnChunkMetaData, length: u64) -> bool {
    let fits = |offset: i64| u64::try_from(offset).is_ok_and(|offset| offset <= length);
    let start = column
        .dictionary_page_offset()
        .unwrap_or(column.data_page_offset());
    let end = start.checked_add(column.compressed_size());
    column.num_values() < 0
        || column.compressed_size() < 0
        || !fits(start)
        || !fits(column.data_page_offset())
        || !end.is_some_and(fits)
}

/// Runs the decoder. It panics on some damaged files; that too only means that
/// the file cannot be read.
pub(super) fn guarded<T>(decode: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|panic| {
        let said = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!(
            "damaged: {}",
            said.unwrap_or("it cannot be decoded")
        ))
    })
}
