//! Histories made to order.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use recrawl_model::{HistoryBuf, Observation, Outcome, Timestamp};

/// A moment so many days after 1970.
pub(crate) fn day(days: f64) -> Timestamp {
    Timestamp::from_fractional_seconds(days * 86_400.0).expect("in range")
}

/// A history from intervals (days, changed), the first visit on day 0.
pub(crate) fn history(intervals: &[(f64, bool)]) -> HistoryBuf {
    let mut history = HistoryBuf::new();
    history
        .push(Observation::new(day(0.0), Outcome::First))
        .expect("in order");
    let mut at = 0.0;
    for &(days, changed) in intervals {
        at += days;
        let outcome = if changed {
            Outcome::Changed
        } else {
            Outcome::Unchanged
        };
        history
            .push(Observation::new(day(at), outcome))
            .expect("in order");
    }
    history
}

/// Exponential waiting time at this rate.
pub(crate) fn wait(random: &mut Pcg64Mcg, rate: f64) -> f64 {
    -(1.0 - random.random::<f64>()).ln() / rate
}

/// Visits after each of `intervals` to a page that changes at `rate` a day,
/// with the true last-modified dates.
pub(crate) fn visit_poisson_page(
    random: &mut Pcg64Mcg,
    rate: f64,
    intervals: &[f64],
) -> HistoryBuf {
    let mut history = HistoryBuf::new();
    let mut modified = day(-wait(random, rate));
    let first = Observation::new(day(0.0), Outcome::First).with_last_modified(modified);
    history.push(first).expect("in order");
    let mut at = 0.0;
    for &length in intervals {
        let (start, end) = (at, at + length);
        at = end;
        // Ages of a Poisson process look the same backwards.
        let age = wait(random, rate);
        let changed = age < length;
        let outcome = if changed {
            Outcome::Changed
        } else {
            Outcome::Unchanged
        };
        if changed {
            modified = day((end - age).max(start + 1e-9));
        }
        let seen = Observation::new(day(end), outcome).with_last_modified(modified);
        history.push(seen).expect("in order");
    }
    history
}
