//! Least squares under weights that are not negative.

/// Weights `w >= 0` that minimise `w'Aw / 2 - b'w` for a symmetric positive
/// semi-definite `A` in rows, by Lawson and Hanson's active sets (1974).
pub(super) fn non_negative(matrix: &[Vec<f64>], target: &[f64]) -> Vec<f64> {
    let count = target.len();
    let mut weights = vec![0.0; count];
    let mut free = vec![false; count];
    // Each round frees one weight; a few more than there are always suffice.
    for _ in 0..3 * count + 10 {
        let pull: Vec<f64> = (0..count)
            .map(|k| target[k] - dot(&matrix[k], &weights))
            .collect();
        let next = (0..count)
            .filter(|&k| !free[k] && pull[k] > 1e-13)
            .max_by(|&a, &b| pull[a].total_cmp(&pull[b]));
        let Some(next) = next else { break };
        free[next] = true;
        while let Some(trial) = solve_free(matrix, target, &free) {
            let blocked = (0..count).filter(|&k| free[k] && trial[k] <= 0.0);
            let step = blocked
                .map(|k| weights[k] / (weights[k] - trial[k]))
                .fold(1.0, f64::min);
            for k in 0..count {
                weights[k] += step * (trial[k] - weights[k]);
                if free[k]
                    && (weights[k] <= 1e-15
                        || (step < 1.0 && trial[k] <= 0.0 && weights[k] < 1e-12))
                {
                    weights[k] = 0.0;
                    free[k] = false;
                }
            }
            if step >= 1.0 {
                break;
            }
        }
    }
    weights
}

/// The unconstrained minimum over the free weights, zeros elsewhere; `None`
/// if none is free.
fn solve_free(matrix: &[Vec<f64>], target: &[f64], free: &[bool]) -> Option<Vec<f64>> {
    let places: Vec<usize> = (0..free.len()).filter(|&k| free[k]).collect();
    if places.is_empty() {
        return None;
    }
    let size = places.len();
    let mut lower = vec![vec![0.0; size]; size];
    let mut solution = vec![0.0; size];
    // Cholesky factor, with a floor on pivots where columns nearly agree.
    for i in 0..size {
        let row = &matrix[places[i]];
        for j in 0..=i {
            let sum = row[places[j]] - dot(&lower[i][..j], &lower[j][..j]);
            lower[i][j] = if i == j {
                sum.max(1e-14 * row[places[i]]).sqrt()
            } else {
                sum / lower[j][j]
            };
        }
        solution[i] = (target[places[i]] - dot(&lower[i][..i], &solution[..i])) / lower[i][i];
    }
    for i in (0..size).rev() {
        let above: f64 = (i + 1..size).map(|j| lower[j][i] * solution[j]).sum();
        solution[i] = (solution[i] - above) / lower[i][i];
    }
    let mut all = vec![0.0; free.len()];
    for (&place, value) in places.iter().zip(solution) {
        all[place] = value;
    }
    Some(all)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inner_minimum_is_the_plain_solution() {
        let matrix = vec![vec![2.0, 1.0], vec![1.0, 3.0]];
        let weights = non_negative(&matrix, &[3.0, 5.0]);
        assert!((weights[0] - 0.8).abs() < 1e-12 && (weights[1] - 1.4).abs() < 1e-12);
    }

    #[test]
    fn a_weight_that_would_be_negative_is_zero() {
        let matrix = vec![vec![2.0, 1.0], vec![1.0, 3.0]];
        let weights = non_negative(&matrix, &[-1.0, 6.0]);
        assert_eq!(weights[0], 0.0);
        assert!((weights[1] - 2.0).abs() < 1e-12);
    }

    #[test]
    fn columns_that_agree_do_not_break_it() {
        let matrix = vec![vec![1.0, 1.0], vec![1.0, 1.0]];
        let weights = non_negative(&matrix, &[1.0, 1.0]);
        assert!((weights[0] + weights[1] - 1.0).abs() < 1e-6);
    }
}
