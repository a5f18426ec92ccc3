//! Page names of Parquet rows: [`PageNames`].

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, StringArray, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int32Type};
use arrow::error::ArrowError;
use recrawl_model::PageId;

use crate::batch::{Batch, Row};
use crate::cell::empty;
use crate::gather::Known;
use crate::page_table::UNRESOLVED;
use crate::{Column, RowProblem};

/// The `page` column of some rows.
pub(super) enum PageNames {
    /// A name a row.
    Plain(StringViewArray),
    /// Keys of a dictionary of names.
    Dictionary {
        keys: Int32Array,
        names: StringArray,
    },
}

/// The pages of a dictionary's entries, as far as they have been met. A row
/// group keeps one dictionary, so each entry is looked up once.
#[derive(Default)]
pub(super) struct Recognised {
    names: Option<StringArray>,
    pages: Vec<PageId>,
}

impl Recognised {
    /// Forgets everything unless `names` is the dictionary met before.
    fn begin(&mut self, names: &StringArray) {
        let same = self.names.as_ref().is_some_and(|before| {
            before.values().ptr_eq(names.values()) && before.offsets().ptr_eq(names.offsets())
        });
        if !same {
            self.names = Some(names.clone());
            self.pages.clear();
            self.pages.resize(names.len(), UNRESOLVED);
        }
    }
}

impl PageNames {
    /// The column as it was read; whole numbers are written as text.
    pub(super) fn new(column: Option<&ArrayRef>) -> Result<Self, ArrowError> {
        let Some(column) = column else {
            return Ok(Self::Plain(StringViewArray::new_null(0)));
        };
        if let Some(dictionary) = column.as_dictionary_opt::<Int32Type>()
            && let Some(names) = dictionary.values().as_string_opt::<i32>()
        {
            return Ok(Self::Dictionary {
                keys: dictionary.keys().clone(),
                names: names.clone(),
            });
        }
        let text = cast(column, &DataType::Utf8View)?;
        Ok(Self::Plain(text.as_string_view().clone()))
    }

    /// Prepares to recognise the pages of these rows.
    pub(super) fn begin(&self, recognised: &mut Recognised) {
        if let Self::Dictionary { names, .. } = self {
            recognised.begin(names);
        }
    }

    /// Adds to `batch` what a row tells about its page.
    #[inline]
    pub(super) fn push(
        &self,
        batch: &mut Batch,
        known: Known<'_>,
        recognised: &mut Recognised,
        row: usize,
        told: Row<'_>,
    ) -> Result<(), RowProblem> {
        let line = row as u64;
        match self {
            Self::Plain(names) if names.is_valid(row) => batch.push(names.value(row), line, told),
            Self::Dictionary { keys, names } if keys.is_valid(row) => {
                let key = keys.value(row) as usize;
                let page = &mut recognised.pages[key];
                if *page == UNRESOLVED {
                    *page = known.find(names.value(key));
                }
                if *page == UNRESOLVED {
                    batch.push(names.value(key), line, told)?;
                    batch.pages.push(UNRESOLVED);
                } else {
                    batch.push_found(*page, line, told);
                }
                Ok(())
            }
            _ => Err(empty(Column::Page)),
        }
    }

    /// Finds the pages of all rows that were added.
    pub(super) fn finish(&self, batch: &mut Batch, known: Known<'_>) {
        if matches!(self, Self::Plain(_)) {
            batch.find_pages(known);
        }
        batch.forget_known_sites(known);
    }
}
