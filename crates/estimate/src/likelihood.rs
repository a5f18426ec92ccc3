//! The likelihood equation shared by `cho`, `mle` and `last-modified`.

use crate::exponentials::odds;
use crate::root::{LAST_STEP, falling_root};

/// The rate (changes a day) at which
/// `dated/rate + sum over changed of t/(exp(rate t) - 1) = exposure`.
///
/// `dated` counts changes whose time is known, `changed` holds the lengths t
/// (days) of intervals known only to hold a change, `exposure` is the time
/// known to be free of change (days). This is where the derivative of the
/// Poisson log-likelihood is zero (ALGORITHMS 5, "MLE, irregular"); the left
/// side falls and its logarithm is convex. 0 without a change, `None` where
/// every interval saw one and nothing bounds the rate.
///
/// The start, `(dated + X)/(exposure + sum t / 2)`, is never above the root
/// because `t/(exp(y t) - 1) >= 1/y - t/2`.
pub(crate) fn rate_of_intervals(dated: f64, changed: &[f64], exposure: f64) -> Option<f64> {
    let changes = dated + changed.len() as f64;
    if changes <= 0.0 {
        return Some(0.0);
    }
    if exposure <= 0.0 {
        return None;
    }
    let start = changes / (exposure + changed.iter().sum::<f64>() / 2.0);
    Some(falling_root(start, exposure, LAST_STEP, |rate| {
        let (value, slope) = odds(rate, changed);
        (value + dated / rate, slope - dated / (rate * rate))
    }))
}
