//! Observations in the order they were added: [`Rows`].

use rayon::iter::repeat_n;
use rayon::prelude::*;

use crate::{HistorySet, Outcome, PageId, Timestamp};

/// Rows of a piece that is filled bit by bit.
const PIECE_ROWS: usize = 1 << 16;

/// Rows below which a piece is not worth keeping apart.
const FEW_ROWS: usize = 1 << 12;

/// Threads that count rows a page, each on its own: more would take more memory
/// than the rows.
const MOST_COUNTERS: usize = 8;

/// The observations in the order they were added, in pieces: one long column would
/// be copied each time it outgrows its memory.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pieces: Vec<Piece>,
    count: usize,
}

/// Some observations, in columns.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(crate) pages: Vec<PageId>,
    pub(crate) times: Vec<Timestamp>,
    pub(crate) outcomes: Vec<Outcome>,
    /// Empty until the first date is told, then as long as `times`.
    pub(crate) modified: Vec<Option<Timestamp>>,
}

impl Piece {
    /// Appends `other`.
    fn extend(&mut self, other: &Self) {
        if !other.modified.is_empty() || !self.modified.is_empty() {
            self.modified.resize(self.times.len(), None);
            self.modified.extend_from_slice(&other.modified);
            self.modified
                .resize(self.times.len() + other.times.len(), None);
        }
        self.pages.extend_from_slice(&other.pages);
        self.times.extend_from_slice(&other.times);
        self.outcomes.extend_from_slice(&other.outcomes);
    }

    /// Appends one observation.
    fn push(&mut self, page: PageId, at: Timestamp, outcome: Outcome, modified: Option<Timestamp>) {
        if modified.is_some() || !self.modified.is_empty() {
            self.modified.resize(self.times.len(), None);
            self.modified.push(modified);
        }
        self.pages.push(page);
        self.times.push(at);
        self.outcomes.push(outcome);
    }

    /// Keeps the rows of which `keep` says so, told page, time and outcome.
    fn retain(&mut self, keep: impl Fn(PageId, Timestamp, Outcome) -> bool) {
        let mut kept = 0;
        for row in 0..self.times.len() {
            let (page, at, outcome) = (self.pages[row], self.times[row], self.outcomes[row]);
            if !keep(page, at, outcome) {
                continue;
            }
            self.pages[kept] = page;
            self.times[kept] = at;
            self.outcomes[kept] = outcome;
            if !self.modified.is_empty() {
                self.modified[kept] = self.modified[row];
            }
            kept += 1;
        }
        self.pages.truncate(kept);
        self.times.truncate(kept);
        self.outcomes.truncate(kept);
        self.modified.truncate(kept);
    }
}

impl Rows {
    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// All rows, piece by piece in the order of their first times: files read side
    /// by side, each in order of time, then give pages whose rows need no sorting.
    pub(crate) fn pieces_by_time(&self) -> Vec<&Piece> {
        let mut pieces: Vec<&Piece> = self.pieces.iter().collect();
        pieces.sort_by_key(|piece| piece.times.first().copied());
        pieces
    }

