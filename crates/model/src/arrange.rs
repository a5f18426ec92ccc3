//! Rows sorted into the columns of a history set, part by part on all cores.

use crate::rows::Rows;
use crate::{HistorySet, Outcome, Timestamp};

/// Parts a core gets: a few, so that none waits long for another. Each part
/// looks at every row once, which is why there are not many.
const PARTS_A_THREAD: usize = 2;

/// Rows from which a part picks its own at a time. Nobody can foresee which they
/// are; listed first, without a branch, they are then taken without a doubt.
const SIFTED_TOGETHER: usize = 512;

/// Neighbouring pages of a history set, with room for their observations.
pub(crate) struct Part<'a> {
    first_page: usize,
    /// Where the rows of each page start, the last entry where they end; counted
    /// in the whole set.
    starts: &'a [usize],
    times: &'a mut [Timestamp],
    outcomes: &'a mut [Outcome],
    modified: &'a mut [Option<Timestamp>],
}

/// Cuts a set into parts of about as many observations each.
pub(crate) fn cut_into_parts<'a>(set: &'a mut HistorySet, starts: &'a [usize]) -> Vec<Part<'a>> {
    let pages = starts.len() - 1;
    let count = PARTS_A_THREAD * rayon::current_num_threads();
    let rows_a_part = set.times.len().div_ceil(count).max(1);
    let (mut times, mut outcomes) = (&mut set.times[..], &mut set.outcomes[..]);
    let mut modified = &mut set.modified[..];
    let mut parts = Vec::new();
    let mut first_page = 0;
    while first_page < pages {
        let goal = starts[first_page] + rows_a_part;
        let end_page = starts.partition_point(|&start| start < goal).min(pages);
        let rows = starts[end_page] - starts[first_page];
        parts.push(Part {
            first_page,
            starts: &starts[first_page..=end_page],
            times: times.split_off_mut(..rows).unwrap_or_default(),
            outcomes: outcomes.split_off_mut(..rows).unwrap_or_default(),
            modified: modified.split_off_mut(..rows).unwrap_or_default(),
        });
        first_page = end_page;
    }
    parts
}

impl Part<'_> {
    /// Takes the part's observations out of `rows`, whose pages are places in
    /// the set, and sorts them by time. Returns the first page of which two have
    /// one time, with that time.
    pub(crate) fn fill(mut self, rows: &Rows) -> Option<(usize, Timestamp)> {
        self.scatter(rows);
        let pages = self.starts.len() - 1;
        (0..pages).find_map(|page| {
            let at = self.sort_page(page)?;
            Some((self.first_page + page, at))
        })
    }

    /// A counting sort of the rows by page.
    fn scatter(&mut self, rows: &Rows) {
        let offset = self.starts[0];
        let pages = self.starts.len() - 1;
        let mut next: Vec<usize> = self.starts.iter().map(|start| start - offset).collect();
        let mut ours = [0; SIFTED_TOGETHER];
        for piece in rows.pieces_by_time() {
            for (group, group_pages) in piece.pages.chunks(SIFTED_TOGETHER).enumerate() {
                let mut count = 0;
                for (row, page) in group_pages.iter().enumerate() {
                    ours[count] = row;
                    count += usize::from(page.index().wrapping_sub(self.first_page) < pages);
                }
                for &row in &ours[..count] {
                    let row = group * SIFTED_TOGETHER + row;
                    let next = &mut next[piece.pages[row].index() - self.first_page];
                    self.times[*next] = piece.times[row];
                    self.outcomes[*next] = piece.outcomes[row];
                    if let Some(told) = self.modified.get_mut(*next) {
                        *told = piece.modified.get(row).copied().flatten();
                    }
                    *next += 1;
                }
            }
        }
    }

    /// Sorts the observations of one page by time and names the first `First`.
    /// Returns a time that stands twice, if one does.
    fn sort_page(&mut self, page: usize) -> Option<Timestamp> {
        let range = self.starts[page] - self.starts[0]..self.starts[page + 1] - self.starts[0];
        let times = &mut self.times[range.clone()];
        if !times.is_sorted() {
            let mut by_time: Vec<usize> = (0..times.len()).collect();
            by_time.sort_by_key(|&row| times[row]);
            permute(times, &by_time);
            permute(&mut self.outcomes[range.clone()], &by_time);
            if !self.modified.is_empty() {
                permute(&mut self.modified[range.clone()], &by_time);
            }
        }
        if let Some(first) = self.outcomes[range.clone()].first_mut() {
            *first = Outcome::First;
        }
        let times = &self.times[range];
        times
            .windows(2)
            .find(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
    }
}

fn permute<T: Copy>(values: &mut [T], order: &[usize]) {
    let sorted: Vec<T> = order.iter().map(|&from| values[from]).collect();
    values.copy_from_slice(&sorted);
}
