//! Intervals by resampling runs: [`Bootstrap`].

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::Samples;

/// Runs below which resampling means nothing.
pub const LEAST_RUNS: usize = 5;

/// How to resample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// Paths to draw.
    pub replicates: usize,
    /// Chance that an interval covers the truth, between 0 and 1.
    pub confidence: f64,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self {
            replicates: 200,
            confidence: 0.95,
            seed: 0,
        }
    }
}

/// A stretch that covers the truth with the chance asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Bootstrap {
    /// Paths made of the runs of `samples`, drawn with replacement.
    ///
    /// Ages within a run depend on each other and those of different runs do
    /// not, so the run, with the interval in which its change happened, is the
    /// block (Carlstein 1986). Paths that see no change, or only changes, are
    /// left out.
    pub fn paths(self, samples: &Samples) -> impl Iterator<Item = Samples> + '_ {
        let mut random = Pcg64Mcg::seed_from_u64(self.seed);
        (0..self.replicates).filter_map(move |_| resample(samples, &mut random))
    }

    /// The middle `confidence` of `values`, `None` if there are none.
    #[must_use]
    pub fn band(self, mut values: Vec<f64>) -> Option<Band> {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)? as f64;
        let tail = (1.0 - self.confidence) / 2.0;
        let at = |share: f64| {
            let place = share * last;
            let low = values[place.floor() as usize];
            low + (values[place.ceil() as usize] - low) * place.fract()
        };
        Some(Band {
            low: at(tail),
            high: at(1.0 - tail),
        })
    }
}

/// One path: the visits before the first change as they were, then as many
/// runs as there are, each drawn at random.
fn resample(samples: &Samples, random: &mut Pcg64Mcg) -> Option<Samples> {
    let runs = samples.runs();
    let times = samples.times();
    let mut path: Vec<i64> = times[runs[0].visits.clone()].to_vec();
    let mut changed = vec![false; path.len()];
    let mut dates = vec![runs[0].modified];
    for _ in 1..runs.len() {
        let run = &runs[random.random_range(1..runs.len())];
        let shift = path[path.len() - 1] - times[run.visits.start - 1];
        path.extend(times[run.visits.clone()].iter().map(|at| at + shift));
        changed.push(true);
        changed.resize(path.len(), false);
        dates.push(run.modified.map(|date| date + shift));
    }
    let drawn = Samples::from_path(path, changed, samples.unit()).ok()?;
    Some(drawn.with_run_dates(&dates))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::TimeUnit;

    fn samples() -> Samples {
        let times = vec![0, 10, 13, 20, 28, 29, 40, 46];
        let changed = vec![false, false, true, false, true, true, false, false];
        Samples::from_path(times, changed, TimeUnit::Second)
            .expect("mixed")
            .with_run_dates(&[None, None, Some(25), None])
    }

    #[test]
    fn a_path_is_made_of_the_runs_and_keeps_their_dates() {
        let samples = samples();
        for path in Bootstrap::default().paths(&samples) {
            assert_eq!(path.runs().len(), samples.runs().len());
            assert_eq!(path.runs()[0], samples.runs()[0]);
            for run in &path.runs()[1..] {
                let before = path.times()[run.visits.start - 1];
                let shape: Vec<i64> = path.times()[run.visits.clone()]
                    .iter()
                    .map(|at| at - before)
                    .collect();
                match shape.as_slice() {
                    [3, 10] | [1, 12, 18] => assert_eq!(run.modified, None),
                    [8] => assert_eq!(run.modified, Some(before + 5)),
                    other => panic!("no run of the samples looks like {other:?}"),
                }
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_paths() {
        let paths = |seed| -> Vec<Samples> {
            let bootstrap = Bootstrap {
                seed,
                replicates: 5,
                ..Bootstrap::default()
            };
            bootstrap.paths(&samples()).collect()
        };
        assert_eq!(paths(1), paths(1));
        assert_ne!(paths(1), paths(2));
    }

    #[test]
    fn a_band_is_the_middle_of_the_values() {
        let values: Vec<f64> = (0..=100).map(f64::from).collect();
        let bootstrap = Bootstrap {
            confidence: 0.9,
            ..Bootstrap::default()
        };
        let band = bootstrap.band(values).expect("values");
        assert!((band.low - 5.0).abs() < 1e-9 && (band.high - 95.0).abs() < 1e-9);
        assert_eq!(bootstrap.band(vec![f64::NAN]), None);
    }
}
