//! Means, spreads, grids and roots.

/// Mean and standard deviation (divided by n - 1) of some numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moments {
    pub(crate) count: f64,
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

impl Moments {
    pub(crate) fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self {
            count,
            mean,
            deviation: (squares / (count - 1.0)).sqrt(),
        }
    }
}

/// `count` values from `low` to `high`, equally far apart in logarithm.
pub(crate) fn log_grid(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = (high / low).ln() / (count.max(2) - 1) as f64;
    (0..count)
        .map(|number| low * (step * number as f64).exp())
        .collect()
}

/// `count` values from `low` to `high`, equally far apart.
pub(crate) fn linear_grid(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = (high - low) / (count.max(2) - 1) as f64;
    (0..count)
        .map(|number| low + step * number as f64)
        .collect()
}

/// Where `function` passes 0 between `low` and `high`, by bisection; its signs
/// at the ends must differ.
pub(crate) fn root(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let rising = function(high) > 0.0;
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if (function(middle) > 0.0) == rising {
            high = middle;
        } else {
            low = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The place in `values` of the largest.
pub(crate) fn largest(values: impl Iterator<Item = f64>) -> Option<usize> {
    values
        .enumerate()
        .filter(|(_, value)| value.is_finite())
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .map(|(place, _)| place)
}

/// Least-squares slope of y over x.
pub(crate) fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (mean_x, mean_y) = points
        .iter()
        .fold((0.0, 0.0), |(a, b), (x, y)| (a + x / count, b + y / count));
    let (both, own) = points.iter().fold((0.0, 0.0), |(both, own), (x, y)| {
        (
            both + (x - mean_x) * (y - mean_y),
            own + (x - mean_x).powi(2),
        )
    });
    both / own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_four_numbers() {
        let moments = Moments::of(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(moments.mean, 2.5);
        assert!((moments.deviation - (5.0f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn grids_start_and_end_where_they_should() {
        let grid = log_grid(0.01, 100.0, 5);
        assert!((grid[2] - 1.0).abs() < 1e-12 && (grid[4] - 100.0).abs() < 1e-9);
        assert_eq!(linear_grid(1.0, 3.0, 3), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_root_is_found_from_both_sides() {
        assert!((root(|x| x * x - 2.0, 0.0, 2.0) - 2f64.sqrt()).abs() < 1e-12);
        assert!((root(|x| 2.0 - x * x, 0.0, 2.0) - 2f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_line_has_its_slope() {
        assert!((slope(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]) - 2.0).abs() < 1e-12);
        assert_eq!(largest([1.0, f64::NAN, 3.0, 2.0].into_iter()), Some(2));
    }
}
