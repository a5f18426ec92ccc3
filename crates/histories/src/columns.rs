//! Columns of a table as what they mean: texts, times, numbers.

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type, TimeUnit};
use arrow::error::ArrowError;
use recrawl_model::Timestamp;

/// A column of texts; without a column every row is absent.
pub(crate) struct Texts(Option<StringArray>);

impl Texts {
    pub(crate) fn new(column: Option<&ArrayRef>) -> Result<Self, ArrowError> {
        let texts = column
            .map(|column| cast(column, &DataType::Utf8))
            .transpose()?;
        Ok(Self(texts.map(|texts| texts.as_string::<i32>().clone())))
    }

    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        let texts = self.0.as_ref()?;
        texts.is_valid(row).then(|| texts.value(row))
    }
}

/// A column of moments, told as seconds since 1970, timestamps or text.
pub(crate) enum Times {
    Absent,
    Seconds(Int64Array),
    Fractional(Float64Array),
    Micros(Int64Array),
    Text(StringArray),
}

impl Times {
    pub(crate) fn new(column: Option<&ArrayRef>) -> Result<Self, ArrowError> {
        let Some(column) = column else {
            return Ok(Self::Absent);
        };
        Ok(match column.data_type() {
            DataType::Null => Self::Absent,
            kind if kind.is_integer() => {
                let seconds = cast(column, &DataType::Int64)?;
                Self::Seconds(seconds.as_primitive::<Int64Type>().clone())
            }
            kind if kind.is_floating() => {
                let seconds = cast(column, &DataType::Float64)?;
                Self::Fractional(seconds.as_primitive::<Float64Type>().clone())
            }
            DataType::Timestamp(_, zone) => {
                let micros = DataType::Timestamp(TimeUnit::Microsecond, zone.clone());
                let micros = cast(&cast(column, &micros)?, &DataType::Int64)?;
                Self::Micros(micros.as_primitive::<Int64Type>().clone())
            }
            _ => Self::Text(cast(column, &DataType::Utf8)?.as_string::<i32>().clone()),
        })
    }

    /// The moment of a row, `None` where there is none, or why it is none.
    pub(crate) fn get(&self, row: usize) -> Result<Option<Timestamp>, String> {
        let at = match self {
            Self::Seconds(seconds) if seconds.is_valid(row) => {
                Timestamp::from_seconds(seconds.value(row))
            }
            Self::Fractional(seconds) if seconds.is_valid(row) => {
                let told = Timestamp::from_fractional_seconds(seconds.value(row));
                told.map_err(|error| error.to_string())?
            }
            Self::Micros(micros) if micros.is_valid(row) => {
                Timestamp::from_micros(micros.value(row))
            }
            Self::Text(texts) if texts.is_valid(row) => {
                Timestamp::parse(texts.value(row)).map_err(|error| error.to_string())?
            }
            _ => return Ok(None),
        };
        Ok(Some(at))
    }
}

/// A column of numbers that are not negative.
pub(crate) enum Numbers {
    Absent,
    Whole(Int64Array),
    Fractional(Float64Array),
    Text(StringArray),
}

impl Numbers {
    pub(crate) fn new(column: Option<&ArrayRef>) -> Result<Self, ArrowError> {
        let Some(column) = column else {
            return Ok(Self::Absent);
        };
        Ok(match column.data_type() {
            DataType::Null => Self::Absent,
            kind if kind.is_integer() => {
                let whole = cast(column, &DataType::Int64)?;
                Self::Whole(whole.as_primitive::<Int64Type>().clone())
            }
            kind if kind.is_floating() => {
                let numbers = cast(column, &DataType::Float64)?;
                Self::Fractional(numbers.as_primitive::<Float64Type>().clone())
            }
            _ => Self::Text(cast(column, &DataType::Utf8)?.as_string::<i32>().clone()),
        })
    }

    /// The whole number of a row; absent or anything else is an error.
    pub(crate) fn id(&self, row: usize) -> Result<u64, String> {
        let refuse = |text: String| format!("`{text}` is not a whole number from 0 on");
        match self {
            Self::Whole(whole) if whole.is_valid(row) => {
                u64::try_from(whole.value(row)).map_err(|_| refuse(whole.value(row).to_string()))
            }
            Self::Text(texts) if texts.is_valid(row) => {
                let text = texts.value(row);
                text.parse().map_err(|_| refuse(text.to_owned()))
            }
            Self::Fractional(numbers) if numbers.is_valid(row) => {
                Err(refuse(numbers.value(row).to_string()))
            }
            _ => Err("it is empty".to_owned()),
        }
    }

    /// The number of a row, `None` where there is none.
    pub(crate) fn get(&self, row: usize) -> Result<Option<f64>, String> {
        let number = match self {
            Self::Whole(whole) if whole.is_valid(row) => whole.value(row) as f64,
            Self::Fractional(numbers) if numbers.is_valid(row) => numbers.value(row),
            Self::Text(texts) if texts.is_valid(row) => {
                let text = texts.value(row);
                text.parse()
                    .map_err(|_| format!("`{text}` is not a number"))?
            }
            _ => return Ok(None),
        };
        if number.is_finite() && number >= 0.0 {
            Ok(Some(number))
        } else {
            Err(format!("`{number}` must be finite and not negative"))
        }
    }
}
