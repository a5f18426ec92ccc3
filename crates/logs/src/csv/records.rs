//! Rows of CSV found in a block of bytes: [`Records`].

use std::borrow::Cow;

use memchr::Memchr3;

use crate::{Column, RowProblem, cell};

/// Walks over the rows of a block. It stops only at commas, line ends and
/// quotes, which are searched sixteen or more bytes at a time.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    stops: Memchr3<'a>,
    /// Where the search for stops began.
    base: usize,
    /// Where the next row begins.
    at: usize,
    /// Line ends before that.
    line: u64,
}

/// A field of a row: a range of the block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    start: usize,
    end: usize,
    /// Whether quotes inside are written twice.
    doubled: bool,
}

/// What stands next in a block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A row that begins on `line`, counted from 0.
    Record { line: u64, fields: usize },
    /// A row that begins at `start` and whose quoted field goes on after the
    /// end of the block.
    Unfinished { start: usize, line: u64 },
    /// A row that is not CSV.
    Bad { line: u64, problem: RowProblem },
    /// Nothing more.
    End { lines: u64 },
}

/// What follows a field.
enum After {
    Field,
    Record,
    OpenEnd,
    Text,
}

impl Field {
    /// A field that holds nothing.
    pub(super) const EMPTY: Self = Self {
        start: 0,
        end: 0,
        doubled: false,
    };
}

/// A block whose fields are asked for.
#[derive(Clone, Copy)]
pub(super) struct BlockText<'a> {
    bytes: &'a [u8],
    /// The same as text, if all of it is UTF-8: checking a block at once costs
    /// less than checking each of its fields.
    pub(super) text: Option<&'a str>,
}

impl<'a> BlockText<'a> {
    /// The text of a block.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let text = std::str::from_utf8(bytes).ok();
        Self { bytes, text }
    }

    /// A field as it is, its quotes undone.
    #[inline]
    pub(super) fn bytes(self, field: Field) -> Cow<'a, [u8]> {
        let bytes = &self.bytes[field.start..field.end];
        if field.doubled {
            Cow::Owned(undouble(bytes))
        } else {
            Cow::Borrowed(bytes)
        }
    }

    /// A field as text.
    #[inline]
    pub(super) fn text(self, column: Column, field: Field) -> Result<Cow<'a, str>, RowProblem> {
        match self.text {
            // Fields end at ASCII bytes, so never inside a character.
            Some(text) if !field.doubled => Ok(Cow::Borrowed(&text[field.start..field.end])),
            _ => checked_text(column, &self.bytes(field)),
        }
    }
}

#[cold]
fn checked_text(column: Column, bytes: &[u8]) -> Result<Cow<'static, str>, RowProblem> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Owned(text.to_owned())),
        Err(_) => Err(cell::not_utf8(column, bytes)),
    }
}

#[cold]
fn undouble(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(byte);
        if byte == b'"' {
            bytes.next();
        }
    }
    plain
}

