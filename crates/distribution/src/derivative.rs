//! The rate of updates as the slope of the age distribution at zero.

/// Points of the one-sided rule beside the one at zero; four make the
/// five-point rule the paper uses.
const NODES: usize = 4;

/// Weights of `f(0), f(h), … f(4h)` in `h f'(0)`.
///
/// `f'(0) = (1/h) [-H_k f(0) + sum_{j=1..k} (-1)^{j+1} C(k,j)/j f(jh)]` with
/// k = 4 and `H_k = 1 + 1/2 + … + 1/k`. Exact for polynomials of degree 4; the
/// error falls as `h^4`.
pub const FIVE_POINT_WEIGHTS: [f64; NODES + 1] = [-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -1.0 / 4.0];

/// Two successive relative changes below this end the search on h.
const SETTLED: f64 = 0.01;

/// The slope at zero and how it was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// `g_U(0)`: updates per unit of time.
    pub rate: f64,
    /// The step it was taken with.
    pub step: f64,
    /// Relative change from the step before; below 1 % twice if it settled.
    pub change: f64,
    /// Whether two successive steps changed it by less than 1 %.
    pub settled: bool,
}

/// The one-sided slope of `curve` at zero with step `h`; `curve(0)` must be 0.
#[must_use]
pub fn slope_at_zero(curve: impl Fn(f64) -> f64, step: f64) -> f64 {
    let sum: f64 = FIVE_POINT_WEIGHTS
        .iter()
        .enumerate()
        .skip(1)
        .map(|(node, weight)| weight * curve(node as f64 * step))
        .sum();
    sum / step
}

/// Searches the flat stretch of the slope over h: from `largest` down by
/// halves to `smallest`, until two successive relative changes stay below 1 %;
/// where none do, the step of least change.
///
/// Source: Li, Cline, Loguinov, section IV-E ("a binary search on h to find
/// the flat region"). `None` if no step gives a slope above zero.
#[must_use]
pub fn search_slope(curve: impl Fn(f64) -> f64, largest: f64, smallest: f64) -> Option<Slope> {
    let mut previous: Option<Slope> = None;
    let mut best: Option<Slope> = None;
    let mut step = largest;
    loop {
        let rate = slope_at_zero(&curve, step);
        if rate > 0.0 && rate.is_finite() {
            let change = previous.map_or(f64::INFINITY, |before| (rate / before.rate - 1.0).abs());
            let settled =
                change < SETTLED && previous.is_some_and(|before| before.change < SETTLED);
            let slope = Slope {
                rate,
                step,
                change,
                settled,
            };
            if settled {
                return Some(slope);
            }
            if best.is_none_or(|best| change <= best.change) {
                best = Some(slope);
            }
            previous = Some(slope);
        }
        step /= 2.0;
        if step < smallest * (1.0 - 1e-9) {
            return best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Age distribution of Pareto updates with shape 3 and scale 1: rate 2.
    fn pareto(x: f64) -> f64 {
        1.0 - (1.0 + x).powi(-2)
    }

    #[test]
    fn weights_follow_the_general_formula() {
        let harmonic: f64 = (1..=4).map(|j| 1.0 / f64::from(j)).sum();
        assert!((FIVE_POINT_WEIGHTS[0] + harmonic).abs() < 1e-15);
        for (j, choose) in [(1, 4.0), (2, 6.0), (3, 4.0), (4, 1.0)] {
            let sign = if j % 2 == 1 { 1.0 } else { -1.0 };
            assert!((FIVE_POINT_WEIGHTS[j] - sign * choose / j as f64).abs() < 1e-15);
        }
    }

    #[test]
    fn mean_updates_by_step_are_those_of_figure_8() {
        for (step, mean) in [
            (2.0, 1.153),
            (1.0, 0.744),
            (0.5, 0.575),
            (0.25, 0.517),
            (0.125, 0.5026),
            (0.0625, 0.5003),
        ] {
            let ours = 1.0 / slope_at_zero(pareto, step);
            assert!((ours - mean).abs() < 6e-4, "h = {step}: {ours}");
        }
    }

    #[test]
    fn the_search_stops_where_the_slope_is_flat() {
        let slope = search_slope(pareto, 2.0, 1e-6).expect("a slope");
        assert!(slope.settled);
        assert!(
            (1.0 / slope.rate - 0.5).abs() < 0.002,
            "{}",
            1.0 / slope.rate
        );
    }

    #[test]
    fn without_a_flat_stretch_the_step_of_least_change_is_taken() {
        // Two steps only: no two successive changes can be seen.
        let slope = search_slope(pareto, 1.0, 0.5).expect("a slope");
        assert!(!slope.settled);
        assert_eq!(slope.step, 0.5);
        assert!(search_slope(|_| 0.0, 1.0, 0.1).is_none());
    }
}
