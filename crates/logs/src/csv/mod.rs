//! CSV with a header: quotes as in RFC 4180, LF or CRLF, blank lines ignored.

mod header;
mod quick;
mod records;

use std::borrow::Cow;
use std::io::Read;

use crate::batch::{NamedBatch, Row};
use crate::blocks::Blocks;
use crate::cell;
use crate::gather::{Gather, Known};
use crate::text::{
    BlockParser, Parsed, block_error, first_block, read_blocks, row_error, too_long,
};
use crate::{Column, LogError, ReadSettings, RowProblem};

use header::{Header, HeaderStep};
use records::{BlockText, Field, Records, Step};

/// Bytes a short row takes, to guess how many rows a block holds.
const SHORT_ROW: usize = 32;

/// Reads a CSV stream into `gather`.
pub(crate) fn read<R: Read + Send>(
    stream: R,
    gather: &mut Gather,
    settings: &ReadSettings,
) -> Result<(), LogError> {
    let mut blocks = Blocks::new(stream, settings);
    let Some(mut first) = first_block(&mut blocks, gather, settings)? else {
        return Ok(());
    };
    loop {
        match header::parse(&first, &gather.file())? {
            HeaderStep::Found {
                header,
                bytes,
                lines,
            } => {
                gather.skip(lines);
                first.drain(..bytes);
                return read_blocks(first, blocks, &header, gather, settings);
            }
            HeaderStep::Blank => first.clear(),
            HeaderStep::Bad(problem) => return Err(row_error(gather, problem)),
            HeaderStep::Unfinished if first.len() > settings.longest_row => {
                return Err(row_error(gather, too_long(settings)));
            }
            HeaderStep::Unfinished => {}
        }
        match blocks.next(Vec::new()) {
            Ok(Some(more)) => first.extend_from_slice(&more),
            Ok(None) if first.is_empty() => return Ok(()),
            Ok(None) => return Err(row_error(gather, RowProblem::OpenQuote)),
            Err(refused) => return Err(block_error(gather, refused, settings)),
        }
    }
}

/// Rows parsed with care after one that needed it, before quickness is tried again:
/// where many rows need it, trying costs more than it gains.
const CAREFUL_ROWS: usize = 16;

impl BlockParser for Header {
    fn parse(&self, block: &[u8], known: Known<'_>) -> Parsed {
        let text = BlockText::new(block);
        let mut rows = NamedBatch::with_capacity(block.len() / SHORT_ROW, known);
        let unfinished = match self.parse_records(text, block, &mut rows) {
            Ok(unfinished) => unfinished,
            Err(problem) => {
                rows.batch.problem = Some(problem);
                None
            }
        };
        let batch = rows.finish();
        Parsed { batch, unfinished }
    }
}

impl Header {
    /// Adds all records to `rows`. Returns where an unfinished one begins.
    fn parse_records<'a>(
        &self,
        text: BlockText<'a>,
        block: &'a [u8],
        rows: &mut NamedBatch<'a>,
    ) -> Result<Option<usize>, (u64, RowProblem)> {
        let mut cells = [Field::EMPTY; Self::SLOTS];
        let mut careful = 0;
        let mut records = Records::new(block);
        loop {
            if careful == 0
                && let Some(text) = text.text.filter(|_| !self.has_optional)
            {
                let (at, line) = records.position();
                let (at, line) = self.push_quick(rows, text, at, line)?;
                records = Records::starting(block, at, line);
                careful = CAREFUL_ROWS;
            }
            careful = careful.saturating_sub(1);
            let step = records.next(|index, field| {
                if let Some(&slot) = self.slots.get(index) {
                    cells[usize::from(slot)] = field;
                }
            });
            match step {
                Step::Record { line, fields } if fields == self.slots.len() => self
                    .push(rows, text, &cells, line)
                    .map_err(|problem| (line, problem))?,
                Step::Record { line, fields } => return Err((line, self.field_count(fields))),
                Step::Bad { line, problem } => return Err((line, problem)),
                Step::Unfinished { start, line } => {
                    rows.batch.lines = line;
                    return Ok(Some(start));
                }
                Step::End { lines } => {
                    rows.batch.lines = lines;
                    return Ok(None);
                }
            }
        }
    }

    /// Adds rows for as long as they are plain, from byte `at` on `line` on.
    /// Returns where the first one begins that is not.
    fn push_quick<'a>(
        &self,
        rows: &mut NamedBatch<'a>,
        text: &'a str,
        mut at: usize,
        mut line: u64,
    ) -> Result<(usize, u64), (u64, RowProblem)> {
        while let Some((page, row, end)) = self.quick_row(text, at) {
            rows.push(Cow::Borrowed(page), line, row)
                .map_err(|problem| (line, problem))?;
            (at, line) = (end, line + 1);
        }
        Ok((at, line))
    }

    fn field_count(&self, found: usize) -> RowProblem {
        RowProblem::FieldCount {
            found,
            expected: self.slots.len(),
        }
    }

    /// Adds the row whose cells are in `cells`.
    #[inline]
    fn push<'a>(
        &self,
        rows: &mut NamedBatch<'a>,
        text: BlockText<'a>,
        cells: &[Field; Self::SLOTS],
        line: u64,
    ) -> Result<(), RowProblem> {
        let bytes = |column: Column| text.bytes(cells[column as usize]);
        let mut row = Row {
            at: cell::time(Column::Time, &bytes(Column::Time))?,
            outcome: cell::changed(&bytes(Column::Changed))?,
            last_modified: None,
            site: None,
            weight: None,
        };
        let page = text.text(Column::Page, cells[Column::Page as usize])?;
        if !self.has_optional {
            return rows.push(page, line, row);
        }
        let told = bytes(Column::LastModified);
        if !told.trim_ascii().is_empty() {
            row.last_modified = Some(cell::time(Column::LastModified, &told)?);
        }
        row.weight = cell::weight(&bytes(Column::Weight))?;
        let site = text.text(Column::Site, cells[Column::Site as usize])?;
        row.site = Some(&*site).filter(|site| !site.is_empty());
        rows.push(page, line, row)
    }
}
