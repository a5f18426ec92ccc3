//! Formats of lines, parsed in blocks on all cores.

use std::io::Read;

use rayon::prelude::*;

use crate::batch::Batch;
use crate::blocks::{BlockError, Blocks};
use crate::gather::{Gather, Known};
use crate::read::unreadable;
use crate::{LogError, ReadSettings, RowProblem};

/// Blocks a thread gets in one round: enough that a slow block holds nobody up
/// for long, few enough that a round stays a few mebibytes.
const BLOCKS_A_THREAD: usize = 16;

/// The mark some editors put at the start of a UTF-8 file.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Turns a block of text into rows. Called from many threads, once a block.
pub(crate) trait BlockParser: Sync {
    /// The rows of `block`, with the pages of `known` recognised.
    fn parse(&self, block: &[u8], known: Known<'_>) -> Parsed;
}

/// What became of a block.
pub(crate) struct Parsed {
    pub(crate) batch: Batch,
    /// Where a row begins that the block does not end. The parser cannot see
    /// that a block begins inside a row: if the block before was unfinished,
    /// the rows of this one are void and it is parsed again, joined to the rest.
    pub(crate) unfinished: Option<usize>,
}

/// Reads all blocks after the `first` into `gather`.
pub(crate) fn read_blocks<R: Read + Send>(
    first: Vec<u8>,
    mut blocks: Blocks<R>,
    parser: &impl BlockParser,
    gather: &mut Gather,
    settings: &ReadSettings,
) -> Result<(), LogError> {
    let blocks_a_round = BLOCKS_A_THREAD * rayon::current_num_threads();
    let mut round = vec![first];
    let mut spent = Vec::new();
    let mut unfinished = Vec::new();
    while !round.is_empty() {
        let known = gather.known();
        let (next, parsed) = rayon::join(
            || blocks.round(blocks_a_round, spent),
            || -> Vec<Parsed> {
                round
                    .par_iter()
                    .map(|block| parser.parse(block, known))
                    .collect()
            },
        );
        for (block, parsed) in round.iter().zip(parsed) {
            join_block(block, parsed, &mut unfinished, parser, gather, settings)?;
        }
        spent = round;
        round = next.map_err(|refused| block_error(gather, refused, settings))?;
    }
    if unfinished.is_empty() {
        Ok(())
    } else {
        Err(row_error(gather, RowProblem::OpenQuote))
    }
}

/// Joins a parsed block, or, if the one before left a row unfinished, that row
/// and the block together.
fn join_block(
    block: &[u8],
    mut parsed: Parsed,
    unfinished: &mut Vec<u8>,
    parser: &impl BlockParser,
    gather: &mut Gather,
    settings: &ReadSettings,
) -> Result<(), LogError> {
    if unfinished.is_empty() {
        if let Some(start) = parsed.unfinished {
            unfinished.extend_from_slice(&block[start..]);
        }
    } else {
        unfinished.extend_from_slice(block);
        parsed = parser.parse(unfinished, gather.known());
        let used = parsed.unfinished.unwrap_or(unfinished.len());
        unfinished.drain(..used);
    }
    gather.join(parsed.batch)?;
    if unfinished.len() > settings.longest_row {
        return Err(row_error(gather, too_long(settings)));
    }
    Ok(())
}

/// The first block without its byte order mark, or `None` if nothing is there.
pub(crate) fn first_block<R: Read>(
    blocks: &mut Blocks<R>,
    gather: &Gather,
    settings: &ReadSettings,
) -> Result<Option<Vec<u8>>, LogError> {
    let first = blocks
        .next(Vec::new())
        .map_err(|refused| block_error(gather, refused, settings))?;
    Ok(first.map(|mut block| {
        if block.starts_with(BYTE_ORDER_MARK) {
            block.drain(..BYTE_ORDER_MARK.len());
        }
        block
    }))
}

/// A problem of the row that stands next in the file.
pub(crate) fn row_error(gather: &Gather, problem: RowProblem) -> LogError {
    LogError::Row {
        place: gather.place(0),
        problem,
    }
}

/// The blocks of the current file could not be read on.
pub(crate) fn block_error(
    gather: &Gather,
    refused: BlockError,
    settings: &ReadSettings,
) -> LogError {
    match refused {
        BlockError::Io(source) => unreadable(gather, source),
        BlockError::NoLineEnd => row_error(gather, too_long(settings)),
    }
}

/// A row is longer than the settings allow.
pub(crate) fn too_long(settings: &ReadSettings) -> RowProblem {
    RowProblem::TooLong {
        limit: settings.longest_row,
    }
}
