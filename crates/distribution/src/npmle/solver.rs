//! Maximises the likelihood over the weights to a stated tolerance.

use super::least_squares::non_negative;
use super::likelihood::Likelihood;

/// The search ends when the mean log-likelihood of a visit is proved to lie
/// within this of its maximum (largest gradient minus 1).
pub const TOLERANCE: f64 = 1e-7;

/// Steps after which the search gives up and reports the gap it reached.
/// Usually ten to forty suffice.
const MOST_STEPS: usize = 300;

/// Weights lighter than this are dropped from the support.
const LIGHTEST: f64 = 1e-12;

/// The weights found.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    pub(super) weights: Vec<f64>,
    pub(super) mean_log_likelihood: f64,
    /// Bound on how far the mean log-likelihood is from its maximum.
    pub(super) gap: f64,
    pub(super) steps: usize,
}

/// Constrained Newton steps on a support that grows where the gradient peaks
/// and shrinks where weights reach zero (Wang 2007, "On fast computation of
/// the non-parametric maximum likelihood estimate of a mixing distribution"),
/// each followed by an EM step `w_k <- w_k gradient_k`, which never falls.
pub(super) fn maximise(likelihood: &Likelihood, start: Vec<f64>) -> Solution {
    let mut weights = start;
    let mut chances = likelihood.chances(&weights);
    let mut level = likelihood.mean_log(&chances);
    let mut gradient = likelihood.gradient(&chances);
    for steps in 0.. {
        let gap = gradient.iter().fold(0.0, |most: f64, &g| most.max(g)) - 1.0;
        if gap <= TOLERANCE || steps == MOST_STEPS {
            return Solution {
                weights,
                mean_log_likelihood: level,
                gap: gap.max(0.0),
                steps,
            };
        }
        let support = support(&weights, &gradient);
        let aim = newton_aim(likelihood, &support, &chances);
        (weights, chances) = search_line(likelihood, weights, &aim, &gradient, (chances, level));
        gradient = likelihood.gradient(&chances);
        em_step(&mut weights, &gradient);
        chances = likelihood.chances(&weights);
        level = likelihood.mean_log(&chances);
        gradient = likelihood.gradient(&chances);
    }
    unreachable!("the loop returns after {MOST_STEPS} steps")
}

/// Lifetimes that carry weight, and peaks of the gradient above 1.
fn support(weights: &[f64], gradient: &[f64]) -> Vec<usize> {
    let peak = |k: usize| {
        let before = if k == 0 {
            f64::NEG_INFINITY
        } else {
            gradient[k - 1]
        };
        let after = gradient.get(k + 1).copied().unwrap_or(f64::NEG_INFINITY);
        gradient[k] > 1.0 && gradient[k] >= before && gradient[k] >= after
    };
    (0..weights.len())
        .filter(|&k| weights[k] > LIGHTEST || peak(k))
        .collect()
}

/// The maximum of the quadratic model at the present weights: weights on the
/// support that minimise `|S w - 2|^2` with `S = P / chance`, of sum 1. The
/// sum is kept by Dax's trick: minimise `|(S - 2) w|^2 + (sum w - 1)^2`, then
/// scale.
fn newton_aim(likelihood: &Likelihood, support: &[usize], chances: &[f64]) -> Vec<f64> {
    let size = support.len();
    let mut matrix = vec![vec![1.0; size]; size];
    let mut shifted = vec![0.0; size];
    likelihood.rows(support, chances, |row, visits| {
        let share = visits / likelihood.visits;
        for (to, from) in shifted.iter_mut().zip(row) {
            *to = from - 2.0;
        }
        for (k, line) in matrix.iter_mut().enumerate() {
            let scaled = share * shifted[k];
            for (sum, other) in line[..=k].iter_mut().zip(&shifted) {
                *sum += scaled * other;
            }
        }
    });
    for k in 0..size {
        let (above, below) = matrix.split_at_mut(k + 1);
        for (slot, line) in above[k][k + 1..].iter_mut().zip(below) {
            *slot = line[k];
        }
    }
    let solved = non_negative(&matrix, &vec![1.0; size]);
    let sum: f64 = solved.iter().sum();
    let mut aim = vec![0.0; likelihood.lifetimes().len()];
    for (&place, weight) in support.iter().zip(solved) {
        aim[place] = weight / sum;
    }
    aim
}

/// Goes towards `aim`, halving the way until the likelihood rises enough.
fn search_line(
    likelihood: &Likelihood,
    weights: Vec<f64>,
    aim: &[f64],
    gradient: &[f64],
    (chances, level): (Vec<f64>, f64),
) -> (Vec<f64>, Vec<f64>) {
    let promise: f64 = aim
        .iter()
        .zip(&weights)
        .zip(gradient)
        .map(|((aim, weight), gradient)| (aim - weight) * gradient)
        .sum();
    let mut way = 1.0;
    while promise > 0.0 && way > 1e-6 {
        let trial: Vec<f64> = weights
            .iter()
            .zip(aim)
            .map(|(weight, aim)| weight + way * (aim - weight))
            .collect();
        let trial_chances = likelihood.chances(&trial);
        let trial_level = likelihood.mean_log(&trial_chances);
        if trial_level >= level + way * promise / 3.0 {
            return (trial, trial_chances);
        }
        way /= 2.0;
    }
    (weights, chances)
}

fn em_step(weights: &mut [f64], gradient: &[f64]) {
    for (weight, gradient) in weights.iter_mut().zip(gradient) {
        *weight *= gradient;
        if *weight < LIGHTEST {
            *weight = 0.0;
        }
    }
    let sum: f64 = weights.iter().sum();
    for weight in weights {
        *weight /= sum;
    }
}
