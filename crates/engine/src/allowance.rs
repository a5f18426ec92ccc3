//! How much a live driver may spend, and when: [`Allowance`].

use std::time::Duration;

use recrawl_model::{Cost, SpanError, parse_span};
use thiserror::Error;

/// Cycles a period of a continuous budget is cut into: an hour for `2000/d`.
/// Short enough that what is learned counts the same day, long enough that
/// ranking all pages is a small part of the work.
pub const CYCLES_A_PERIOD: u64 = 24;

/// How much may be spent: so many visits a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    visits: u64,
    period: Duration,
    manner: Manner,
}

/// When the visits of a cycle are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// As soon as politeness allows: `--cycle 7d --budget 10000`.
    AtOnce,
    /// Spread evenly: `--budget 2000/d`.
    Spread,
}

/// A budget nobody can keep to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AllowanceError {
    /// Not of the form `N/PERIOD`.
    #[error("budget `{0}` is not a number of visits a period, such as 2000/d or 50/6h")]
    Malformed(String),
    /// Nothing may be spent.
    #[error("a budget of no visits watches nothing")]
    Nothing,
    /// The period.
    #[error(transparent)]
    Span(#[from] SpanError),
    /// A cycle of no length would never end.
    #[error("a cycle must be longer than a second")]
    TooShort,
}

/// Shortest period: below it clocks and servers set the pace.
const LEAST_PERIOD: Duration = Duration::from_secs(1);

impl Allowance {
    /// `visits` in each period of `period`, spread evenly.
    ///
    /// # Errors
    /// [`AllowanceError`] for none, or a period below a second.
    pub fn spread(visits: u64, period: Duration) -> Result<Self, AllowanceError> {
        Self::new(visits, period, Manner::Spread)
    }

    /// `visits` in each cycle of `cycle`, as soon as politeness allows.
    ///
    /// # Errors
    /// [`AllowanceError`] for none, or a cycle below a second.
    pub fn at_once(visits: u64, cycle: Duration) -> Result<Self, AllowanceError> {
        Self::new(visits, cycle, Manner::AtOnce)
    }

    fn new(visits: u64, period: Duration, manner: Manner) -> Result<Self, AllowanceError> {
        if visits == 0 {
            return Err(AllowanceError::Nothing);
        }
        if period < LEAST_PERIOD {
            return Err(AllowanceError::TooShort);
        }
        Ok(Self {
            visits,
            period,
            manner,
        })
    }

    /// Reads `2000/d` or `50/6h`.
    ///
    /// ```
    /// use recrawl_engine::Allowance;
    ///
    /// let allowance = Allowance::parse("2000/d")?;
    /// let of_a_day: u64 = (0..24).map(|cycle| allowance.visits_of(cycle)).sum();
    /// assert_eq!(of_a_day, 2_000);
    /// # Ok::<(), recrawl_engine::AllowanceError>(())
    /// ```
    ///
    /// # Errors
    /// [`AllowanceError`] names the text.
    pub fn parse(text: &str) -> Result<Self, AllowanceError> {
        let malformed = || AllowanceError::Malformed(text.to_owned());
        let (count, period) = text.split_once('/').ok_or_else(malformed)?;
        let count = count.trim().parse().map_err(|_| malformed())?;
        let period = period.trim();
        let period = if period.starts_with(|first: char| first.is_ascii_digit()) {
            parse_span(period)?
        } else {
            parse_span(&format!("1{period}")).map_err(|_| malformed())?
        };
        Self::spread(count, period)
    }

    /// When the visits of a cycle are made.
    #[must_use]
    pub const fn manner(&self) -> Manner {
        self.manner
    }

    /// Visits a period.
    #[must_use]
    pub const fn visits(&self) -> u64 {
        self.visits
    }

    /// The period.
    #[must_use]
    pub const fn period(&self) -> Duration {
        self.period
    }

    /// How long a cycle is.
    #[must_use]
    pub fn cycle_length(&self) -> Duration {
        self.period / u32::try_from(self.cycles_a_period()).unwrap_or(u32::MAX)
    }

