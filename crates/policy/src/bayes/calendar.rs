//! When cycles began, and how much time passed for a site in between.

use recrawl_model::Timestamp;

/// Most boundaries kept. Beyond it the older ones are thinned out: what a site
/// went through is kept in sum, only its course gets coarser.
const MOST: usize = 52;

/// The moments the visits of cycles were made at, in order: when the cycle was
/// planned and, once it is over and they came later, the last of them.
#[derive(Debug, Default)]
pub(super) struct Calendar {
    boundaries: Vec<Timestamp>,
    /// One over the days before each boundary since the one before it: divisions
    /// cost. Of the first it says nothing.
    one_over_days: Vec<f64>,
}

/// The time that passed for a site at each boundary: days, each weighed by how
/// busy the site was. A site too small to have one goes by plain days.
pub(super) type BusyDays = Vec<f32>;

/// Days from one moment to another, negative if that comes first, as
/// [`Timestamp::days_since`] up to rounding, without a division.
#[inline]
pub(super) fn days_between(from: Timestamp, until: Timestamp) -> f64 {
    const DAYS_PER_MICRO: f64 = 1.0 / 86_400e6;
    until.micros().saturating_sub(from.micros()) as f64 * DAYS_PER_MICRO
}

impl Calendar {
    /// How many boundaries there are.
    pub(super) fn len(&self) -> usize {
        self.boundaries.len()
    }

    /// The last boundary; `None` before the first cycle.
    pub(super) fn last(&self) -> Option<Timestamp> {
        self.boundaries.last().copied()
    }

    /// The boundary of that number.
    pub(super) fn at(&self, index: usize) -> Timestamp {
        self.boundaries[index]
    }

    /// Adds a boundary unless it is not after the last.
    pub(super) fn push(&mut self, at: Timestamp) {
        let last = self.last();
        if last.is_none_or(|last| last < at) {
            self.boundaries.push(at);
            let days = last.map_or(1.0, |last| days_between(last, at));
            self.one_over_days.push(1.0 / days);
        }
    }

    /// Moves the last boundary to a later moment.
    pub(super) fn put_off_last(&mut self, until: Timestamp) {
        if self.last().is_some_and(|last| last < until) {
            self.boundaries.pop();
            self.one_over_days.pop();
            self.push(until);
        }
    }

    /// Busy days from `from` to boundary `until`; 0 if that comes before.
    #[inline]
    pub(super) fn busy_days(&self, busy: &[f32], from: Timestamp, until: usize) -> f64 {
        // Among all boundaries, so that the search takes as many steps for every site.
        let next = self.boundaries.partition_point(|&at| at < from);
        if next > until {
            return 0.0;
        }
        let whole = f64::from(busy[until] - busy[next]);
        let part = days_between(from, self.boundaries[next]);
        if next == 0 {
            return whole + part; // before the first boundary nothing is known
        }
        let share = part * self.one_over_days[next];
        whole + share * f64::from(busy[next] - busy[next - 1])
    }

    /// Which boundaries to keep, once there are too many: every second one of
    /// the older half goes.
    pub(super) fn thinning(&self) -> Option<Thinning> {
        (self.len() > MOST).then_some(Thinning { half: MOST / 2 })
    }

    /// Drops the boundaries that a thinning drops.
    pub(super) fn thin(&mut self, thinning: Thinning) {
        thinning.thin(&mut self.boundaries);
        let boundaries = std::mem::take(&mut self.boundaries);
        self.one_over_days.clear();
        for at in boundaries {
            self.push(at);
        }
    }
}

/// A choice of boundaries to keep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thinning {
    half: usize,
}

impl Thinning {
    fn keeps(self, index: usize) -> bool {
        index >= self.half || index.is_multiple_of(2)
    }

    /// Drops from a column what is not kept.
    pub(super) fn thin<T>(self, column: &mut Vec<T>) {
        let mut index = 0;
        column.retain(|_| {
            index += 1;
            self.keeps(index - 1)
        });
    }

    /// The new number of a boundary, or of the last kept one before it.
    pub(super) fn moved(self, index: usize) -> usize {
        index - (index.min(self.half)).div_ceil(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(n: i64) -> Timestamp {
        Timestamp::from_seconds(n * 86_400)
    }

    fn calendar(days: impl IntoIterator<Item = i64>) -> Calendar {
        let mut calendar = Calendar::default();
        for at in days {
            calendar.push(day(at));
        }
        calendar
    }

    #[test]
    fn busy_days_are_counted_from_any_moment() {
        let calendar = calendar([0, 10, 20]);
        let busy = vec![0.0, 10.0, 50.0];
        for (from, until, expected) in [
            (0, 2, 50.0),
            (10, 2, 40.0),
            (15, 2, 20.0),
            (20, 2, 0.0),
            (25, 2, 0.0),
            (-5, 1, 15.0),
            (5, 0, 0.0),
        ] {
            let found = calendar.busy_days(&busy, day(from), until);
            assert!((found - expected).abs() < 1e-6, "{from} {until}: {found}");
        }
    }

    #[test]
    fn the_last_boundary_can_be_put_off_but_not_put_back() {
        let mut calendar = calendar([0, 10]);
        calendar.put_off_last(day(16));
        calendar.put_off_last(day(12));
        assert_eq!((calendar.len(), calendar.last()), (2, Some(day(16))));
        let found = calendar.busy_days(&[0.0, 32.0], day(4), 1);
        assert!((found - 24.0).abs() < 1e-6, "{found}");
    }

    #[test]
    fn thinning_keeps_the_sums_and_renumbers() {
        let mut calendar = calendar(0..MOST as i64 + 6);
        let mut busy: BusyDays = (0..MOST as u8 + 6).map(|n| f32::from(n) * 2.0).collect();
        let before = calendar.busy_days(&busy, day(20), MOST + 5);
        let thinning = calendar.thinning().expect("too many");
        let (kept, moved) = (calendar.at(40), thinning.moved(40));
        calendar.thin(thinning);
        thinning.thin(&mut busy);
        assert_eq!(calendar.len(), busy.len());
        assert!(calendar.len() <= MOST && calendar.at(moved) == kept);
        assert_eq!(calendar.at(thinning.moved(21)), day(20));
        assert_eq!(
            calendar.busy_days(&busy, day(20), calendar.len() - 1),
            before
        );
    }
}
