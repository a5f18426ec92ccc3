//! NDJSON: one JSON object a line, blank lines ignored.

mod value;

use std::borrow::Cow;
use std::io::Read;

use memchr::memchr;
use recrawl_model::{Outcome, Timestamp};
use serde::Deserialize;

use crate::batch::{NamedBatch, Row};
use crate::blocks::Blocks;
use crate::cell;
use crate::gather::{Gather, Known};
use crate::text::{BlockParser, Parsed, first_block, read_blocks};
use crate::{Column, LogError, ReadSettings, RowProblem};

use value::Value;

/// Bytes a short object takes, to guess how many rows a block holds.
const SHORT_OBJECT: usize = 48;

/// Reads a stream of JSON lines into `gather`.
pub(crate) fn read<R: Read + Send>(
    stream: R,
    gather: &mut Gather,
    settings: &ReadSettings,
) -> Result<(), LogError> {
    let mut blocks = Blocks::new(stream, settings);
    match first_block(&mut blocks, gather, settings)? {
        Some(first) => read_blocks(first, blocks, &JsonLines, gather, settings),
        None => Ok(()),
    }
}

/// Lines that are JSON objects.
struct JsonLines;

/// The keys the reader knows; a key that is missing is null.
#[derive(Deserialize)]
struct Object<'a> {
    #[serde(borrow, default)]
    page: Value<'a>,
    #[serde(borrow, default)]
    time: Value<'a>,
    #[serde(borrow, default)]
    changed: Value<'a>,
    #[serde(borrow, default)]
    last_modified: Value<'a>,
    #[serde(borrow, default)]
    site: Value<'a>,
    #[serde(borrow, default)]
    weight: Value<'a>,
}

impl BlockParser for JsonLines {
    fn parse(&self, block: &[u8], known: Known<'_>) -> Parsed {
        let mut rows = NamedBatch::with_capacity(block.len() / SHORT_OBJECT, known);
        let (mut rest, mut line) = (block, 0);
        while !rest.is_empty() {
            let end = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let text = rest[..end].trim_ascii();
            if !text.is_empty()
                && let Err(problem) = push(&mut rows, text, line)
            {
                rows.batch.problem = Some((line, problem));
                break;
            }
            rest = &rest[end..];
            line += 1;
        }
        rows.batch.lines = line;
        Parsed {
            batch: rows.finish(),
            unfinished: None,
        }
    }
}

fn push<'a>(rows: &mut NamedBatch<'a>, text: &'a [u8], line: u64) -> Result<(), RowProblem> {
    if !text.starts_with(b"{") {
        // An array would pass for an object whose keys are in order.
        let reason = format!(
            "it begins `{}`",
            cell::shown(&String::from_utf8_lossy(text))
        );
        return Err(RowProblem::Json { reason });
    }
    let object: Object<'a> = serde_json::from_slice(text).map_err(|error| json(&error))?;
    let page = page(object.page)?;
    let site = match &object.site {
        Value::Null => None,
        Value::Text(site) => Some(site.as_ref()).filter(|site| !site.is_empty()),
        other => return Err(cell::bad(Column::Site, not_text(other))),
    };
    let row = Row {
        at: time(Column::Time, &object.time)?.ok_or_else(|| cell::empty(Column::Time))?,
        outcome: changed(&object.changed)?,
        last_modified: time(Column::LastModified, &object.last_modified)?,
        site,
        weight: weight(&object.weight)?,
    };
    rows.push(page, line, row)
}

fn page(value: Value<'_>) -> Result<Cow<'_, str>, RowProblem> {
    match value {
        Value::Null => Err(cell::empty(Column::Page)),
        Value::Text(text) => Ok(text),
        Value::Whole(number) => Ok(Cow::Owned(number.to_string())),
        Value::Fraction(number) if number.abs() < EXACT => Ok(Cow::Owned(number.to_string())),
        other => Err(cell::bad(Column::Page, not_text(&other))),
    }
}

/// 2^53: from here on a JSON number may stand for several, and two pages could
/// pass for one.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn not_text(value: &Value<'_>) -> String {
    let value = cell::shown(&value.to_string());
    format!("`{value}` is not a string, write it in quotes")
}

fn time(column: Column, value: &Value<'_>) -> Result<Option<Timestamp>, RowProblem> {
    match value {
        Value::Null => Ok(None),
        Value::Text(text) if text.trim().is_empty() => Ok(None),
        Value::Text(text) => cell::time(column, text.as_bytes()).map(Some),
        Value::Fraction(seconds) => Timestamp::from_fractional_seconds(*seconds)
            .map(Some)
            .map_err(|refused| cell::time_problem(column, &refused)),
        // Whole numbers, and what is refused with its text.
        other => cell::time(column, other.to_string().as_bytes()).map(Some),
    }
}

fn changed(value: &Value<'_>) -> Result<Outcome, RowProblem> {
    match value {
        Value::Null => Ok(Outcome::Unknown),
        Value::Bool(true) | Value::Whole(1) => Ok(Outcome::Changed),
        Value::Bool(false) | Value::Whole(0) => Ok(Outcome::Unchanged),
        Value::Text(text) => cell::changed(text.as_bytes()),
        Value::Fraction(number) if *number == 1.0 => Ok(Outcome::Changed),
        Value::Fraction(number) if *number == 0.0 => Ok(Outcome::Unchanged),
        other => Err(cell::not_an_answer(&other.to_string())),
    }
}

fn weight(value: &Value<'_>) -> Result<Option<f64>, RowProblem> {
    match value {
        Value::Null => Ok(None),
        Value::Text(text) => cell::weight(text.as_bytes()),
        Value::Whole(number) => cell::checked_weight(*number as f64).map(Some),
        Value::Fraction(number) => cell::checked_weight(*number).map(Some),
        other => Err(cell::not_a_weight(&other.to_string())),
    }
}

/// What the JSON parser said, without its idea of the line: each line of the
/// file is line 1 to it.
fn json(error: &serde_json::Error) -> RowProblem {
    let message = error.to_string();
    let what = message.split(" at line ").next().unwrap_or(&message);
    let reason = format!("{what} at byte {}", error.column());
    RowProblem::Json { reason }
}
