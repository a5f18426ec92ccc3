//! Regular visits to a page that changes at a steady rate.

use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Exp1};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use recrawl_estimate::{Estimator, Evidence};
use recrawl_model::{HistoryBuf, HistoryError, Observation, Outcome, Timestamp};

use crate::ReproduceError;
use crate::support::numbers::Moments;

const DAY_MICROS: f64 = 86_400e6;

/// Pages drawn by one thread at a time; each batch has its own seed.
const BATCH: usize = 250;

/// A page that changes `per_day` times a day on average, looked at once a day,
/// `visits` times after the first, with dates.
pub(crate) fn daily_visits(
    per_day: f64,
    visits: usize,
    random: &mut Pcg64Mcg,
) -> Result<HistoryBuf, HistoryError> {
    let gap = |random: &mut Pcg64Mcg| -> f64 {
        let gap: f64 = Exp1.sample(random);
        gap / per_day
    };
    let at = |days: f64| Timestamp::from_micros((days * DAY_MICROS) as i64);
    let mut history = HistoryBuf::new();
    let mut last = -gap(random);
    let mut next = gap(random);
    history.push(Observation::new(at(0.0), Outcome::First).with_last_modified(at(last)))?;
    for visit in 1..=visits {
        let now = visit as f64;
        let before = last;
        while next <= now {
            last = next;
            next += gap(random);
        }
        let outcome = if last > before {
            Outcome::Changed
        } else {
            Outcome::Unchanged
        };
        history.push(Observation::new(at(now), outcome).with_last_modified(at(last)))?;
    }
    Ok(history)
}

/// What an estimator makes of `pages` pages that change r times a visit and are
/// visited n times each, relative to r.
pub(crate) fn simulated(
    estimator: &(dyn Estimator + Sync),
    changes_per_visit: f64,
    visits: usize,
    pages: usize,
    seed: u64,
) -> Result<Moments, ReproduceError> {
    let batches: Vec<Result<Vec<f64>, HistoryError>> = (0..pages.div_ceil(BATCH))
        .into_par_iter()
        .map(|batch| {
            let mut random =
                Pcg64Mcg::seed_from_u64(seed ^ (batch as u64).wrapping_mul(0x9e37_79b9));
            (0..BATCH.min(pages - batch * BATCH))
                .map(|_| {
                    let history = daily_visits(changes_per_visit, visits, &mut random)?;
                    let rate = estimator.estimate(history.view()).rate;
                    Ok(rate.map_or(f64::NAN, |rate| rate.daily() / changes_per_visit))
                })
                .collect()
        })
        .collect();
    let mut ratios = Vec::with_capacity(pages);
    for batch in batches {
        ratios.extend(batch?);
    }
    Ok(Moments::of(&ratios))
}

/// The estimates, in changes a visit, that an estimator gives for 0 to n of n
/// daily visits that saw a change.
pub(crate) fn for_each_count(
    estimator: &dyn Estimator,
    visits: u64,
) -> Result<Vec<f64>, ReproduceError> {
    (0..=visits)
        .map(|seen| {
            let mut history = HistoryBuf::new();
            for visit in 0..=visits {
                let outcome = match visit {
                    0 => Outcome::First,
                    visit if visit <= seen => Outcome::Changed,
                    _ => Outcome::Unchanged,
                };
                let at = Timestamp::from_seconds(visit as i64 * 86_400);
                history.push(Observation::new(at, outcome))?;
            }
            let rate = estimator.estimate(history.view()).rate;
            Ok(rate.map_or(f64::NAN, recrawl_model::Rate::daily))
        })
        .collect()
}

/// Evidence of so many visits `days` apart to a page that changes `per_day`
/// times a day.
pub(crate) fn evidence(per_day: f64, days: f64, visits: usize, random: &mut Pcg64Mcg) -> Evidence {
    let chance = -(-per_day * days).exp_m1();
    Evidence::from_intervals((0..visits).map(|_| (days, random.random::<f64>() < chance)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_estimate::{Cho, Confidence};

    #[test]
    fn pages_change_as_often_as_asked_for() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let seen: usize = (0..200)
            .map(|_| {
                let history = daily_visits(0.7, 50, &mut random).expect("in order");
                history.view().intervals().filter(|i| i.changed).count()
            })
            .sum();
        let expected = 200.0 * 50.0 * -(-0.7f64).exp_m1();
        assert!(
            (seen as f64 / expected - 1.0).abs() < 0.05,
            "{seen} {expected}"
        );
    }

    #[test]
    fn counts_run_from_none_to_all() {
        let cho = Cho::new(Confidence::default());
        let estimates = for_each_count(&cho, 10).expect("histories");
        assert_eq!(estimates[0], 0.0);
        assert!((estimates[6] - 0.847).abs() < 1e-3);
        assert!((estimates[10] - 21f64.ln()).abs() < 1e-9);
    }
}