    /// Visits of cycle `number`. Those of the cycles of one period add up to
    /// exactly the period's.
    #[must_use]
    pub fn visits_of(&self, number: u64) -> u64 {
        self.part_of(self.visits, number)
    }

    /// The part of `count` a period that falls to cycle `number`: the parts of
    /// one period's cycles add up to exactly `count`.
    #[must_use]
    pub fn part_of(&self, count: u64, number: u64) -> u64 {
        let cycles = self.cycles_a_period();
        let place = number % cycles;
        let up_to =
            |place: u64| (u128::from(count) * u128::from(place) / u128::from(cycles)) as u64;
        up_to(place + 1) - up_to(place)
    }

    /// What may have been spent of a cycle with `total` once `elapsed` of it is
    /// over: all at once, or one visit more whenever its part of the time is.
    #[must_use]
    pub fn spendable(&self, total: Cost, elapsed: Duration) -> Cost {
        match self.manner {
            Manner::AtOnce => total,
            Manner::Spread => {
                let share = elapsed.as_secs_f64() / self.cycle_length().as_secs_f64();
                let whole = (total.in_downloads() * share.min(1.0)).floor() as u64;
                Cost::downloads(whole + 1).min(total)
            }
        }
    }

    /// No more than leave a cycle at least one visit and a second.
    fn cycles_a_period(&self) -> u64 {
        match self.manner {
            Manner::AtOnce => 1,
            Manner::Spread => CYCLES_A_PERIOD
                .min(self.visits)
                .min(self.period.as_secs())
                .max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cycles_of_a_period_spend_exactly_its_visits(
            visits in 1u64..1_000_000_000, seconds in 1u64..10_000_000, first in 0u64..1_000,
        ) {
            let allowance = Allowance::spread(visits, Duration::from_secs(seconds)).expect("good");
            let cycles = allowance.cycles_a_period();
            let start = first * cycles;
            let sum: u64 = (start..start + cycles).map(|number| allowance.visits_of(number)).sum();
            prop_assert_eq!(sum, visits);
            prop_assert!(allowance.cycle_length() >= Duration::from_secs(1));
        }

        #[test]
        fn what_may_be_spent_grows_with_time_and_never_beyond_the_total(
            visits in 1u64..100_000, early in 0f64..2.0, more in 0f64..1.0,
        ) {
            let allowance = Allowance::spread(visits, Duration::from_secs(86_400)).expect("good");
            let total = Cost::downloads(allowance.visits_of(0));
            let length = allowance.cycle_length();
            let one = allowance.spendable(total, length.mul_f64(early));
            let other = allowance.spendable(total, length.mul_f64(early + more));
            prop_assert!(one <= other && other <= total);
        }
    }

    #[test]
    fn budgets_are_read_as_visits_a_period() {
        let hour = Duration::from_secs(3_600);
        let day = 24 * hour;
        for (text, visits, period) in [
            ("2000/d", 2_000, day),
            ("50/6h", 50, 6 * hour),
            ("1/w", 1, 7 * day),
        ] {
            let allowance = Allowance::parse(text).expect("good");
            assert_eq!((allowance.visits(), allowance.period()), (visits, period));
        }
        for text in [
            "2000",
            "x/d",
            "5/",
            "5/fortnight",
            "-3/d",
            "0/d",
            "5/0s",
            "5/10",
        ] {
            assert!(Allowance::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_cycle_budget_may_be_spent_at_once() {
        let week = Duration::from_secs(7 * 86_400);
        let allowance = Allowance::at_once(10_000, week).expect("good");
        let total = Cost::downloads(allowance.visits_of(3));
        assert_eq!(allowance.cycle_length(), week);
        assert_eq!(
            allowance.spendable(total, Duration::ZERO),
            Cost::downloads(10_000)
        );
    }

    #[test]
    fn fewer_visits_than_cycles_make_longer_cycles() {
        let allowance = Allowance::parse("3/d").expect("good");
        assert_eq!(allowance.cycle_length(), Duration::from_secs(8 * 3_600));
        assert_eq!(allowance.visits_of(0), 1);
    }
}
