//! The least value of a function of one or two numbers, by Nelder and Mead's
//! simplex (1965).

/// Where the least value was found.
#[derive(Debug, Clone)]
pub(super) struct Least {
    pub(super) place: Vec<f64>,
    pub(super) value: f64,
}

/// Values this close end the search: far below a tenth of Akaike's criterion.
const TOLERANCE: f64 = 1e-10;
/// Rounds after which the search ends at the best place so far.
const MOST_ROUNDS: usize = 400;
/// First step in each number: numbers are logarithms, so a factor of 1.6.
const FIRST_STEP: f64 = 0.5;

/// Searches from `start`. A value that is not a number counts as infinite.
pub(super) fn minimise(function: impl Fn(&[f64]) -> f64, start: &[f64]) -> Least {
    let measure = |place: Vec<f64>| {
        let value = function(&place);
        let value = if value.is_nan() { f64::INFINITY } else { value };
        Least { place, value }
    };
    let mut corners = vec![measure(start.to_vec())];
    for number in 0..start.len() {
        let mut place = start.to_vec();
        place[number] += FIRST_STEP;
        corners.push(measure(place));
    }
    for _ in 0..MOST_ROUNDS {
        corners.sort_by(|a, b| a.value.total_cmp(&b.value));
        let last = corners.len() - 1;
        if corners[last].value - corners[0].value < TOLERANCE && width(&corners) < 1e-5 {
            break;
        }
        let centre = centre(&corners[..last]);
        let along = |way: f64| {
            let place = centre.iter().zip(&corners[last].place);
            measure(place.map(|(c, worst)| c + way * (worst - c)).collect())
        };
        let mirrored = along(-1.0);
        let better = if mirrored.value < corners[0].value {
            let farther = along(-2.0);
            Some(if farther.value < mirrored.value {
                farther
            } else {
                mirrored
            })
        } else if mirrored.value < corners[last - 1].value {
            Some(mirrored)
        } else {
            let way = if mirrored.value < corners[last].value {
                -0.5
            } else {
                0.5
            };
            let nearer = along(way);
            (nearer.value < corners[last].value.min(mirrored.value)).then_some(nearer)
        };
        match better {
            Some(corner) => corners[last] = corner,
            None => shrink(&mut corners, &measure),
        }
    }
    corners.sort_by(|a, b| a.value.total_cmp(&b.value));
    corners.swap_remove(0)
}

fn centre(corners: &[Least]) -> Vec<f64> {
    let share = 1.0 / corners.len() as f64;
    (0..corners[0].place.len())
        .map(|number| {
            corners
                .iter()
                .map(|corner| corner.place[number] * share)
                .sum()
        })
        .collect()
}

fn width(corners: &[Least]) -> f64 {
    corners
        .iter()
        .flat_map(|corner| corner.place.iter().zip(&corners[0].place))
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max)
}

fn shrink(corners: &mut [Least], measure: &impl Fn(Vec<f64>) -> Least) {
    let best = corners[0].place.clone();
    for corner in &mut corners[1..] {
        let halfway = corner.place.iter().zip(&best);
        *corner = measure(halfway.map(|(a, b)| f64::midpoint(*a, *b)).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_bent_valley() {
        let rosenbrock =
            |at: &[f64]| (1.0 - at[0]).powi(2) + 100.0 * (at[1] - at[0] * at[0]).powi(2);
        let least = minimise(rosenbrock, &[-1.2, 1.0]);
        assert!((least.place[0] - 1.0).abs() < 1e-3 && (least.place[1] - 1.0).abs() < 1e-3);
    }

    #[test]
    fn one_number_and_walls_of_no_number_are_fine() {
        let least = minimise(
            |at| {
                if at[0] < 0.0 {
                    f64::NAN
                } else {
                    (at[0] - 0.25).powi(2)
                }
            },
            &[3.0],
        );
        assert!((least.place[0] - 0.25).abs() < 1e-4);
    }
}
