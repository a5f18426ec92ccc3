//! Values of Parquet columns, whatever types they are stored as.

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Float64Array, Int64Array, StringViewArray,
};
use arrow::compute::cast;
use arrow::datatypes::{
    DataType, Int64Type, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow::error::ArrowError;
use recrawl_model::{Outcome, TimeError, Timestamp};

use crate::{Column, RowProblem, cell};

/// A column of strings, or none.
pub(super) struct Texts(Option<StringViewArray>);

impl Texts {
    /// Whether there is no such column.
    pub(super) const fn is_absent(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn new(column: Option<&ArrayRef>) -> Result<Self, ArrowError> {
        match column.filter(|column| !is_nothing(column)) {
            Some(column) => text(column).map(|texts| Self(Some(texts))),
            None => Ok(Self(None)),
        }
    }

    /// The text of a row.
    #[inline]
    pub(super) fn get(&self, row: usize) -> Option<&str> {
        let texts = self.0.as_ref()?;
        texts.is_valid(row).then(|| texts.value(row))
    }
}

/// A column of moments.
pub(super) struct Times {
    column: Column,
    values: TimeValues,
}

enum TimeValues {
    Nothing,
    /// Whole units, `micros` microseconds each.
    Whole {
        units: Int64Array,
        micros: i64,
    },
    Nanoseconds(Int64Array),
    Seconds(Float64Array),
    Text(StringViewArray),
}

impl Times {
    pub(super) fn new(column: Column, values: Option<&ArrayRef>) -> Result<Self, ArrowError> {
        let values = match values.filter(|values| !is_nothing(values)) {
            None => TimeValues::Nothing,
            Some(values) => TimeValues::new(values)?,
        };
        Ok(Self { column, values })
    }

    /// Whether there is no such column.
    pub(super) const fn is_absent(&self) -> bool {
        matches!(self.values, TimeValues::Nothing)
    }

    /// The moments of all rows, if each tells a whole number of units within range.
    pub(super) fn plain(&self) -> Option<impl Iterator<Item = Timestamp>> {
        let TimeValues::Whole { units, micros } = &self.values else {
            return None;
        };
        let furthest = i64::MAX / micros;
        let fits = |all: bool, unit: &i64| all & (-furthest..=furthest).contains(unit);
        let plain = units.null_count() == 0 && units.values().iter().fold(true, fits);
        let moment = move |unit: &i64| Timestamp::from_micros(unit * micros);
        plain.then(|| units.values().iter().map(moment))
    }

    /// The moment a row tells, if it does.
    #[inline]
    pub(super) fn get(&self, row: usize) -> Result<Option<Timestamp>, RowProblem> {
        match &self.values {
            TimeValues::Whole { units, micros } if units.is_valid(row) => {
                match units.value(row).checked_mul(*micros) {
                    Some(micros) => Ok(Some(Timestamp::from_micros(micros))),
                    None => Err(self.out_of_range(units.value(row))),
                }
            }
            TimeValues::Nanoseconds(units) if units.is_valid(row) => {
                let micros = units.value(row).div_euclid(1000);
                Ok(Some(Timestamp::from_micros(micros)))
            }
            TimeValues::Seconds(seconds) if seconds.is_valid(row) => {
                Timestamp::from_fractional_seconds(seconds.value(row))
                    .map(Some)
                    .map_err(|refused| cell::time_problem(self.column, &refused))
            }
            TimeValues::Text(texts) if texts.is_valid(row) => self.parse(texts.value(row)),
            _ => Ok(None),
        }
    }

    fn parse(&self, text: &str) -> Result<Option<Timestamp>, RowProblem> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        cell::time(self.column, text.as_bytes()).map(Some)
    }

    #[cold]
    fn out_of_range(&self, units: i64) -> RowProblem {
        cell::time_problem(self.column, &TimeError::OutOfRange(units.to_string()))
    }
}

impl TimeValues {
    fn new(values: &ArrayRef) -> Result<Self, ArrowError> {
        let whole = |units: Int64Array, micros: i64| Self::Whole { units, micros };
        Ok(match values.data_type() {
            DataType::Timestamp(TimeUnit::Second, _) => {
                let units = values.as_primitive::<TimestampSecondType>();
                whole(units.reinterpret_cast::<Int64Type>(), 1_000_000)
            }
            DataType::Timestamp(TimeUnit::Millisecond, _) => {
                let units = values.as_primitive::<TimestampMillisecondType>();
                whole(units.reinterpret_cast::<Int64Type>(), 1_000)
            }
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                let units = values.as_primitive::<TimestampMicrosecondType>();
                whole(units.reinterpret_cast::<Int64Type>(), 1)
            }
            DataType::Timestamp(TimeUnit::Nanosecond, _) => {
                let units = values.as_primitive::<TimestampNanosecondType>();
                Self::Nanoseconds(units.reinterpret_cast::<Int64Type>())
            }
            // Beyond 2^63 no moment is left, and as a float it is refused.
            kind if kind.is_floating() || matches!(kind, DataType::UInt64) => {
                Self::Seconds(numbers(values)?)
            }
            kind if kind.is_integer() => {
                let units = cast(values, &DataType::Int64)?;
                whole(units.as_primitive::<Int64Type>().clone(), 1_000_000)
            }
            _ => Self::Text(text(values)?),
        })
    }
}

