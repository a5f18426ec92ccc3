//! One root finder for every likelihood equation in this crate.

/// Relative step below which Newton stops. Convergence is quadratic, so the
/// error left is about the square of this.
pub(crate) const LAST_STEP: f64 = 1e-8;

/// The same for ends of intervals, which nobody reads to ten digits.
pub(crate) const LAST_STEP_OF_BOUNDS: f64 = 1e-5;

/// Steps after which the iteration stops whatever happens; from the starts
/// used here it takes four to eight.
const MOST_STEPS: usize = 200;

/// Solves `f(x) = target` for a falling function f whose logarithm is convex,
/// such as a sum of falling exponentials, from a `start` at or left of the root.
///
/// Newton on ln f: because ln f is convex and falling, each step stays left of
/// the root and moves towards it, so no bracket is needed. `f` returns the
/// value and the derivative at x; `last_step` is relative.
pub(crate) fn falling_root(
    start: f64,
    target: f64,
    last_step: f64,
    f: impl Fn(f64) -> (f64, f64),
) -> f64 {
    let mut x = start;
    for _ in 0..MOST_STEPS {
        let (value, slope) = f(x);
        let step = -(value / target).ln() * value / slope;
        if !step.is_finite() || step <= 0.0 {
            break; // at the root, to rounding
        }
        x += step;
        if step <= last_step * x {
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
        let root = falling_root(0.0, 0.25, LAST_STEP, |x| ((-x).exp(), -(-x).exp()));
        assert!((root - 4f64.ln()).abs() < 1e-14);
    }

    #[test]
    fn exponentials_of_very_different_speed_are_solved() {
        let f = |x: f64| {
            let (a, b) = ((-1e-3 * x).exp(), (-1e3 * x).exp());
            (a + b, -1e-3 * a - 1e3 * b)
        };
        let root = falling_root(0.0, 0.5, LAST_STEP, f);
        assert!((f(root).0 - 0.5).abs() < 1e-14);
    }

    #[test]
    fn halving_finds_a_square_root() {
        let root = rising_root(0.0, 2.0, 2.0, |x| x * x);
        assert!((root - 2f64.sqrt()).abs() < 1e-11);
    }
}
