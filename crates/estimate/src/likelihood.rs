//! The likelihood equation shared by `cho`, `mle` and `last-modified`.

use crate::exponentials::{Jet, odds};
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
/// The search starts at the root for X changed intervals of their mean length m,
/// `ln(1 + X m/exposure)/m`, which is never above the root because
/// `t/(exp(y t) - 1)` is convex in t; with dated changes at `(dated + X)/(exposure +
/// X m/2)`, because `t/(exp(y t) - 1) >= 1/y - t/2`.
pub(crate) fn rate_of_intervals(dated: f64, changed: &[f64], exposure: f64) -> Option<f64> {
    let changes = dated + changed.len() as f64;
    if changes <= 0.0 {
        return Some(0.0);
    }
    if exposure <= 0.0 {
        return None;
    }
    let seen = changed.iter().sum::<f64>();
    let start = if dated > 0.0 {
        changes / (exposure + seen / 2.0)
    } else {
        (seen / exposure).ln_1p() * changes / seen
    };
    Some(falling_root(start, start, exposure, LAST_STEP, |rate| {
        let Jet { value, slope, bend } = odds(rate, changed);
        let undated = dated / rate;
        Jet {
            value: value + undated,
            slope: slope - undated / rate,
            bend: bend + 2.0 * undated / (rate * rate),
        }
    }))
}