impl<'a> Records<'a> {
    /// The rows of `bytes`, which begins at the start of a row.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self::starting(bytes, 0, 0)
    }

    /// The rows of `bytes` from the one on that begins at `at`, after `line` lines.
    pub(super) fn starting(bytes: &'a [u8], at: usize, line: u64) -> Self {
        Self {
            bytes,
            stops: memchr::memchr3_iter(b',', b'\n', b'"', &bytes[at..]),
            base: at,
            at,
            line,
        }
    }

    #[inline]
    fn next_stop(&mut self) -> Option<usize> {
        self.stops.next().map(|stop| self.base + stop)
    }

    /// Bytes and lines before the next row.
    pub(super) fn position(&self) -> (usize, u64) {
        (self.at, self.line)
    }

    /// Finds the next row and hands each field with its index to `sink`.
    #[inline]
    pub(super) fn next(&mut self, mut sink: impl FnMut(usize, Field)) -> Step {
        let (mut line, mut fields, mut start) = (self.line, 0, self.at);
        loop {
            let stop = self.next_stop();
            match stop.map(|at| self.bytes[at]) {
                Some(b',') => {
                    let end = stop.unwrap_or(self.bytes.len());
                    sink(fields, plain(start, end));
                    fields += 1;
                    start = end + 1;
                }
                Some(b'"') => {
                    if stop != Some(start) {
                        continue; // a quote inside a field that did not begin with one
                    }
                    let (field, after) = self.quoted(start);
                    match after {
                        After::OpenEnd => {
                            let start = self.at;
                            return Step::Unfinished { start, line };
                        }
                        After::Text => {
                            let problem = RowProblem::TextAfterQuote;
                            return Step::Bad { line, problem };
                        }
                        After::Field => {
                            sink(fields, field);
                            fields += 1;
                            start = self.next_field(field);
                        }
                        After::Record => {
                            sink(fields, field);
                            fields += 1;
                            return Step::Record { line, fields };
                        }
                    }
                }
                _ => {
                    let end = stop.unwrap_or(self.bytes.len());
                    let field = plain(start, self.without_return(start, end));
                    let blank = fields == 0 && field.start == field.end;
                    self.line += u64::from(stop.is_some());
                    self.at = (end + 1).min(self.bytes.len());
                    if !blank {
                        sink(fields, field);
                        fields += 1;
                        return Step::Record { line, fields };
                    }
                    if stop.is_none() {
                        return Step::End { lines: self.line };
                    }
                    (line, start) = (self.line, self.at);
                }
            }
        }
    }

    /// The start of the field after a quoted one: past its quote and comma.
    fn next_field(&self, quoted: Field) -> usize {
        (quoted.end + 2).min(self.bytes.len())
    }

    /// The field whose opening quote is at `open`, the last stop taken.
    fn quoted(&mut self, open: usize) -> (Field, After) {
        let mut field = Field {
            start: open + 1,
            end: self.bytes.len(),
            doubled: false,
        };
        while let Some(at) = self.next_stop() {
            match (self.bytes[at], self.bytes.get(at + 1)) {
                (b'"', Some(b'"')) => {
                    self.next_stop();
                    field.doubled = true;
                }
                (b'"', next) => {
                    field.end = at;
                    return (field, self.after_quote(at, next.copied()));
                }
                (b'\n', _) => self.line += 1,
                _ => {}
            }
        }
        (field, After::OpenEnd)
    }

    /// What follows the closing quote at `quote`, taken as a stop if it is one.
    fn after_quote(&mut self, quote: usize, next: Option<u8>) -> After {
        match next {
            Some(b',') => {
                self.next_stop();
                After::Field
            }
            Some(b'\n') | None => self.end_record(quote + 1),
            Some(b'\r') if self.bytes.get(quote + 2) == Some(&b'\n') => self.end_record(quote + 2),
            Some(b'\r') if quote + 2 == self.bytes.len() => self.end_record(quote + 2),
            Some(_) => After::Text,
        }
    }

    /// A row ends with the line end at `end`, or with the block.
    fn end_record(&mut self, end: usize) -> After {
        self.line += u64::from(self.next_stop().is_some());
        self.at = (end + 1).min(self.bytes.len());
        After::Record
    }

    /// The end of a field before `end`, without a carriage return.
    fn without_return(&self, start: usize, end: usize) -> usize {
        if end > start && self.bytes[end - 1] == b'\r' {
            end - 1
        } else {
            end
        }
    }
}

const fn plain(start: usize, end: usize) -> Field {
    Field {
        start,
        end,
        doubled: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All rows of a text, and the line each begins on.
    fn rows(text: &str) -> Result<Vec<(u64, Vec<String>)>, Step> {
        let block = BlockText::new(text.as_bytes());
        let mut records = Records::new(text.as_bytes());
        let mut rows = Vec::new();
        loop {
            let mut row = Vec::new();
            let step = records.next(|index, field| {
                assert_eq!(index, row.len());
                row.push(String::from_utf8_lossy(&block.bytes(field)).into_owned());
            });
            match step {
                Step::Record { line, fields } => {
                    assert_eq!(fields, row.len());
                    rows.push((line, row));
                }
                Step::End { .. } => return Ok(rows),
                other => return Err(other),
            }
        }
    }

    #[test]
    fn lines_are_counted_through_quotes_and_blank_lines() {
        let found = rows("a\n\r\n\"b\n\"\r\nc,\"\n\n\",d\ne").expect("CSV");
        let lines: Vec<_> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [0, 2, 4, 7]);
        assert_eq!(found[2].1, ["c", "\n\n", "d"]);
    }

    #[test]
    fn an_open_quote_leaves_its_row_unfinished() {
        let refused = rows("a,b\n\nc,\"d\n").expect_err("open");
        assert_eq!(refused, Step::Unfinished { start: 5, line: 2 });
    }

    #[test]
    fn only_a_comma_or_a_line_end_may_follow_a_closing_quote() {
        for text in ["\"a\"b", "\"a\" ,b", "\"a\"\rb"] {
            let refused = rows(text).expect_err("text after a quote");
            assert!(matches!(refused, Step::Bad { line: 0, .. }), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_another_program_writes_is_read_as_it_was(
            table in prop::collection::vec(prop::collection::vec("[a,\"\r\né ]{0,4}", 2..5), 0..8),
            always in any::<bool>(),
            windows in any::<bool>(),
        ) {
            let mut writer = csv::WriterBuilder::new()
                .flexible(true)
                .quote_style(if always { csv::QuoteStyle::Always } else { csv::QuoteStyle::Necessary })
                .terminator(if windows { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') })
                .from_writer(Vec::new());
            for row in &table {
                writer.write_record(row).expect("memory");
            }
            let text = String::from_utf8(writer.into_inner().expect("memory")).expect("UTF-8");
            let found: Vec<_> = rows(&text).expect("CSV").into_iter().map(|(_, row)| row).collect();
            prop_assert_eq!(found, table);
        }
    }
}
