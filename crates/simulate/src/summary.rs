//! Runs of one policy taken together: [`Summary`].

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::scores::mean;
use crate::{CycleScores, Score};

/// Chance that an interval over runs holds the mean over all worlds.
pub const CONFIDENCE: f64 = 0.95;

/// A mean over runs with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean over runs of the means over cycles.
    pub value: f64,
    /// Ends of the 95 % interval by Student's t; `None` for a single run.
    pub interval: Option<(f64, f64)>,
}

/// What the runs of one policy came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// The cycles of each run that were finished.
    pub runs: Vec<Vec<CycleScores>>,
}

impl Summary {
    /// Cycles that at least one run finished.
    #[must_use]
    pub fn cycles(&self) -> usize {
        self.runs.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// A score of cycle `index` (from 0), averaged over the runs that have one.
    #[must_use]
    pub fn cycle(&self, index: usize, score: Score) -> Option<f64> {
        mean(self.runs.iter().filter_map(|run| score.of(run.get(index)?)))
    }

    /// A count of cycle `index` (from 0), averaged over the runs that have it.
    #[must_use]
    pub fn count(&self, index: usize, count: fn(&CycleScores) -> u64) -> Option<f64> {
        let cycles = self.runs.iter().filter_map(|run| run.get(index));
        mean(cycles.map(|cycle| count(cycle) as f64))
    }

    /// A score averaged over cycles, then over runs, with its interval.
    #[must_use]
    pub fn mean(&self, score: Score) -> Option<Mean> {
        let values: Vec<f64> = self
            .runs
            .iter()
            .filter_map(|run| score.of_run(run))
            .collect();
        let value = mean(values.iter().copied())?;
        Some(Mean {
            value,
            interval: student_interval(&values, value),
        })
    }

    /// Standard deviation of a score between the cycles of a run, averaged
    /// over runs; `None` below two cycles.
    #[must_use]
    pub fn deviation_between_cycles(&self, score: Score) -> Option<f64> {
        mean(self.runs.iter().filter_map(|run| {
            let values: Vec<f64> = run.iter().filter_map(|cycle| score.of(cycle)).collect();
            sample_deviation(&values)
        }))
    }
}

/// Square root of the sum of squared deviations / (n - 1).
fn sample_deviation(values: &[f64]) -> Option<f64> {
    let centre = mean(values.iter().copied())?;
    let squares: f64 = values.iter().map(|value| (value - centre).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// `mean ± t s / sqrt(n)`, t the quantile of Student's law with n - 1 degrees
/// of freedom, s the sample deviation. Holds for runs that are independent.
fn student_interval(values: &[f64], centre: f64) -> Option<(f64, f64)> {
    let deviation = sample_deviation(values)?;
    let law = StudentsT::new(0.0, 1.0, (values.len() - 1) as f64).ok()?;
    let reach =
        law.inverse_cdf(f64::midpoint(1.0, CONFIDENCE)) * deviation / (values.len() as f64).sqrt();
    Some((centre - reach, centre + reach))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(ratios: &[u64]) -> Vec<CycleScores> {
        let cycle = |&changed: &u64| CycleScores {
            downloads: 10,
            changed,
            ..CycleScores::default()
        };
        ratios.iter().map(cycle).collect()
    }

    #[test]
    fn intervals_follow_the_t_table() {
        // Run means .2, .4, .6: s = .2, t(2, 97.5 %) = 4.3027.
        let summary = Summary {
            runs: vec![run(&[1, 3]), run(&[4, 4]), run(&[6, 6])],
        };
        let mean = summary
            .mean(Score::ChangeRatio)
            .expect("downloads were made");
        let (low, high) = mean.interval.expect("three runs");
        let reach = 4.302_653 * 0.2 / 3f64.sqrt();
        assert!((mean.value - 0.4).abs() < 1e-12);
        assert!((low - (0.4 - reach)).abs() < 1e-6 && (high - (0.4 + reach)).abs() < 1e-6);
    }

    #[test]
    fn deviation_between_cycles_is_that_of_a_run_not_of_all_runs() {
        let summary = Summary {
            runs: vec![run(&[2, 4]), run(&[7, 7])],
        };
        let deviation = summary.deviation_between_cycles(Score::ChangeRatio);
        assert!((deviation.expect("two cycles") - 0.02f64.sqrt() / 2.0).abs() < 1e-12);
    }

    #[test]
    fn one_run_has_no_interval() {
        let summary = Summary {
            runs: vec![run(&[5])],
        };
        let mean = summary
            .mean(Score::ChangeRatio)
            .expect("downloads were made");
        assert_eq!(mean.interval, None);
    }

    #[test]
    fn a_cycle_without_downloads_has_no_ratio_and_does_not_count() {
        let mut cycles = run(&[5]);
        cycles.push(CycleScores::default());
        let summary = Summary { runs: vec![cycles] };
        assert_eq!(summary.cycle(1, Score::ChangeRatio), None);
        let mean = summary
            .mean(Score::ChangeRatio)
            .expect("downloads were made");
        assert_eq!(mean.value, 0.5);
    }
}
