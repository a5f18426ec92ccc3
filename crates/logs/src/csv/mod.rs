//! CSV with a header: quotes as in RFC 4180, LF or CRLF, blank lines ignored.

mod header;
mod records;

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

impl BlockParser for Header {
    fn parse(&self, block: &[u8], known: Known<'_>) -> Parsed {
        let text = BlockText::new(block);
        let mut rows = NamedBatch::with_capacity(block.len() / SHORT_ROW);
        let unfinished = self.parse_records(text, Records::new(block), &mut rows);
        let batch = rows.recognise(known);
        Parsed { batch, unfinished }
    }
}

impl Header {
    /// Adds all records to `rows`. Returns where an unfinished one begins.
    fn parse_records<'a>(
        &self,
        text: BlockText<'a>,
        mut records: Records<'_>,
        rows: &mut NamedBatch<'a>,
    ) -> Option<usize> {
        let mut cells = [Field::EMPTY; Self::SLOTS];
        loop {
            let step = records.next(|index, field| {
                if let Some(&slot) = self.slots.get(index) {
                    cells[usize::from(slot)] = field;
                }
            });
            let pushed = match step {
                Step::Record { line, fields } if fields == self.slots.len() => self
                    .push(rows, text, &cells, line)
                    .map_err(|problem| (line, problem)),
                Step::Record { line, fields } => Err((line, self.field_count(fields))),
                Step::Bad { line, problem } => Err((line, problem)),
                Step::Unfinished { start, line } => {
                    rows.batch.lines = line;
                    return Some(start);
                }
                Step::End { lines } => {
                    rows.batch.lines = lines;
                    return None;
                }
            };
            if let Err(problem) = pushed {
                rows.batch.problem = Some(problem);
                return None;
            }
        }
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
