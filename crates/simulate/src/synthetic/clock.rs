//! Time that runs faster and slower: [`Clock`].

use std::f64::consts::TAU;
use std::time::Duration;

use recrawl_model::days;

use super::spec::{Rhythm, Trend};

/// Steps of the bisection that inverts a rhythm: halves an interval of less
/// than a cycle below the resolution of f64.
const BISECTIONS: u32 = 60;

/// Turns real time into operational time, in which rates are steady, and back.
/// Both are in cycles. A page of rate r then changes at intensity
/// r x (slope of operational time).
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    trend: Option<Trend>,
    rhythm: Option<Rhythm>,
    /// A day in cycles.
    day: f64,
}

impl Clock {
    pub(super) fn new(trend: Option<Trend>, rhythm: Option<Rhythm>, cycle: Duration) -> Self {
        Self {
            trend,
            rhythm,
            day: 1.0 / days(cycle),
        }
    }

    /// Whether intensities move at all.
    pub(super) fn moves(&self) -> bool {
        self.trend.is_some() || self.rhythm.is_some()
    }

    /// Operational time at `real`.
    pub(super) fn operational(&self, real: f64) -> f64 {
        let swung = real + self.swing(real);
        match self.trend {
            Some(Trend { exponent, horizon }) => horizon * (swung / horizon).powf(exponent),
            None => swung,
        }
    }

    /// Real time at `operational`.
    pub(super) fn real(&self, operational: f64) -> f64 {
        let swung = match self.trend {
            Some(Trend { exponent, horizon }) => {
                horizon * (operational / horizon).powf(1.0 / exponent)
            }
            None => operational,
        };
        let reach = self.reach();
        if reach == 0.0 {
            return swung;
        }
        let (mut low, mut high) = (swung - reach, swung + reach);
        for _ in 0..BISECTIONS {
            let middle = low.midpoint(high);
            if middle + self.swing(middle) < swung {
                low = middle;
            } else {
                high = middle;
            }
        }
        low.midpoint(high)
    }

    /// How far the rhythm shifts a moment: the integral of its cosines.
    fn swing(&self, real: f64) -> f64 {
        self.rhythm.map_or(0.0, |rhythm| {
            let wave = |swing: f64, period: f64| swing * period / TAU * (TAU * real / period).sin();
            wave(rhythm.daily, self.day) + wave(rhythm.weekly, 7.0 * self.day)
        })
    }

    fn reach(&self) -> f64 {
        self.rhythm.map_or(0.0, |rhythm| {
            (rhythm.daily + 7.0 * rhythm.weekly) * self.day / TAU
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WEEK: Duration = Duration::from_secs(7 * 86_400);

    proptest! {
        #[test]
        fn real_time_is_found_again(
            at in 0.01..90.0f64, exponent in 0.3..3.0f64, daily in 0.0..0.5f64, weekly in 0.0..0.49f64,
        ) {
            let trend = Trend { exponent, horizon: 100.0 };
            let clock = Clock::new(Some(trend), Some(Rhythm { daily, weekly }), WEEK);
            prop_assert!((clock.real(clock.operational(at)) - at).abs() < 1e-6);
        }
    }

    #[test]
    fn a_rising_trend_keeps_the_total_up_to_its_horizon() {
        let trend = Trend {
            exponent: 2.0,
            horizon: 50.0,
        };
        let clock = Clock::new(Some(trend), None, WEEK);
        assert_eq!(clock.operational(50.0), 50.0);
        assert_eq!(clock.operational(25.0), 12.5);
    }
}
