//! Time for a live driver: [`LiveClock`] for observations, [`CycleClock`] for
//! budgets.
//!
//! A machine has two clocks: the wall clock, which says what day it is and may
//! be set back or forth, and a steady one, which only runs on. Observations
//! need the first, budgets trust the second.

use std::time::Duration;

use recrawl_model::Timestamp;

/// The time written beside observations: the wall clock's, but never going
/// back. After the wall clock was set back it runs at half speed until that has
/// caught up, so that intervals stay right to a factor of two and the clocks
/// agree again.
#[derive(Debug, Clone, Copy)]
pub struct LiveClock {
    now: Timestamp,
    steady: Duration,
}

impl LiveClock {
    /// Starts at the wall clock, or at the last time of a log that is ahead of
    /// it. `steady` is what the steady clock says now.
    #[must_use]
    pub fn start(wall: Timestamp, last: Option<Timestamp>, steady: Duration) -> Self {
        let now = last.map_or(wall, |last| last.max(wall));
        Self { now, steady }
    }

    /// The time, given what both clocks say. Later than any time given before
    /// whenever the steady clock has run on by two microseconds.
    pub fn at(&mut self, wall: Timestamp, steady: Duration) -> Timestamp {
        let passed = steady.saturating_sub(self.steady);
        self.steady = self.steady.max(steady);
        let least = self.now.after(passed / 2);
        self.now = least.max(wall);
        self.now
    }

    /// The time last given.
    #[must_use]
    pub const fn now(&self) -> Timestamp {
        self.now
    }
}

/// How much of a cycle is over, by the steady clock alone: a wall clock that
/// jumps neither ends a cycle nor begins one, so no budget is spent twice.
#[derive(Debug, Clone, Copy)]
pub struct CycleClock {
    length: Duration,
    elapsed: Duration,
    steady: Duration,
}

impl CycleClock {
    /// A cycle that begins now.
    #[must_use]
    pub const fn begin(length: Duration, steady: Duration) -> Self {
        Self {
            length,
            elapsed: Duration::ZERO,
            steady,
        }
    }

    /// A cycle that began at `began` and is taken up again at `now`, after a
    /// restart, when only the wall clock can tell how long the process was
    /// away. A clock set back in between makes the cycle longer, never shorter.
    #[must_use]
    pub fn resume(length: Duration, began: Timestamp, now: Timestamp, steady: Duration) -> Self {
        let elapsed = if now > began {
            now.since(began)
        } else {
            Duration::ZERO
        };
        Self {
            length,
            elapsed: elapsed.min(length),
            steady,
        }
    }

    /// Moves on to what the steady clock says.
    pub fn tick(&mut self, steady: Duration) {
        self.elapsed += steady.saturating_sub(self.steady);
        self.steady = self.steady.max(steady);
    }

    /// How much of the cycle is over.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// How much is to come.
    #[must_use]
    pub const fn left(&self) -> Duration {
        self.length.saturating_sub(self.elapsed)
    }

    /// Whether the cycle is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.elapsed >= self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    fn wall(hours: i64) -> Timestamp {
        Timestamp::from_seconds(hours * 3_600)
    }

    #[test]
    fn observations_follow_the_wall_clock_forward() {
        let mut clock = LiveClock::start(wall(10), None, HOUR);
        assert_eq!(clock.at(wall(11), 2 * HOUR), wall(11));
        assert_eq!(clock.at(wall(99), 3 * HOUR), wall(99));
    }

    #[test]
    fn a_clock_set_back_is_waited_for_at_half_speed() {
        let mut clock = LiveClock::start(wall(10), None, Duration::ZERO);
        assert_eq!(clock.at(wall(8), 2 * HOUR), wall(11)); // 4 hours behind the truth
        assert_eq!(clock.at(wall(12), 6 * HOUR), wall(13));
        assert_eq!(clock.at(wall(14), 8 * HOUR), wall(14));
        assert_eq!(clock.at(wall(15), 9 * HOUR), wall(15));
    }

    #[test]
    fn a_log_ahead_of_the_clock_is_not_gone_back_behind() {
        let mut clock = LiveClock::start(wall(10), Some(wall(12)), Duration::ZERO);
        assert_eq!(clock.now(), wall(12));
        assert!(clock.at(wall(10), HOUR) > wall(12));
    }

    #[test]
    fn a_cycle_ends_by_the_steady_clock() {
        let mut cycle = CycleClock::begin(24 * HOUR, 5 * HOUR);
        cycle.tick(28 * HOUR);
        assert_eq!(cycle.left(), HOUR);
        assert!(!cycle.is_over());
        cycle.tick(27 * HOUR); // going back is no time at all
        assert_eq!(cycle.left(), HOUR);
        cycle.tick(29 * HOUR);
        assert!(cycle.is_over());
    }

    #[test]
    fn a_restart_with_the_clock_set_back_does_not_shorten_the_cycle() {
        let resumed = CycleClock::resume(24 * HOUR, wall(10), wall(4), HOUR);
        assert_eq!(resumed.left(), 24 * HOUR);
        let resumed = CycleClock::resume(24 * HOUR, wall(10), wall(30), HOUR);
        assert_eq!(resumed.left(), 4 * HOUR);
        assert!(CycleClock::resume(24 * HOUR, wall(10), wall(999), HOUR).is_over());
    }
}
