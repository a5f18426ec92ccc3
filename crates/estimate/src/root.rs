//! One root finder for every likelihood equation in this crate.

use crate::exponentials::Jet;

/// Relative step below which the search stops. Convergence is cubic, so the error
/// left is about the third power of this.
pub(crate) const LAST_STEP: f64 = 1e-5;

/// The same for ends of intervals, which nobody reads to ten digits.
pub(crate) const LAST_STEP_OF_BOUNDS: f64 = 5e-4;

/// Steps after which the iteration stops whatever happens; from the starts
/// used here it takes two to four.
const MOST_STEPS: usize = 200;

/// Solves `f(x) = target` for a falling function f whose logarithm is convex,
/// such as a sum of falling exponentials. `left` is at or left of the root, `start`
/// as near to it as the caller knows, on either side.
///
/// Halley's steps on ln f (Newton's, corrected by the second derivative). They
/// may pass the root; from its right a step leads back, at worst to halfway
/// between the nearest points known on both sides. `last_step` is relative.
pub(crate) fn falling_root(
    mut left: f64,
    start: f64,
    target: f64,
    last_step: f64,
    f: impl Fn(f64) -> Jet,
) -> f64 {
    let mut x = start.max(left);
    for _ in 0..MOST_STEPS {
        let Jet { value, slope, bend } = f(x);
        let above = (value / target).ln();
        let newton = -above * value / slope;
        // `above (ln f)'' / (ln f)'^2`, no more than 1 so that a step at most doubles.
        let curved = (above * (value * bend / (slope * slope) - 1.0)).min(1.0);
        let step = newton / (1.0 - curved / 2.0);
        if !step.is_finite() {
            break; // nothing to go by
        }
        let is_last = step.abs() <= last_step * x;
        if above >= 0.0 {
            left = x;
        } else if x + step < left && !is_last {
            x = x.midpoint(left);
            continue;
        }
        x += step;
        if is_last {
            break;
        }
    }
    x
}

/// Solves `f(x) = target` for a rising function on `[low, high]` by halving,
/// to the last few bits. For functions too rough or too costly for Newton.
pub(crate) fn rising_root(mut low: f64, mut high: f64, target: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..MOST_STEPS {
        let middle = low.midpoint(high);
        if middle <= low || middle >= high || (high - low) <= 1e-12 * high.abs() {
            break;
        }
        if f(middle) < target {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.midpoint(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_exponential_is_solved_in_closed_form() {
        let f = |x: f64| Jet {
            value: (-x).exp(),
            slope: -(-x).exp(),
            bend: (-x).exp(),
        };
        let root = falling_root(0.0, 0.0, 0.25, LAST_STEP, f);
        assert!((root - 4f64.ln()).abs() < 1e-14);
    }

    #[test]
    fn a_start_at_the_root_takes_one_look() {
        let looks = std::cell::Cell::new(0);
        for rate in [0.1f64, 0.3, 0.7, 1.1] {
            looks.set(0);
            let f = |x: f64| {
                looks.set(looks.get() + 1);
                let value = (-rate * x).exp();
                Jet {
                    value,
                    slope: -rate * value,
                    bend: rate * rate * value,
                }
            };
            for root in [0.9, 1.7, 2.3] {
                let target = f(root).value;
                looks.set(0);
                let found = falling_root(root, root, target, LAST_STEP, f);
                assert!((found - root).abs() < 1e-14 && looks.get() == 1);
            }
        }
    }

    #[test]
    fn exponentials_of_very_different_speed_are_solved() {
        let f = |x: f64| {
            let (a, b) = ((-1e-3 * x).exp(), (-1e3 * x).exp());
            Jet {
                value: a + b,
                slope: -1e-3 * a - 1e3 * b,
                bend: 1e-6 * a + 1e6 * b,
            }
        };
        for start in [0.0, 1e-3, 600.0, 700.0, 1e4, 1e5] {
            let root = falling_root(0.0, start, 0.5, LAST_STEP, f);
            assert!((f(root).value - 0.5).abs() < 1e-14, "from {start}");
        }
    }

    #[test]
    fn halving_finds_a_square_root() {
        let root = rising_root(0.0, 2.0, 2.0, |x| x * x);
        assert!((root - 2f64.sqrt()).abs() < 1e-11);
    }
}
