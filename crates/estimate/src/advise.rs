//! How often should I look? The visit interval that estimates a rate best.

use std::time::Duration;

use recrawl_model::{Rate, from_days};
use thiserror::Error;

/// Visits beyond which the large-number formula replaces the exact sum.
const EXACT_UP_TO: usize = 4_096;

/// Changes a visit searched for the best one. The limit of many visits, 1.594,
/// lies inside; far above it a visit nearly always sees a change and teaches
/// nothing.
const SEARCHED: (f64, f64) = (0.01, 2.0);

/// Chance that every visit sees a change, up to which visits are taken to
/// estimate a rate rather than to bound it from below.
const SATURATED: f64 = 0.05;

/// Error of the log estimator `-ln((n - X + 0.5)/(n + 0.5))` after n `visits`
/// with r `changes_per_visit`, relative to r: root mean square, by the exact
/// sum over X ~ Bin(n, 1 - exp(-r)) (ALGORITHMS 1.1).
///
/// Beyond 4,096 visits `sqrt((exp(r) - 1)/n)/r`, its limit.
#[must_use]
pub fn relative_error(visits: usize, changes_per_visit: f64) -> f64 {
    let (n, r) = (visits as f64, changes_per_visit);
    if visits > EXACT_UP_TO {
        return (r.exp_m1() / n).sqrt() / r;
    }
    let (mut mass, mut square) = (0.0, 0.0);
    for_each_outcome(visits, r, |probability, estimate| {
        mass += probability;
        square += probability * (estimate / r - 1.0).powi(2);
    });
    (square / mass).sqrt()
}

/// Standard deviation of the same estimator relative to r, without its bias:
/// what Cho & Garcia-Molina minimise (their section on revisit frequency).
#[must_use]
pub fn relative_spread(visits: usize, changes_per_visit: f64) -> f64 {
    let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
    for_each_outcome(visits, changes_per_visit, |probability, estimate| {
        mass += probability;
        mean += probability * estimate;
        square += probability * estimate * estimate;
    });
    let (mean, square) = (mean / mass, square / mass);
    (square - mean * mean).max(0.0).sqrt() / changes_per_visit
}

/// Calls `each` with the probability and the estimate of every X in 0..=n.
fn for_each_outcome(visits: usize, r: f64, mut each: impl FnMut(f64, f64)) {
    let n = visits as f64;
    let log_odds = r.exp_m1().ln();
    let mut log_probability = -r * n;
    for changes in 0..=visits {
        let x = changes as f64;
        each(log_probability.exp(), -((n - x + 0.5) / (n + 0.5)).ln());
        log_probability += ((n - x) / (x + 1.0)).ln() + log_odds;
    }
}

/// Most changes a visit at which all n `visits` see a change with a chance of
/// no more than 5 %: `(1 - exp(-r))^n = 0.05`. Beyond it the estimate sticks at
/// ln(2n + 1) and its small spread says nothing.
#[must_use]
pub fn saturation(visits: usize) -> f64 {
    -(-SATURATED.powf(1.0 / visits as f64)).ln_1p()
}

/// Changes a visit at which n `visits` estimate a rate best: least
/// [`relative_error`] below [`saturation`]. Near 1.594, the root of
/// `r = 2(1 - exp(-r))`, for many visits.
#[must_use]
pub fn best_changes_per_visit(visits: usize) -> f64 {
    // Golden section; the curve falls, then rises.
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (SEARCHED.0, SEARCHED.1.min(saturation(visits)));
    let mut left = high - ratio * (high - low);
    let mut right = low + ratio * (high - low);
    let (mut at_left, mut at_right) = (relative_error(visits, left), relative_error(visits, right));
    while high - low > 1e-4 {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = relative_error(visits, left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = relative_error(visits, right);
        }
    }
    low.midpoint(high)
}

/// Advice on how to learn a page's rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advice {
    /// Changes a visit to aim for.
    pub changes_per_visit: f64,
    /// The visit interval that gives them at the rate believed now.
    pub interval: Duration,
    /// Visits at that interval that reach the error asked for.
    pub visits: usize,
    /// Visits at the present interval that reach it; `None` where no number
    /// up to [`MOST_VISITS`] does, because nearly every visit sees a change.
    pub visits_at_present_interval: Option<usize>,
}

/// Visits beyond which advice says "never" rather than a number.
pub const MOST_VISITS: usize = 10_000_000;

/// An error that cannot be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("a relative error of {0} cannot be aimed at: it must be at least 0.01 and below 1")]
pub struct ErrorTarget(pub f64);

/// Gives [`Advice`] for one relative error, worked out once for all pages.
#[derive(Debug, Clone, Copy)]
pub struct Advisor {
    error: f64,
    visits: usize,
    changes_per_visit: f64,
}

