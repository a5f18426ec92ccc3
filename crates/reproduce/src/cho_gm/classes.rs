//! Pages that change weekly or monthly, told apart by Bayes.

use std::time::Duration;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use recrawl_estimate::{Category, Confidence};

use crate::ReproduceError;
use crate::support::binomial::changes_seen;
use crate::support::visits::evidence;

const DAY: Duration = Duration::from_secs(86_400);

/// Mean days between changes of the two classes.
pub(super) const WEEK: f64 = 7.0;
pub(super) const MONTH: f64 = 30.0;

/// The weekly and the monthly class, equally likely at first.
pub(super) fn classes() -> Result<Category, ReproduceError> {
    let spans = [DAY * 7, DAY * 30];
    Ok(Category::new(&spans, None, Confidence::default())?)
}

/// Share of `pages` pages that change `per_day` times a day and are classified
/// as monthly after `visits` visits `days` apart.
pub(super) fn classified_monthly(
    classes: &Category,
    per_day: f64,
    days: f64,
    visits: usize,
    pages: usize,
    seed: u64,
) -> f64 {
    let monthly = (0..pages as u64)
        .into_par_iter()
        .filter(|page| {
            let mut random = Pcg64Mcg::seed_from_u64(seed ^ page.wrapping_mul(0x9e37_79b9_7f4a));
            let seen = evidence(per_day, days, visits, &mut random);
            let chances = classes.probabilities(&seen);
            chances[1] >= chances[0] // a tie goes to the slower class
        })
        .count();
    monthly as f64 / pages as f64
}

/// The same exactly: X of n visits see a change, and the class is monthly
/// while `((1 - e^(-d/7))/(1 - e^(-d/30)))^X` does not outweigh
/// `e^(-(n - X) d (1/7 - 1/30))`.
pub(super) fn exactly_monthly(per_day: f64, days: f64, visits: usize) -> f64 {
    let chances = changes_seen(visits as u64, per_day * days);
    let gain = ((-days / WEEK).exp_m1() / (-days / MONTH).exp_m1()).ln();
    let loss = days * (1.0 / WEEK - 1.0 / MONTH);
    (0..=visits)
        .filter(|&seen| seen as f64 * gain <= (visits - seen) as f64 * loss)
        .map(|seen| chances[seen])
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_shares_are_those_found_in_advance() {
        for (mean_days, days, visits, share) in [
            (30.0, 10.0, 3, 0.804),
            (30.0, 10.0, 10, 0.964),
            (30.0, 10.0, 20, 0.989),
            (7.0, 10.0, 3, 0.145),
            (7.0, 10.0, 20, 0.010),
            (30.0, 1.0, 10, 0.717),
            (7.0, 60.0, 10, 0.002),
        ] {
            let ours = exactly_monthly(1.0 / mean_days, days, visits);
            assert!(
                (ours - share).abs() < 6e-4,
                "{mean_days} {days} {visits}: {ours}"
            );
        }
    }
}
