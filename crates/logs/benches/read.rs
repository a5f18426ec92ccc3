//! Rows a second by format: `cargo bench -p recrawl-logs`.
//!
//! The log is like a crawler's: rows in order of time, pages interleaved,
//! twenty visits each. `items` in the output are rows.

#![expect(clippy::expect_used, reason = "a benchmark may stop")]

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use recrawl_logs::{Format, ReadSettings, read_from};

const PAGES: usize = 20_000;
const VISITS: usize = 20;

struct Row {
    page: String,
    time: i64,
    changed: bool,
}

fn rows() -> impl Iterator<Item = Row> {
    (0..PAGES * VISITS).map(|row| {
        // A step without a common divisor: each visit meets all pages, in
        // another order than they were named in.
        let (visit, page) = (row / PAGES, row * 7919 % PAGES);
        Row {
            page: format!("https://site{}.example/path/{page}", page % 97),
            time: 1_700_000_000 + (row * 86_400 / PAGES) as i64,
            changed: (page + visit).is_multiple_of(3),
        }
    })
}

static CSV: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut text = "page,time,changed\n".to_owned();
    for row in rows() {
        let changed = u8::from(row.changed);
        writeln!(text, "{},{},{changed}", row.page, row.time).expect("memory");
    }
    text.into_bytes()
});

static QUOTED_CSV: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut text = "\"page\",\"time\",\"changed\"\n".to_owned();
    for row in rows() {
        let changed = u8::from(row.changed);
        writeln!(text, "\"{}\",{},{changed}", row.page, row.time).expect("memory");
    }
    text.into_bytes()
});

static NDJSON: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut text = String::new();
    for Row {
        page,
        time,
        changed,
    } in rows()
    {
        writeln!(
            text,
            r#"{{"page":"{page}","time":{time},"changed":{changed}}}"#
        )
        .expect("memory");
    }
    text.into_bytes()
});

fn parquet(dictionary: bool) -> Vec<u8> {
    let rows: Vec<Row> = rows().collect();
    let columns: [(&str, ArrayRef); 3] = [
        (
            "page",
            Arc::new(StringArray::from_iter_values(
                rows.iter().map(|row| &row.page),
            )),
        ),
        (
            "time",
            Arc::new(Int64Array::from_iter_values(
                rows.iter().map(|row| row.time),
            )),
        ),
        (
            "changed",
            Arc::new(
                rows.iter()
                    .map(|row| Some(row.changed))
                    .collect::<BooleanArray>(),
            ),
        ),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("equal lengths");
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(100_000))
        .set_dictionary_enabled(dictionary)
        .build();
    let mut bytes = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).expect("a schema");
    writer.write(&batch).expect("memory");
    writer.close().expect("memory");
    bytes
}

static PLAIN_PARQUET: LazyLock<Vec<u8>> = LazyLock::new(|| parquet(false));
static DICTIONARY_PARQUET: LazyLock<Vec<u8>> = LazyLock::new(|| parquet(true));

fn measure(bencher: Bencher<'_, '_>, bytes: &[u8], format: Format) {
    let settings = ReadSettings::default();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .counter(ItemsCount::new(PAGES * VISITS))
        .bench(|| read_from(black_box(bytes), format, "log", &settings).expect("a log"));
}

#[divan::bench]
fn csv(bencher: Bencher<'_, '_>) {
    measure(bencher, &CSV, Format::Csv);
}

#[divan::bench]
fn csv_quoted(bencher: Bencher<'_, '_>) {
    measure(bencher, &QUOTED_CSV, Format::Csv);
}

#[divan::bench]
fn ndjson(bencher: Bencher<'_, '_>) {
    measure(bencher, &NDJSON, Format::Ndjson);
}

#[divan::bench]
fn parquet_plain(bencher: Bencher<'_, '_>) {
    measure(bencher, &PLAIN_PARQUET, Format::Parquet);
}

#[divan::bench]
fn parquet_dictionary(bencher: Bencher<'_, '_>) {
    measure(bencher, &DICTIONARY_PARQUET, Format::Parquet);
}

fn main() {
    divan::main();
}
