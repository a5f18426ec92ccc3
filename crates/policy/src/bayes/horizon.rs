//! How far ahead what a visit wins is counted.

/// Share of the time watched so far in which what is won counts in full: nobody
/// knows how pages will go on for longer than a while.
const HORIZON: f64 = 0.1;

/// Cycles that it is ahead at the least: in the first ones nothing is known of how
/// long pages go on, and pages seen early pay late.
const LEAST_CYCLES: f64 = 8.0;

/// Expected changes within which shares are told from their limits.
const FEWEST: f64 = 1e-4;
const MOST: f64 = 50.0;

/// The days ahead within which what is won counts, where pages have been watched
/// for so many; at least some cycles.
pub(super) fn horizon(watched: f64, cycle_days: f64) -> f64 {
    (HORIZON * watched).max(LEAST_CYCLES * cycle_days)
}

/// The share of the freshness won by a visit, `h(x)/rate`, that is won before
/// the horizon, if that comes at any time with the same chance: with x expected
/// changes behind the page and r = 1/(rate horizon),
/// `T(x) = (1 - e^-(1+r)x)/(1+r) - e^-x (1 - e^-rx)/r` over `h(x)`.
///
/// T is the price of a visit at which visiting at x is best for a page that
/// starts afresh whenever a horizon comes; T = h where it never does.
pub(super) fn share_before(horizon: f64, rate: f64, days: f64) -> f64 {
    let x = (rate * days).clamp(FEWEST, MOST);
    let ended = 1.0 / (rate * horizon);
    let whole = 1.0 - (1.0 + x) * (-x).exp();
    let survived = (-x).exp() * -(-ended * x).exp_m1() / ended;
    let won = -(-(1.0 + ended) * x).exp_m1() / (1.0 + ended) - survived;
    (won / whole).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_horizons_count_all_and_near_ones_what_is_fresh_until_then() {
        assert!(share_before(1e9, 0.3, 5.0) > 0.999);
        // Surely changed: fresh for 1/rate days, of which until the horizon
        // 1/(rate + 1/horizon).
        let (rate, near) = (0.02, 10.0);
        let share = share_before(near, rate, 1e4);
        assert!((share - rate / (rate + 1.0 / near)).abs() < 1e-6, "{share}");
    }

    #[test]
    fn the_price_is_the_one_at_which_visiting_then_is_best() {
        // Cost a day of a page visited at age t or at the horizon, the visit
        // costing T: (T + stale days)/(days); the best t has T as its price.
        let (rate, horizon, days) = (0.1, 15.0, 9.0);
        let x: f64 = rate * days;
        let gain = 1.0 - (1.0 + x) * (-x).exp();
        let price = share_before(horizon, rate, days) * gain / rate;
        let cost = |t: f64| {
            let step = t / 4_000.0;
            let (mut stale, mut length) = (0.0, 0.0);
            for part in 0..4_000 {
                let s = (f64::from(part) + 0.5) * step;
                let alive = (-s / horizon).exp() * step;
                stale += alive * -(-rate * s).exp_m1();
                length += alive;
            }
            (price + stale) / length
        };
        assert!(cost(days) < cost(days * 0.95) && cost(days) < cost(days * 1.05));
    }
}
