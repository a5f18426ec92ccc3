//! Lengths in whole visit intervals, for the methods of constant visits.

use crate::{DistributionError, Method};
use crate::{Grid, Samples, Warning};

/// The typical visit interval as a unit of length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lattice {
    /// Δ in microseconds.
    interval: i64,
    /// Δ in the unit of the samples.
    pub(super) length: f64,
    constant: bool,
}

impl Lattice {
    pub(super) fn of(samples: &Samples) -> Self {
        let interval = samples.median_interval();
        Self {
            interval,
            length: samples.in_unit(interval),
            constant: samples.constant_interval().is_some(),
        }
    }

    /// A length in intervals, to the nearest, at least one.
    pub(super) fn steps(&self, micros: i64) -> u64 {
        let steps = (micros as f64 / self.interval as f64).round();
        (steps as u64).max(1)
    }

    /// The steps that lie at or below each point of the grid. A bin within
    /// 1 % of whole intervals counts as those.
    pub(super) fn steps_at(&self, grid: &Grid) -> impl Iterator<Item = u64> + use<> {
        let exact = grid.bin() / self.length;
        let whole = exact.round();
        let per_bin = if whole >= 1.0 && (exact / whole - 1.0).abs() <= 0.01 {
            whole
        } else {
            exact
        };
        (1..=grid.points()).map(move |n| (n as f64 * per_bin + 1e-9) as u64)
    }

    /// Lengths of complete runs, from one detected change to the next.
    pub(super) fn complete_runs(
        &self,
        samples: &Samples,
        method: Method,
    ) -> Result<Vec<u64>, DistributionError> {
        let runs = &samples.runs()[1..];
        if runs.len() < 2 {
            return Err(DistributionError::TooFewChanges {
                method,
                changes: runs.len(),
            });
        }
        let start = |run: &crate::Run| samples.times()[run.visits.start];
        let lengths = runs
            .windows(2)
            .map(|pair| self.steps(start(&pair[1]) - start(&pair[0])));
        Ok(lengths.collect())
    }

    /// Says so where visits are not constant.
    pub(super) fn warning(&self, method: Method) -> Option<Warning> {
        (!self.constant).then_some(Warning::IrregularVisits {
            method,
            visit_interval: self.length,
        })
    }

    /// The steps for the slope at zero: whole intervals, halving down to one.
    /// The largest is the first power of two past 90 % of the curve.
    pub(super) fn slope_steps(&self, curve: &[f64]) -> (f64, f64) {
        let past = curve.partition_point(|&cdf| cdf < 0.9).max(1);
        (past.next_power_of_two() as f64 * self.length, self.length)
    }
}

/// The value of a curve known at whole steps, straight lines between.
pub(super) fn interpolate(curve: &[f64], steps: f64) -> f64 {
    let at = |step: usize| match step {
        0 => 0.0,
        step => curve.get(step - 1).or(curve.last()).copied().unwrap_or(0.0),
    };
    let below = steps.floor();
    let (low, high) = (at(below as usize), at(below as usize + 1));
    low + (high - low) * (steps - below)
}
