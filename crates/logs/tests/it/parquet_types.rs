//! Parquet columns of every type that can hold what they mean, and of others.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Float32Array, Float64Array, Int8Array, Int32Array,
    Int64Array, LargeStringArray, NullArray, RecordBatch, StringArray, StringViewArray,
    TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray, UInt64Array,
};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use recrawl_logs::{Format, LogError};
use recrawl_model::{HistorySet, Outcome};

use crate::support::{read_bytes, refusal, view, write_parquet};

fn text(values: [&str; 3]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn seconds() -> ArrayRef {
    Arc::new(Int64Array::from(vec![10, 20, 30]))
}

fn bools() -> ArrayRef {
    Arc::new(BooleanArray::from(vec![None, Some(true), Some(false)]))
}

fn read_columns(columns: Vec<(&str, ArrayRef)>) -> Result<HistorySet, LogError> {
    let columns = columns
        .into_iter()
        .map(|(name, values)| (name, values, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("equal lengths");
    read_bytes(&write_parquet(&batch, true), Format::Parquet)
}

fn read_with(name: &str, values: ArrayRef) -> Result<HistorySet, LogError> {
    let mut columns = vec![
        ("page", text(["7", "7", "7"])),
        ("time", seconds()),
        ("changed", bools()),
    ];
    columns.retain(|(known, _)| *known != name);
    columns.push((name, values));
    read_columns(columns)
}

#[test]
fn pages_are_strings_of_any_kind_or_whole_numbers() {
    let dictionary = |key: DataType| {
        let kind = DataType::Dictionary(Box::new(key), Box::new(DataType::Utf8));
        cast(&text(["7", "7", "7"]), &kind).expect("a dictionary")
    };
    let expected = view(&read_with("page", text(["7", "7", "7"])).expect("a log"));
    for pages in [
        Arc::new(LargeStringArray::from(vec!["7"; 3])) as ArrayRef,
        Arc::new(StringViewArray::from(vec!["7"; 3])),
        Arc::new(Int8Array::from(vec![7; 3])),
        Arc::new(UInt64Array::from(vec![7; 3])),
        dictionary(DataType::Int32),
        dictionary(DataType::UInt8),
    ] {
        let kind = pages.data_type().clone();
        let set = read_with("page", pages).unwrap_or_else(|refused| panic!("{kind}: {refused}"));
        assert_eq!(view(&set), expected, "{kind}");
    }
    let large: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX; 3]));
    let set = read_with("page", large).expect("a log");
    assert_eq!(view(&set)[0].0, u64::MAX.to_string());
}

#[test]
fn times_are_timestamps_numbers_or_texts() {
    let expected = view(&read_with("time", seconds()).expect("a log"));
    for times in [
        Arc::new(Int32Array::from(vec![10, 20, 30])) as ArrayRef,
        Arc::new(UInt64Array::from(vec![10, 20, 30])),
        Arc::new(Float32Array::from(vec![10.0, 20.0, 30.0])),
        Arc::new(Float64Array::from(vec![10.0, 20.0, 30.0])),
        Arc::new(TimestampSecondArray::from(vec![10, 20, 30])),
        Arc::new(TimestampMillisecondArray::from(vec![
            10_000, 20_000, 30_000,
        ])),
        Arc::new(
            TimestampNanosecondArray::from(vec![10_000_000_000, 20_000_000_000, 30_000_000_999])
                .with_timezone("+02:00"),
        ),
        text(["10", "1970-01-01T00:00:20Z", "30.0"]),
    ] {
        let kind = times.data_type().clone();
        let set = read_with("time", times).unwrap_or_else(|refused| panic!("{kind}: {refused}"));
        assert_eq!(view(&set), expected, "{kind}");
    }
}

#[test]
fn answers_are_booleans_numbers_texts_or_missing() {
    let expected = view(&read_with("changed", bools()).expect("a log"));
    for answers in [
        Arc::new(Int64Array::from(vec![None, Some(1), Some(0)])) as ArrayRef,
        Arc::new(UInt64Array::from(vec![None, Some(1), Some(0)])),
        Arc::new(Float64Array::from(vec![None, Some(1.0), Some(0.0)])),
        text(["", "True", "0"]),
    ] {
        let kind = answers.data_type().clone();
        let set =
            read_with("changed", answers).unwrap_or_else(|refused| panic!("{kind}: {refused}"));
        assert_eq!(view(&set), expected, "{kind}");
    }
    let unknown = read_with("changed", Arc::new(NullArray::new(3))).expect("a log");
    assert_eq!(view(&unknown)[0].3[2].outcome, Outcome::Unknown);
}

