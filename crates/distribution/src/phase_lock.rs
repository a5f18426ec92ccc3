//! Constant visits that beat against updates that keep a clock.

use crate::{Samples, Warning};

/// Runs between changes needed before a pattern means anything.
const LEAST_RUNS: usize = 8;

/// Ages modulo the visit interval are told apart to this share of it.
const RESIDUE_BINS: f64 = 100.0;

/// Ages in this many of those bins or fewer are a lattice, not a spread.
const LATTICE_BINS: usize = 10;

/// Whether constant visits and updates keep step, so that ages at visits do
/// not mix and no method can tell the law (assumption 1 of the paper: updates
/// and visits must not both be lattice).
///
/// Two signs. Without dates: if updates come every c exactly, any m successive
/// runs between detected changes last m c to within one visit interval, so
/// their lengths differ by at most one visit, for every m; runs of random
/// updates drift apart. With dates: ages modulo the visit interval take few
/// values.
#[must_use]
pub fn phase_lock(samples: &Samples) -> Option<Warning> {
    let interval = samples.constant_interval()?;
    let visit_interval = samples.in_unit(interval);
    if let Some(mean_run) = clocked_runs(samples) {
        return Some(Warning::PhaseLock {
            visit_interval,
            update_period: Some(mean_run * visit_interval),
        });
    }
    lattice_ages(samples, interval).then_some(Warning::PhaseLock {
        visit_interval,
        update_period: None,
    })
}

/// The mean length of runs, in visits, if their lengths are those of a clock.
fn clocked_runs(samples: &Samples) -> Option<f64> {
    let starts: Vec<usize> = samples.runs()[1..]
        .iter()
        .map(|run| run.visits.start)
        .collect();
    let runs = starts.len().checked_sub(1)?;
    if runs < LEAST_RUNS {
        return None;
    }
    let mut together = 1;
    while 2 * together <= runs {
        let spans = starts
            .windows(together + 1)
            .map(|span| span[together] - span[0]);
        let (least, most) = spans.fold((usize::MAX, 0), |(least, most), span| {
            (least.min(span), most.max(span))
        });
        if most > least + 1 {
            return None;
        }
        together += 1.max(together / 2);
    }
    Some((starts[runs] - starts[0]) as f64 / runs as f64)
}

/// Whether the ages at first sight of each version, modulo the visit interval,
/// fall into few places.
fn lattice_ages(samples: &Samples, interval: i64) -> bool {
    let mut places: Vec<i64> = samples.runs()[1..]
        .iter()
        .filter_map(|run| Some(samples.times()[run.visits.start] - run.modified?))
        .map(|age| {
            let turn = age.rem_euclid(interval) as f64 / interval as f64;
            // Rounded, so that jitter around a whole interval stays together.
            (turn * RESIDUE_BINS).round() as i64 % RESIDUE_BINS as i64
        })
        .collect();
    let updates = places.len();
    places.sort_unstable();
    places.dedup();
    updates >= LEAST_RUNS && places.len() <= LATTICE_BINS.min(updates / 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;
    use recrawl_model::TimeUnit;

    /// Visits every 100 ticks that see the updates at the given times.
    fn visited(updates: &[i64], visits: i64) -> Samples {
        let times: Vec<i64> = (0..visits).map(|n| n * 100).collect();
        let seen = |at: i64| updates.partition_point(|&update| update <= at);
        let changed = times.iter().map(|&at| seen(at) > seen(at - 100)).collect();
        Samples::from_path(times, changed, TimeUnit::Second).expect("mixed")
    }

    #[test]
    fn updates_by_the_clock_are_named_with_their_period() {
        for period in [700, 250, 1_130, 133] {
            let updates: Vec<i64> = (0..60).map(|n| 37 + n * period).collect();
            let samples = visited(&updates, 60 * period / 100);
            let Some(Warning::PhaseLock {
                update_period: Some(found),
                ..
            }) = phase_lock(&samples)
            else {
                panic!("period {period} was not seen");
            };
            let truth = period as f64 / 1e6;
            assert!((found / truth - 1.0).abs() < 0.03, "{found} {truth}");
        }
    }

    #[test]
    fn random_updates_do_not_alarm() {
        for seed in 0..200 {
            let mut random = Pcg64Mcg::seed_from_u64(seed);
            let mut at = 0;
            // Between half and one and a half of 350 ticks: fairly regular.
            let updates: Vec<i64> = (0..60)
                .map(|_| {
                    at += random.random_range(175..525);
                    at
                })
                .collect();
            assert_eq!(phase_lock(&visited(&updates, 200)), None, "seed {seed}");
        }
    }

    #[test]
    fn ages_that_take_two_values_are_a_lattice() {
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let mut at = 0;
        let updates: Vec<i64> = (0..80)
            .map(|_| {
                at += 50 * random.random_range(2..12);
                at
            })
            .collect();
        let samples = visited(&updates, 250);
        let dates: Vec<Option<i64>> = samples
            .runs()
            .iter()
            .map(|run| {
                let seen = samples.times()[run.visits.start];
                updates[..updates.partition_point(|&update| update <= seen)]
                    .last()
                    .copied()
            })
            .collect();
        assert_eq!(phase_lock(&samples), None);
        let dated = samples.with_run_dates(&dates);
        assert!(matches!(
            phase_lock(&dated),
            Some(Warning::PhaseLock {
                update_period: None,
                ..
            })
        ));
    }
}
