//! Visits nobody wrote down: [`Schedule`].

use std::collections::BTreeMap;
use std::time::Duration;

use recrawl_model::{Outcome, Timestamp, format_span};

use crate::ImportError;

/// The most visits a schedule may add in one import: some gigabytes of memory.
pub const MOST_VISITS: usize = 100_000_000;

/// Puts unchanged visits between the changes of pages that were visited
/// regularly by a watcher which wrote down changes only.
pub(crate) struct Schedule {
    every: Duration,
    added: usize,
}

impl Schedule {
    pub(crate) fn new(every: Duration) -> Self {
        Self { every, added: 0 }
    }

    /// Unchanged visits added.
    pub(crate) const fn added(&self) -> usize {
        self.added
    }

    /// Adds a visit every so often after each observation, as long as it comes
    /// clearly before the next (half a period: a schedule drifts a little), and
    /// after the last one up to `until`.
    pub(crate) fn fill(
        &mut self,
        seen: &mut BTreeMap<Timestamp, Outcome>,
        until: Option<Timestamp>,
    ) -> Result<(), ImportError> {
        let times: Vec<Timestamp> = seen.keys().copied().collect();
        let slack = self.every / 2;
        for (place, &from) in times.iter().enumerate() {
            let next = times.get(place + 1).copied();
            let mut at = from.after(self.every);
            while match next {
                Some(next) => at.after(slack) <= next,
                None => until.is_some_and(|until| at <= until),
            } {
                seen.insert(at, Outcome::Unchanged);
                self.added += 1;
                if self.added > MOST_VISITS {
                    return Err(self.too_many());
                }
                at = at.after(self.every);
            }
        }
        Ok(())
    }

    fn too_many(&self) -> ImportError {
        ImportError::TooManyVisits {
            schedule: format_span(self.every),
            most: MOST_VISITS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_seconds(hour * 3_600)
    }

    #[test]
    fn visits_come_between_changes_and_after_the_last() {
        let mut seen = BTreeMap::from([
            (at(0), Outcome::First),
            (at(37), Outcome::Changed), // the fourth visit, an hour late
            (at(48), Outcome::Changed),
        ]);
        let mut schedule = Schedule::new(Duration::from_secs(12 * 3_600));
        schedule.fill(&mut seen, Some(at(73))).expect("few visits");
        let hours: Vec<(i64, Outcome)> = seen
            .iter()
            .map(|(at, &outcome)| (at.micros() / 3_600_000_000, outcome))
            .collect();
        let expected = [
            (0, Outcome::First),
            (12, Outcome::Unchanged),
            (24, Outcome::Unchanged),
            (37, Outcome::Changed),
            (48, Outcome::Changed),
            (60, Outcome::Unchanged),
            (72, Outcome::Unchanged),
        ];
        assert_eq!(hours, expected);
        assert_eq!(schedule.added(), 4);
    }

    #[test]
    fn a_schedule_too_short_for_the_span_is_refused() {
        let mut seen = BTreeMap::from([(at(0), Outcome::First), (at(1_000), Outcome::Changed)]);
        let mut schedule = Schedule::new(Duration::from_millis(10));
        schedule.added = MOST_VISITS - 5;
        let refused = schedule.fill(&mut seen, None).expect_err("too many");
        assert!(
            refused.to_string().contains("take a longer one"),
            "{refused}"
        );
    }
}
