//! Where a curve is told: [`Grid`], the points bin, 2 bin, … max.

use recrawl_model::TimeUnit;

use crate::DistributionError;
use crate::samples::{Samples, micros_per};

/// Points of one curve; a curve of more is no use and costs memory.
pub const MOST_POINTS: usize = 1_000_000;

/// Points a default grid aims at.
const DEFAULT_POINTS: f64 = 40.0;

/// The points x = bin, 2 bin, … up to max.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    bin: f64,
    bin_micros: i64,
    points: usize,
}

impl Grid {
    /// Points every `bin` up to `max`, both in `unit`.
    ///
    /// # Errors
    /// A bin that is no length, a max below it, or more than
    /// [`MOST_POINTS`] points.
    pub fn new(bin: f64, max: f64, unit: TimeUnit) -> Result<Self, DistributionError> {
        let bin_micros = (bin * micros_per(unit)).round();
        if !bin.is_finite() || bin_micros < 1.0 {
            return Err(DistributionError::BadBin { bin });
        }
        // The half-millionth forgives a max that is a multiple but for its
        // last digits.
        let points = (max / bin + 5e-7).floor();
        if points.is_nan() || points < 1.0 {
            return Err(DistributionError::MaxBelowBin { max, bin });
        }
        if points > MOST_POINTS as f64 || bin_micros * (points + 1.0) > i64::MAX as f64 {
            return Err(DistributionError::TooManyBins {
                max,
                bin,
                bins: points,
                limit: MOST_POINTS,
            });
        }
        Ok(Self {
            bin,
            bin_micros: bin_micros as i64,
            points: points as usize,
        })
    }

    /// A grid for samples nobody gave one for: up to the length that 99 % of
    /// the ages seen stay below, about forty points, one significant digit;
    /// for constant visits the bin is the visit interval.
    ///
    /// # Errors
    /// Where a given bin or max is refused by [`Self::new`].
    pub fn for_samples(
        samples: &Samples,
        bin: Option<f64>,
        max: Option<f64>,
    ) -> Result<Self, DistributionError> {
        let reach = max.unwrap_or_else(|| reach(samples));
        let bin = bin.unwrap_or_else(|| match samples.constant_interval() {
            Some(interval) => samples.in_unit(interval),
            None => round_down(reach / DEFAULT_POINTS),
        });
        let max = max.unwrap_or_else(|| (reach / bin).ceil().max(1.0) * bin);
        Self::new(bin, max, samples.unit())
    }

    /// Length between points, in the unit.
    #[must_use]
    pub const fn bin(&self) -> f64 {
        self.bin
    }

    /// Length between points, in whole microseconds.
    #[must_use]
    pub const fn bin_micros(&self) -> i64 {
        self.bin_micros
    }

    /// How many points there are.
    #[must_use]
    pub const fn points(&self) -> usize {
        self.points
    }

    /// The largest point.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.x(self.points)
    }

    /// The n-th point, counted from 1.
    #[must_use]
    pub fn x(&self, n: usize) -> f64 {
        n as f64 * self.bin
    }

    /// All points in rising order.
    #[must_use]
    pub fn xs(&self) -> impl ExactSizeIterator<Item = f64> + use<> {
        let bin = self.bin;
        (0..self.points).map(move |n| (n + 1) as f64 * bin)
    }
}

/// The length that 99 % of the known lower ends of ages stay below.
fn reach(samples: &Samples) -> f64 {
    let mut upper: Vec<i64> = Vec::with_capacity(samples.visits());
    for run in &samples.runs()[1..] {
        let before = samples.times()[run.visits.start - 1];
        upper.extend(
            samples.times()[run.visits.clone()]
                .iter()
                .map(|at| at - before),
        );
    }
    let place = (upper.len() - 1) * 99 / 100;
    samples.in_unit(*upper.select_nth_unstable(place).1)
}

/// The largest of 1, 2 or 5 times a power of ten that is no larger.
fn round_down(length: f64) -> f64 {
    let power = 10f64.powf(length.log10().floor());
    [5.0, 2.0, 1.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|&rounded| rounded <= length * (1.0 + 1e-12))
        .unwrap_or(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_max_that_is_a_multiple_but_for_rounding_keeps_its_last_point() {
        let grid = Grid::new(0.1, 0.3, TimeUnit::Day).expect("a grid");
        assert_eq!(grid.points(), 3);
        assert_eq!(grid.bin_micros(), 8_640_000_000);
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        let refused = |bin, max| Grid::new(bin, max, TimeUnit::Day).expect_err("refused");
        assert_eq!(refused(0.0, 1.0), DistributionError::BadBin { bin: 0.0 });
        assert!(matches!(
            refused(f64::NAN, 1.0),
            DistributionError::BadBin { .. }
        ));
        assert!(matches!(
            refused(-1.0, 1.0),
            DistributionError::BadBin { .. }
        ));
        assert!(matches!(
            refused(2.0, 1.0),
            DistributionError::MaxBelowBin { .. }
        ));
        assert!(matches!(
            refused(1.0, f64::NAN),
            DistributionError::MaxBelowBin { .. }
        ));
        assert!(matches!(
            refused(1e-9, 1.0),
            DistributionError::TooManyBins { .. }
        ));
    }

    #[test]
    fn default_bins_have_one_round_digit() {
        for (length, rounded) in [(0.34, 0.2), (7.0, 5.0), (1.0, 1.0), (0.019, 0.01)] {
            assert!((round_down(length) - rounded).abs() < 1e-12);
        }
    }
}