    /// Page, time and outcome of each row.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (PageId, Timestamp, Outcome)> {
        self.pieces.iter().flat_map(|piece| {
            let rows = piece.pages.iter().zip(&piece.times).zip(&piece.outcomes);
            rows.map(|((&page, &at), &outcome)| (page, at, outcome))
        })
    }

    /// Adds one row.
    pub(crate) fn push(
        &mut self,
        page: PageId,
        at: Timestamp,
        outcome: Outcome,
        modified: Option<Timestamp>,
    ) {
        self.open_piece(1).push(page, at, outcome, modified);
        self.count += 1;
    }

    /// Adds the rows of a piece.
    pub(crate) fn take(&mut self, piece: Piece) {
        self.count += piece.times.len();
        if piece.times.len() < FEW_ROWS {
            self.open_piece(piece.times.len()).extend(&piece);
        } else {
            self.pieces.push(piece);
        }
    }

    /// The last piece if it has room for `count` more rows, else a new one.
    fn open_piece(&mut self, count: usize) -> &mut Piece {
        let fits = |piece: &Piece| piece.times.len() + count <= PIECE_ROWS;
        if !self.pieces.last().is_some_and(fits) {
            self.pieces.push(Piece::default());
        }
        let last = self.pieces.len() - 1;
        &mut self.pieces[last]
    }

    /// Keeps the rows of which `keep` says so, told page, time and outcome.
    pub(crate) fn retain(&mut self, keep: impl Fn(PageId, Timestamp, Outcome) -> bool) {
        for piece in &mut self.pieces {
            piece.retain(&keep);
        }
        self.count = self.pieces.iter().map(|piece| piece.times.len()).sum();
    }

    /// Replaces each row's page by its place in `rank`. Returns where the rows of
    /// each place start once they stand in order, with one more entry at the end.
    pub(crate) fn rank_pages(&mut self, rank: &[PageId]) -> Vec<usize> {
        let threads = rayon::current_num_threads().min(MOST_COUNTERS);
        let counters = threads.min(self.count / rank.len().max(1)).max(1);
        let pieces_each = self.pieces.len().div_ceil(counters).max(1);
        let counts: Vec<Vec<u32>> = self
            .pieces
            .par_chunks_mut(pieces_each)
            .map(|pieces| {
                let mut counts = vec![0u32; rank.len()];
                for page in pieces.iter_mut().flat_map(|piece| &mut piece.pages) {
                    *page = rank[page.index()];
                    counts[page.index()] += 1;
                }
                counts
            })
            .collect();
        let mut starts = Vec::with_capacity(rank.len() + 1);
        let mut start = 0;
        starts.push(start);
        for place in 0..rank.len() {
            start += counts
                .iter()
                .map(|some| some[place] as usize)
                .sum::<usize>();
            starts.push(start);
        }
        starts
    }

    /// A set with room for all rows, its memory taken on all cores.
    pub(crate) fn room(&self) -> HistorySet {
        let dated = self.pieces.iter().any(|piece| !piece.modified.is_empty());
        HistorySet {
            times: repeat_n(Timestamp::from_micros(0), self.count).collect(),
            outcomes: repeat_n(Outcome::Unknown, self.count).collect(),
            modified: repeat_n(None, if dated { self.count } else { 0 }).collect(),
            ..HistorySet::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(first: usize, rows: usize, dated: bool) -> Piece {
        let numbers = first..first + rows;
        let at = |number: usize| Timestamp::from_seconds(number as i64);
        Piece {
            pages: numbers.clone().map(|row| PageId(row as u32 % 3)).collect(),
            times: numbers.clone().map(at).collect(),
            outcomes: vec![Outcome::Changed; rows],
            modified: numbers.filter(|_| dated).map(|row| Some(at(row))).collect(),
        }
    }

    #[test]
    fn large_pieces_stay_apart_and_small_ones_are_joined() {
        let mut rows = Rows::default();
        rows.take(piece(0, 10, false));
        rows.take(piece(10, 10, true));
        rows.take(piece(20, FEW_ROWS, false));
        rows.push(
            PageId(2),
            Timestamp::from_seconds(-1),
            Outcome::Unknown,
            None,
        );
        assert_eq!(rows.len(), 21 + FEW_ROWS);
        assert_eq!(rows.pieces.len(), 2);
        let dated = rows.pieces[0].modified.iter().map(Option::is_some);
        assert!(dated.eq((0..20).map(|row| row >= 10)));
        let times: Vec<_> = rows.iter().map(|(_, at, _)| at).collect();
        assert!(times[..20 + FEW_ROWS].is_sorted());
        assert_eq!(rows.room().modified.len(), rows.len());
    }

    #[test]
    fn pieces_come_by_time_and_rows_are_counted_by_rank() {
        let mut rows = Rows::default();
        for first in [2 * FEW_ROWS, 0, FEW_ROWS] {
            rows.take(piece(first, FEW_ROWS, false));
        }
        let firsts: Vec<_> = rows
            .pieces_by_time()
            .iter()
            .map(|piece| piece.times[0])
            .collect();
        assert!(firsts.is_sorted());
        let starts = rows.rank_pages(&[PageId(2), PageId(0), PageId(1)]);
        assert_eq!(starts, [0, FEW_ROWS, 2 * FEW_ROWS, 3 * FEW_ROWS]);
        assert_eq!(rows.pieces[1].pages[..3], [PageId(2), PageId(0), PageId(1)]);
    }
}