/// The `changed` column.
pub(super) enum Answers {
    Nothing,
    Bools(BooleanArray),
    Numbers(Float64Array),
    Text(StringViewArray),
}

impl Answers {
    pub(super) fn new(values: Option<&ArrayRef>) -> Result<Self, ArrowError> {
        let Some(values) = values.filter(|values| !is_nothing(values)) else {
            return Ok(Self::Nothing);
        };
        Ok(match values.data_type() {
            DataType::Boolean => Self::Bools(values.as_boolean().clone()),
            kind if kind.is_integer() || kind.is_floating() => Self::Numbers(numbers(values)?),
            _ => Self::Text(text(values)?),
        })
    }

    /// The answers of all rows, if none can be wrong.
    pub(super) fn plain(&self) -> Option<impl Iterator<Item = Outcome>> {
        let Self::Bools(values) = self else {
            return None;
        };
        Some(values.iter().map(|answer| match answer {
            Some(true) => Outcome::Changed,
            Some(false) => Outcome::Unchanged,
            None => Outcome::Unknown,
        }))
    }

    /// The answer of a row; where it is missing, nobody knows.
    #[inline]
    pub(super) fn get(&self, row: usize) -> Result<Outcome, RowProblem> {
        match self {
            Self::Bools(values) if values.is_valid(row) => Ok(if values.value(row) {
                Outcome::Changed
            } else {
                Outcome::Unchanged
            }),
            Self::Numbers(values) if values.is_valid(row) => match values.value(row) {
                1.0 => Ok(Outcome::Changed),
                0.0 => Ok(Outcome::Unchanged),
                other => Err(cell::not_an_answer(&other.to_string())),
            },
            Self::Text(values) if values.is_valid(row) => {
                cell::changed(values.value(row).as_bytes())
            }
            _ => Ok(Outcome::Unknown),
        }
    }
}

/// The `weight` column.
pub(super) enum Weights {
    Nothing,
    Numbers(Float64Array),
    Text(StringViewArray),
}

impl Weights {
    pub(super) fn new(values: Option<&ArrayRef>) -> Result<Self, ArrowError> {
        let Some(values) = values.filter(|values| !is_nothing(values)) else {
            return Ok(Self::Nothing);
        };
        let kind = values.data_type();
        Ok(if kind.is_integer() || kind.is_floating() {
            Self::Numbers(numbers(values)?)
        } else {
            Self::Text(text(values)?)
        })
    }

    /// Whether there is no such column.
    pub(super) const fn is_absent(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// The weight a row tells, if it does.
    #[inline]
    pub(super) fn get(&self, row: usize) -> Result<Option<f64>, RowProblem> {
        match self {
            Self::Numbers(values) if values.is_valid(row) => {
                cell::checked_weight(values.value(row)).map(Some)
            }
            Self::Text(values) if values.is_valid(row) => {
                cell::weight(values.value(row).as_bytes())
            }
            _ => Ok(None),
        }
    }
}

fn is_nothing(values: &ArrayRef) -> bool {
    matches!(values.data_type(), DataType::Null)
}

fn text(values: &ArrayRef) -> Result<StringViewArray, ArrowError> {
    Ok(cast(values, &DataType::Utf8View)?.as_string_view().clone())
}

fn numbers(values: &ArrayRef) -> Result<Float64Array, ArrowError> {
    Ok(cast(values, &DataType::Float64)?.as_primitive().clone())
}
