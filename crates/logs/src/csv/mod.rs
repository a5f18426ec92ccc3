//! CSV with a header: quotes as in RFC 4180, LF or CRLF, blank lines ignored.

mod header;
mod records;

use std::borrow::Cow;
use std::io::Read;

use crate::batch::{Batch, Row};
use crate::blocks::Blocks;
use crate::cell;
use crate::gather::{Gather, Known};
use crate::text::{
    BlockParser, Parsed, block_error, first_block, read_blocks, row_error, too_long,
};
use crate::{Column, LogError, ReadSettings, RowProblem};

use header::{Header, HeaderStep};
use records::{Field, Records, Step};

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
        let mut batch = Batch::with_capacity(block.len() / SHORT_ROW);
        let mut records = Records::new(block);
        let mut cells = [Field::EMPTY; Header::SLOTS];
        let mut unfinished = None;
        loop {
            let step = records.next(|index, field| {
                if let Some(&slot) = self.slots.get(index) {
                    cells[usize::from(slot)] = field;
                }
            });
            match step {
                Step::Record { line, fields } => {
                    let pushed = if fields == self.slots.len() {
                        self.push(&mut batch, known, block, &cells, line)
                    } else {
                        Err(RowProblem::FieldCount {
                            found: fields,
                            expected: self.slots.len(),
                        })
                    };
                    if let Err(problem) = pushed {
                        batch.problem = Some((line, problem));
                        break;
                    }
                }
                Step::Bad { line, problem } => {
                    batch.problem = Some((line, problem));
                    break;
                }
                Step::Unfinished { start, line } => {
                    batch.lines = line;
                    unfinished = Some(start);
                    break;
                }
                Step::End { lines } => {
                    batch.lines = lines;
                    break;
                }
            }
        }
        Parsed { batch, unfinished }
    }
}

impl Header {
    /// Adds the row whose cells are in `cells`.
    #[inline]
    fn push(
        &self,
        batch: &mut Batch,
        known: Known<'_>,
        block: &[u8],
        cells: &[Field; Self::SLOTS],
        line: u64,
    ) -> Result<(), RowProblem> {
        let text = |column: Column| cells[column as usize].text(block);
        let at = cell::time(Column::Time, &text(Column::Time))?;
        let mut row = Row {
            at,
            outcome: cell::changed(&text(Column::Changed))?,
            last_modified: None,
            site: None,
            weight: None,
        };
        let page = text(Column::Page);
        if !self.has_optional {
            return batch.push(known, &page, line, row);
        }
        let told = text(Column::LastModified);
        if !told.trim_ascii().is_empty() {
            row.last_modified = Some(cell::time(Column::LastModified, &told)?);
        }
        row.weight = cell::weight(&text(Column::Weight))?;
        let site: Cow<'_, [u8]> = text(Column::Site);
        if !site.is_empty() {
            let site = std::str::from_utf8(&site);
            row.site = Some(site.map_err(|_| cell::not_utf8(Column::Site, &text(Column::Site)))?);
        }
        batch.push(known, &page, line, row)
    }
}
