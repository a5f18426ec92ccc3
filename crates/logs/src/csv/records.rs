//! Rows of CSV found in a block of bytes: [`Records`].

use std::borrow::Cow;

use memchr::Memchr3;

use crate::{Column, RowProblem, cell};

/// Walks over the rows of a block. It stops only at commas, line ends and
/// quotes, which are searched sixteen or more bytes at a time.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    stops: Memchr3<'a>,
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
    text: Option<&'a str>,
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
        Self {
            bytes,
            stops: memchr::memchr3_iter(b',', b'\n', b'"', bytes),
            at: 0,
            line: 0,
        }
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
            let stop = self.stops.next();
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
        while let Some(at) = self.stops.next() {
            match (self.bytes[at], self.bytes.get(at + 1)) {
                (b'"', Some(b'"')) => {
                    self.stops.next();
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
                self.stops.next();
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
        self.line += u64::from(self.stops.next().is_some());
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
