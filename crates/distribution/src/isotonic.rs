//! Shapes forced on rough curves: rising values, falling slopes.

/// The rising values closest to `values` in weighted least squares, by pooling
/// neighbours that fall. A value of weight 0 takes the level around it.
///
/// Source: Ayer, Brunk, Ewing, Reid and Silverman (1955), the pool adjacent
/// violators algorithm; one pass.
#[must_use]
pub fn isotonic(values: &[f64], weights: &[f64]) -> Vec<f64> {
    /// Neighbours pooled to one level.
    struct Pool {
        sum: f64,
        weight: f64,
        count: usize,
    }
    impl Pool {
        fn falls_below(&self, before: &Self) -> bool {
            // Levels compared by cross products: a weight may be 0.
            self.sum * before.weight <= before.sum * self.weight
        }
    }
    let mut pools: Vec<Pool> = Vec::with_capacity(values.len());
    for (&value, &weight) in values.iter().zip(weights) {
        let mut next = Pool {
            sum: value * weight,
            weight,
            count: 1,
        };
        while let Some(before) = pools.pop_if(|before| next.falls_below(before)) {
            next.sum += before.sum;
            next.weight += before.weight;
            next.count += before.count;
        }
        pools.push(next);
    }
    let mut level = 0.0;
    let mut rising = Vec::with_capacity(values.len());
    for pool in pools {
        if pool.weight > 0.0 {
            level = pool.sum / pool.weight;
        }
        rising.extend(std::iter::repeat_n(level, pool.count));
    }
    rising
}

/// The corners of the least concave curve above `points`, which must rise in
/// x; the first and last point are always corners.
///
/// A distribution of ages has a falling density, so its curve is concave; the
/// slopes of this majorant are the falling density closest to the data
/// (Grenander 1956).
#[must_use]
pub fn concave_majorant(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for &point in points {
        while let [.., before, last] = corners[..] {
            let rise = (last.1 - before.1) * (point.0 - before.0);
            let chord = (point.1 - before.1) * (last.0 - before.0);
            if rise > chord {
                break;
            }
            corners.pop();
        }
        corners.push(point);
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn falling_neighbours_pool_to_their_weighted_mean() {
        assert_eq!(
            isotonic(&[1.0, 3.0, 2.0, 4.0], &[1.0, 1.0, 3.0, 1.0]),
            [1.0, 2.25, 2.25, 4.0]
        );
    }

    #[test]
    fn a_value_of_no_weight_takes_the_level_before_it() {
        assert_eq!(
            isotonic(&[0.2, 0.0, 0.5], &[1.0, 0.0, 1.0]),
            [0.2, 0.2, 0.5]
        );
    }

    #[test]
    fn the_majorant_skips_points_below_a_chord() {
        let points = [(0.0, 0.0), (1.0, 0.2), (2.0, 0.8), (3.0, 0.9), (4.0, 1.0)];
        assert_eq!(
            concave_majorant(&points),
            [(0.0, 0.0), (2.0, 0.8), (4.0, 1.0)]
        );
    }

    proptest! {
        #[test]
        fn isotonic_values_rise_and_keep_the_weighted_mean(
            rows in proptest::collection::vec((0.0..1.0f64, 0.1..5.0f64), 1..50),
        ) {
            let (values, weights): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
            let rising = isotonic(&values, &weights);
            prop_assert!(rising.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
            let mean = |of: &[f64]| of.iter().zip(&weights).map(|(v, w)| v * w).sum::<f64>();
            prop_assert!((mean(&values) - mean(&rising)).abs() < 1e-9);
        }
    }
}