impl Advisor {
    /// For estimates whose relative error, root mean square, is `error`.
    ///
    /// # Errors
    /// [`ErrorTarget`] below 0.01 (15,000 visits and more) or from 1 on.
    pub fn new(error: f64) -> Result<Self, ErrorTarget> {
        if !(0.01..1.0).contains(&error) {
            return Err(ErrorTarget(error));
        }
        let reached = |visits| relative_error(visits, best_changes_per_visit(visits)) <= error;
        let visits = fewest(1, reached).unwrap_or(MOST_VISITS);
        Ok(Self {
            error,
            visits,
            changes_per_visit: best_changes_per_visit(visits),
        })
    }

    /// The relative error aimed at.
    #[must_use]
    pub const fn relative_error(&self) -> f64 {
        self.error
    }

    /// Advice for a page of this rate visited every `mean_days` so far; `None`
    /// for a rate of zero, which asks for no visit at all.
    #[must_use]
    pub fn advise(&self, rate: Rate, mean_days: f64) -> Option<Advice> {
        let interval = from_days(self.changes_per_visit / rate.daily())?;
        let present = rate.daily() * mean_days;
        let reached =
            |visits| present <= saturation(visits) && relative_error(visits, present) <= self.error;
        let visits_at_present_interval = if present > 0.0 && present.is_finite() {
            fewest(1, reached)
        } else {
            None
        };
        Some(Advice {
            changes_per_visit: self.changes_per_visit,
            interval,
            visits: self.visits,
            visits_at_present_interval,
        })
    }
}

/// The least number from `start` on at which `reached` holds, taking it to hold
/// from there on; `None` above [`MOST_VISITS`].
fn fewest(start: usize, reached: impl Fn(usize) -> bool) -> Option<usize> {
    let mut high = start;
    while !reached(high) {
        high *= 2;
        if high > MOST_VISITS {
            return None;
        }
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low.midpoint(high);
        if reached(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_least_where_the_paper_says() {
        // ALGORITHMS 1.1: r = 1.48 at n = 50, 1.54 at n = 100, 1.594 in the limit.
        let best = |visits: usize| {
            let spread = |step: &i32| relative_spread(visits, f64::from(*step) * 0.01);
            let least = (80..250).min_by(|a, b| spread(a).total_cmp(&spread(b)));
            f64::from(least.expect("not empty")) * 0.01
        };
        assert!((best(50) - 1.48).abs() < 0.011, "{}", best(50));
        assert!((best(100) - 1.54).abs() < 0.011, "{}", best(100));
        assert!((best_changes_per_visit(1_000_000) - 1.594).abs() < 1e-3);
    }

    #[test]
    fn few_visits_saturate_so_the_spread_alone_misleads() {
        // For n <= 20 the spread has no interior least value: it falls for ever,
        // because the estimate sticks at ln(2n + 1).
        assert!(relative_spread(10, 8.0) < relative_spread(10, 1.5));
        // Where truth and sticking point meet, at r = 3.04, it even looks perfect.
        assert!(relative_error(10, 8.0) > relative_error(10, 1.5));
        assert!(relative_error(10, 3.04) < relative_error(10, 1.3));
        assert!(best_changes_per_visit(10) <= saturation(10));
        assert!((saturation(10) - 1.351).abs() < 1e-3); // 0.741^10 = 0.05
    }

    #[test]
    fn the_exact_error_runs_into_its_limit() {
        let limit = (1.5f64.exp_m1() / 4_096.0).sqrt() / 1.5;
        assert!((relative_error(4_096, 1.5) / limit - 1.0).abs() < 2e-3);
    }

    #[test]
    fn advice_for_a_weekly_page_seen_hourly_is_to_look_less_often() {
        let advisor = Advisor::new(0.2).expect("possible");
        let weekly = Rate::per_day(1.0 / 7.0).expect("a rate");
        let advice = advisor.advise(weekly, 1.0 / 24.0).expect("not zero");
        assert!(advice.interval > Duration::from_secs(9 * 86_400));
        assert!(advice.interval < Duration::from_secs(13 * 86_400));
        // (1.2426/0.2)^2 = 38.6 in the limit of many visits.
        assert!((35..45).contains(&advice.visits), "{}", advice.visits);
        assert!(advice.visits_at_present_interval.expect("reachable") > 3_000);
        assert_eq!(advisor.advise(Rate::ZERO, 1.0), None);
    }

    #[test]
    fn an_error_that_cannot_be_aimed_at_is_refused() {
        for error in [0.0, 0.001, 1.0, -0.1, f64::NAN] {
            assert!(Advisor::new(error).is_err(), "{error}");
        }
    }
}
