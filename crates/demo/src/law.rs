//! How pages of the demo change: [`Law`].

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// When a page changes, days being the unit of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// Never.
    Still,
    /// Independently of the past, `rate` times a day.
    Steady {
        /// Changes a day.
        rate: f64,
    },
    /// Every so many days, from some moment on.
    Regular {
        /// Days between changes.
        every: f64,
        /// Days before the first.
        from: f64,
    },
    /// Independently of the past, but only within working hours, where the
    /// rate is so much higher that it comes to `rate` a day.
    Daytime {
        /// Changes a day.
        rate: f64,
    },
}

/// Working hours as parts of a day.
const OPENING: f64 = 8.0 / 24.0;
const CLOSING: f64 = 18.0 / 24.0;

impl Law {
    /// How often the page changes in the long run, a day.
    #[must_use]
    pub fn rate(self) -> f64 {
        match self {
            Self::Still => 0.0,
            Self::Steady { rate } | Self::Daytime { rate } => rate,
            Self::Regular { every, .. } => 1.0 / every,
        }
    }

    /// The first change after `day`; infinite if there is none.
    pub(crate) fn next(self, day: f64, chance: &mut Pcg64Mcg) -> f64 {
        match self {
            Self::Still => f64::INFINITY,
            Self::Steady { rate } => day + exponential(rate, chance),
            Self::Regular { every, from } => {
                let mut beat = ((day - from) / every).floor().max(-1.0) + 1.0;
                // Rounding may put the beat that has just passed ahead again.
                while from + beat * every <= day {
                    beat += 1.0;
                }
                from + beat * every
            }
            Self::Daytime { rate } => {
                // Time that stands still at night.
                let open = CLOSING - OPENING;
                let worked = working_days(day) + exponential(rate / open, chance);
                wall_days(worked)
            }
        }
    }
}

/// Working time passed up to `day`, in days.
fn working_days(day: f64) -> f64 {
    let open = CLOSING - OPENING;
    day.floor() * open + (day.fract().clamp(OPENING, CLOSING) - OPENING)
}

/// When so much working time has passed.
fn wall_days(worked: f64) -> f64 {
    let open = CLOSING - OPENING;
    let days = (worked / open).floor();
    days + OPENING + (worked - days * open)
}

/// An exponential waiting time with this rate.
pub(crate) fn exponential(rate: f64, chance: &mut Pcg64Mcg) -> f64 {
    let uniform: f64 = chance.random();
    -(-uniform).ln_1p() / rate
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn changes(law: Law, days: f64) -> Vec<f64> {
        let mut chance = Pcg64Mcg::seed_from_u64(7);
        let mut at = 0.0;
        let mut changes = Vec::new();
        loop {
            at = law.next(at, &mut chance);
            if at > days {
                return changes;
            }
            changes.push(at);
        }
    }

    #[test]
    fn each_law_changes_as_often_as_it_says() {
        for law in [
            Law::Steady { rate: 0.7 },
            Law::Daytime { rate: 0.7 },
            Law::Regular {
                every: 1.5,
                from: 0.2,
            },
        ] {
            let seen = changes(law, 20_000.0).len() as f64 / 20_000.0;
            assert!((seen / law.rate() - 1.0).abs() < 0.03, "{law:?}: {seen}");
        }
        assert!(changes(Law::Still, 1e9).is_empty());
    }

    #[test]
    fn nothing_is_published_at_night() {
        for change in changes(Law::Daytime { rate: 2.0 }, 1_000.0) {
            let hour = change.fract() * 24.0;
            assert!((7.99..=18.01).contains(&hour), "{hour}");
        }
    }

    #[test]
    fn time_always_moves_on() {
        let mut chance = Pcg64Mcg::seed_from_u64(3);
        for _ in 0..200 {
            let from = chance.random::<f64>() * 10.0;
            let mut at = 0.0;
            for _ in 0..200 {
                let next = Law::Regular { every: 10.0, from }.next(at, &mut chance);
                assert!(next > at && next < at + 10.1, "{at} {next}");
                at = next;
            }
        }
    }

    #[test]
    fn regular_changes_come_on_the_beat() {
        let beat = Law::Regular {
            every: 7.0,
            from: 2.0,
        };
        assert_eq!(changes(beat, 20.0), [2.0, 9.0, 16.0]);
    }
}