#[test]
fn weights_dates_and_sites_may_be_missing_altogether() {
    for name in ["weight", "last_modified", "site"] {
        let set = read_with(name, Arc::new(NullArray::new(3))).expect("a log");
        assert_eq!(view(&set)[0].2, 1.0, "{name}");
    }
    let weights = Float64Array::from(vec![Some(9.0), Some(2.5), None]);
    let set = read_with("weight", Arc::new(weights)).expect("a log");
    assert_eq!(view(&set)[0].2, 2.5);
}

#[test]
fn a_type_that_cannot_hold_the_column_is_named() {
    assert_eq!(
        refusal(read_with("time", bools())),
        "log: column `time` has type Boolean, but must be a timestamp, a number of seconds or a string"
    );
    assert_eq!(
        refusal(read_with(
            "page",
            Arc::new(Float64Array::from(vec![1.0; 3]))
        )),
        "log: column `page` has type Float64, but must be a string or a whole number"
    );
    assert_eq!(
        refusal(read_with(
            "changed",
            Arc::new(Date32Array::from(vec![1; 3]))
        )),
        "log: column `changed` has type Date32, but must be a boolean, a number or a string"
    );
    assert_eq!(
        refusal(read_with("site", seconds())),
        "log: column `site` has type Int64, but must be a string"
    );
    assert_eq!(
        refusal(read_with("weight", bools())),
        "log: column `weight` has type Boolean, but must be a number or a string"
    );
}

#[test]
fn a_bad_cell_is_named_by_row_column_and_value() {
    let cases: Vec<(&str, ArrayRef, &str)> = vec![
        (
            "page",
            Arc::new(StringArray::from(vec![Some("a"), None, Some("b")])),
            "log row 2: column `page`: empty, but every row needs one",
        ),
        (
            "page",
            text(["a", "b", ""]),
            "log row 3: column `page`: empty, but every row needs one",
        ),
        (
            "time",
            Arc::new(Int64Array::from(vec![Some(1), None, Some(2)])),
            "log row 2: column `time`: empty, but every row needs one",
        ),
        (
            "time",
            Arc::new(Float64Array::from(vec![1.0, 2.0, f64::NAN])),
            "log row 3: column `time`: `NaN` is outside the times that can be held (finite, below 9e12 seconds from 1970)",
        ),
        (
            "time",
            Arc::new(Int64Array::from(vec![1, i64::MAX, 2])),
            "log row 2: column `time`: `9223372036854775807` is outside the times that can be held (finite, below 9e12 seconds from 1970)",
        ),
        (
            "time",
            text(["1", "2", "late"]),
            "log row 3: column `time`: `late` is neither an RFC 3339 time (2026-01-31T12:00:00Z) nor a number of seconds since 1970",
        ),
        (
            "changed",
            Arc::new(Int64Array::from(vec![0, 1, 2])),
            "log row 3: column `changed`: `2` is none of 1, 0, true, false or empty (unknown)",
        ),
        (
            "changed",
            text(["1", "no", "0"]),
            "log row 2: column `changed`: `no` is none of 1, 0, true, false or empty (unknown)",
        ),
        (
            "weight",
            Arc::new(Float64Array::from(vec![1.0, -1.0, 1.0])),
            "log row 2: column `weight`: `-1` is not a finite number of at least 0",
        ),
    ];
    for (name, values, expected) in cases {
        assert_eq!(refusal(read_with(name, values)), expected);
    }
}

#[test]
fn rows_are_counted_over_row_groups() {
    let mut times: Vec<f64> = (0..43).map(f64::from).collect();
    times[37] = f64::INFINITY;
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("page", Arc::new(StringArray::from(vec!["a"; 43]))),
        ("time", Arc::new(Float64Array::from(times.clone()))),
        ("changed", Arc::new(NullArray::new(43))),
    ];
    assert!(refusal(read_columns(columns.clone())).starts_with("log row 38: column `time`: `inf`"));
    times[37] = 3.0;
    let mut columns = columns;
    columns[1].1 = Arc::new(Float64Array::from(times));
    let expected = "log row 38: page `a` is observed at 1970-01-01T00:00:03Z a second time, \
                    the first is log row 4; keep one of the two";
    assert_eq!(refusal(read_columns(columns)), expected);
}

#[test]
fn a_missing_column_is_named_with_those_found() {
    let columns = vec![("page", text(["a", "b", "c"])), ("t", seconds())];
    assert_eq!(
        refusal(read_columns(columns)),
        "log has no column `time`, the columns found are `page`, `t`"
    );
}
