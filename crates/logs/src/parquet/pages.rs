//! Page names of Parquet rows: [`PageNames`].

use std::borrow::Cow;

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, StringArray, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int32Type};
use arrow::error::ArrowError;
use recrawl_model::PageId;

use crate::batch::{Batch, NamedBatch, Row};
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

    /// The page of an entry, or [`UNRESOLVED`].
    #[inline]
    fn page(&mut self, key: usize, names: &StringArray, known: Known<'_>) -> PageId {
        let page = &mut self.pages[key];
        if *page == UNRESOLVED {
            *page = known.find(names.value(key));
        }
        *page
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

    /// The names of all rows, if none is missing or empty.
    pub(super) fn plain(&self) -> Option<impl Iterator<Item = &str>> {
        let Self::Plain(names) = self else {
            return None;
        };
        // The length of a view's text is in its lowest bits.
        let plain = names.null_count() == 0 && names.views().iter().all(|&view| view as u32 > 0);
        plain.then(|| (0..names.len()).map(|row| names.value(row)))
    }

    /// Gathers what rows tell, given by `told`, into a batch.
    pub(super) fn batch<'a>(
        &self,
        rows: usize,
        known: Known<'_>,
        recognised: &mut Recognised,
        told: impl Fn(usize) -> Result<Row<'a>, RowProblem>,
    ) -> Batch {
        let mut batch = match self {
            Self::Plain(names) => {
                let mut batch = NamedBatch::with_capacity(rows, known);
                batch.batch.problem = first_problem(rows, |row| {
                    let name = names.is_valid(row).then(|| names.value(row));
                    let name = name.ok_or_else(|| empty(Column::Page))?;
                    batch.push(Cow::Borrowed(name), row as u64, told(row)?)
                });
                batch.finish()
            }
            Self::Dictionary { keys, names } => {
                let mut batch = Batch::with_capacity(rows);
                recognised.begin(names);
                batch.problem = first_problem(rows, |row| {
                    let key = keys.is_valid(row).then(|| keys.value(row) as usize);
                    let key = key.ok_or_else(|| empty(Column::Page))?;
                    let (line, told) = (row as u64, told(row)?);
                    match recognised.page(key, names, known) {
                        UNRESOLVED => batch.push_new(names.value(key), line, told)?,
                        page => batch.push_known(page, line, told),
                    }
                    Ok(())
                });
                batch.forget_known_sites(known);
                batch
            }
        };
        batch.lines = rows as u64;
        batch
    }
}

/// Takes rows until one has a problem, and tells which.
fn first_problem(
    rows: usize,
    mut take: impl FnMut(usize) -> Result<(), RowProblem>,
) -> Option<(u64, RowProblem)> {
    (0..rows).find_map(|row| Some((row as u64, take(row).err()?)))
}
