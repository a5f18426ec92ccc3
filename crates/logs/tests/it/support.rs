//! Rows, the ways to write them, and a view of what was read.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use recrawl_logs::{Format, LogError, ReadSettings, read_from};
use recrawl_model::{HistorySet, Observation, Timestamp};

/// One row of a log.
#[derive(Debug, Clone)]
pub(crate) struct LogRow {
    pub(crate) page: String,
    pub(crate) at: Timestamp,
    pub(crate) changed: Option<bool>,
    pub(crate) last_modified: Option<Timestamp>,
    pub(crate) site: Option<String>,
    pub(crate) weight: Option<f64>,
}

/// A page as read: name, site, weight, observations.
pub(crate) type Page = (String, String, f64, Vec<Observation>);

/// Everything a set of histories holds.
pub(crate) fn view(set: &HistorySet) -> Vec<Page> {
    set.pages()
        .map(|page| {
            (
                set.name(page).to_owned(),
                set.site(page).to_owned(),
                set.weight(page),
                set.history(page).observations().collect(),
            )
        })
        .collect()
}

/// Settings with which a few rows already are many blocks.
pub(crate) fn tiny() -> ReadSettings {
    ReadSettings {
        block_bytes: 7,
        batch_rows: 3,
        ..ReadSettings::default()
    }
}

pub(crate) fn read_bytes(bytes: &[u8], format: Format) -> Result<HistorySet, LogError> {
    read_from(bytes, format, "log", &tiny())
}

pub(crate) fn read_csv(text: &str) -> Result<HistorySet, LogError> {
    read_bytes(text.as_bytes(), Format::Csv)
}

pub(crate) fn read_ndjson(text: &str) -> Result<HistorySet, LogError> {
    read_bytes(text.as_bytes(), Format::Ndjson)
}

/// The sentence a log is refused with.
pub(crate) fn refusal(read: Result<HistorySet, LogError>) -> String {
    read.expect_err("the log is bad").to_string()
}

fn seconds(at: Timestamp) -> String {
    let (whole, fraction) = (at.micros() / 1_000_000, at.micros() % 1_000_000);
    format!("{whole}.{fraction:06}")
}

fn cells(row: &LogRow) -> [String; 6] {
    [
        row.page.clone(),
        seconds(row.at),
        row.changed
            .map_or("", |yes| if yes { "1" } else { "0" })
            .to_owned(),
        row.last_modified.map_or(String::new(), |at| at.to_string()),
        row.site.clone().unwrap_or_default(),
        row.weight
            .map_or(String::new(), |weight| weight.to_string()),
    ]
}

const HEADER: [&str; 6] = ["page", "time", "changed", "last_modified", "site", "weight"];

/// CSV by the `csv` crate, quoted where it must be.
pub(crate) fn as_csv(rows: &[LogRow]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER).expect("memory");
    for row in rows {
        writer.write_record(cells(row)).expect("memory");
    }
    writer.into_inner().expect("memory")
}

/// CSV as other programs write it: byte order mark, everything quoted, CRLF,
/// columns in another order with one more between them, blank lines.
pub(crate) fn as_windows_csv(rows: &[LogRow]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .terminator(csv::Terminator::CRLF)
        .from_writer(b"\xEF\xBB\xBF\r\n".to_vec());
    let turn = |cells: [String; 6]| {
        let [page, time, changed, modified, site, weight] = cells;
        [
            weight,
            changed,
            "said \"hello\",\nleft".into(),
            page,
            site,
            modified,
            time,
        ]
    };
    let mut header = turn(HEADER.map(str::to_owned));
    header[2] = "remark".into();
    writer.write_record(header).expect("memory");
    for row in rows {
        writer.write_record(turn(cells(row))).expect("memory");
    }
    let mut bytes = writer.into_inner().expect("memory");
    bytes.extend_from_slice(b"\r\n\r\n");
    bytes
}

/// NDJSON with keys left out where they say nothing, or null.
pub(crate) fn as_ndjson(rows: &[LogRow]) -> Vec<u8> {
    let mut text = String::new();
    for row in rows {
        let mut object = serde_json::json!({"page": row.page, "time": row.at.seconds()});
        object["changed"] = row.changed.into();
        if let Some(at) = row.last_modified {
            object["last_modified"] = at.to_string().into();
        }
        object["remark"] = serde_json::json!([{"nested": 1}]);
        if let Some(site) = &row.site {
            object["site"] = site.as_str().into();
        }
        object["weight"] = row.weight.into();
        writeln!(text, "{object}").expect("memory");
    }
    text.into_bytes()
}

/// Parquet in row groups of a few rows.
pub(crate) fn as_parquet(rows: &[LogRow], dictionary: bool) -> Vec<u8> {
    let micros = |at: Timestamp| at.micros();
    let column = |make: &dyn Fn() -> ArrayRef| make();
    let columns: Vec<(&str, ArrayRef, bool)> = vec![
        (
            "weight",
            column(&|| Arc::new(rows.iter().map(|row| row.weight).collect::<Float64Array>())),
            true,
        ),
        (
            "page",
            column(&|| {
                let pages = rows.iter().map(|row| Some(row.page.as_str()));
                Arc::new(pages.collect::<StringArray>())
            }),
            true,
        ),
        (
            "time",
            column(&|| {
                let times = rows.iter().map(|row| Some(micros(row.at)));
                Arc::new(times.collect::<TimestampMicrosecondArray>())
            }),
            true,
        ),
        (
            "changed",
            column(&|| Arc::new(rows.iter().map(|row| row.changed).collect::<BooleanArray>())),
            true,
        ),
        (
            "last_modified",
            column(&|| {
                let times = rows.iter().map(|row| row.last_modified.map(micros));
                Arc::new(
                    times
                        .collect::<TimestampMicrosecondArray>()
                        .with_timezone_utc(),
                )
            }),
            true,
        ),
        (
            "site",
            column(&|| {
                Arc::new(
                    rows.iter()
                        .map(|row| row.site.clone())
                        .collect::<StringArray>(),
                )
            }),
            true,
        ),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns).expect("equal lengths");
    write_parquet(&batch, dictionary)
}

/// A record batch as a Parquet file in row groups of five rows.
pub(crate) fn write_parquet(batch: &RecordBatch, dictionary: bool) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(5))
        .set_dictionary_enabled(dictionary)
        .build();
    let mut bytes = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).expect("a schema");
    writer.write(batch).expect("memory");
    writer.close().expect("memory");
    bytes
}
