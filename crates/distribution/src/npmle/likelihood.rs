//! The likelihood of the cells under weights on a grid of lifetimes, and its
//! gradient, in one pass over cells and grid.

use super::cells::{Cell, Known};

/// Cells with their places on a grid of lifetimes `l_0 < l_1 < …`.
#[derive(Debug, Clone)]
pub(super) struct Likelihood {
    lifetimes: Vec<f64>,
    placed: Vec<Placed>,
    /// Visits in all cells.
    pub(super) visits: f64,
}

/// A cell and how many lifetimes are no longer than its ends.
#[derive(Debug, Clone, Copy)]
struct Placed {
    cell: Cell,
    lower: usize,
    upper: usize,
}

impl Likelihood {
    pub(super) fn new(cells: &[Cell], lifetimes: Vec<f64>) -> Self {
        let place = |x: f64| lifetimes.partition_point(|&lifetime| lifetime <= x);
        let placed = cells
            .iter()
            .map(|&cell| match cell.known {
                Known::Within { lower, upper } => Placed {
                    cell,
                    lower: place(lower),
                    upper: place(upper),
                },
                Known::Exactly(age) => Placed {
                    cell,
                    lower: place(age),
                    upper: lifetimes.len(),
                },
            })
            .collect();
        Self {
            visits: cells.iter().map(|cell| cell.visits).sum(),
            placed,
            lifetimes,
        }
    }

    pub(super) fn lifetimes(&self) -> &[f64] {
        &self.lifetimes
    }

    /// How likely each cell is: `sum_k w_k P_k` with
    /// `P_k = (min(b, l_k) - min(a, l_k)) / l_k` for an age in [a, b), and
    /// `1/l_k` where `l_k > a` for an age of a.
    pub(super) fn chances(&self, weights: &[f64]) -> Vec<f64> {
        // Sums over lifetimes before k of w and of w / l.
        let mut mass = vec![0.0];
        let mut slope = vec![0.0];
        for (weight, lifetime) in weights.iter().zip(&self.lifetimes) {
            mass.push(mass[mass.len() - 1] + weight);
            slope.push(slope[slope.len() - 1] + weight / lifetime);
        }
        let all = slope[slope.len() - 1];
        self.placed
            .iter()
            .map(|placed| match placed.cell.known {
                Known::Exactly(_) => all - slope[placed.lower],
                Known::Within { lower, upper } => {
                    let inside = mass[placed.upper]
                        - mass[placed.lower]
                        - lower * (slope[placed.upper] - slope[placed.lower]);
                    if upper.is_finite() {
                        inside + (upper - lower) * (all - slope[placed.upper])
                    } else {
                        inside
                    }
                }
            })
            .collect()
    }

    /// The mean log-likelihood of a visit.
    pub(super) fn mean_log(&self, chances: &[f64]) -> f64 {
        let sum: f64 = self
            .placed
            .iter()
            .zip(chances)
            .map(|(placed, chance)| placed.cell.visits * chance.ln())
            .sum();
        sum / self.visits
    }

    /// For each lifetime, the mean over visits of `P_k / chance`. At the
    /// maximum none is above 1, and by concavity the mean log-likelihood is
    /// within `max - 1` of its maximum.
    pub(super) fn gradient(&self, chances: &[f64]) -> Vec<f64> {
        let count = self.lifetimes.len();
        // What a cell adds to every lifetime from a place on: a constant
        // part and a part in proportion to the lifetime.
        let mut constant = vec![0.0; count + 1];
        let mut linear = vec![0.0; count + 1];
        for (placed, chance) in self.placed.iter().zip(chances) {
            let share = placed.cell.visits / chance;
            match placed.cell.known {
                Known::Exactly(_) => constant[placed.lower] += share,
                Known::Within { lower, upper } => {
                    constant[placed.lower] -= share * lower;
                    linear[placed.lower] += share;
                    if upper.is_finite() {
                        constant[placed.upper] += share * upper;
                        linear[placed.upper] -= share;
                    }
                }
            }
        }
        let (mut level, mut slope) = (0.0, 0.0);
        self.lifetimes
            .iter()
            .zip(constant.iter().zip(&linear))
            .map(|(lifetime, (constant, linear))| {
                level += constant;
                slope += linear;
                (level / lifetime + slope) / self.visits
            })
            .collect()
    }

    /// `P_k / chance` of every cell for the lifetimes at `support`, with the
    /// cell's visits, handed row by row to `take`.
    pub(super) fn rows(
        &self,
        support: &[usize],
        chances: &[f64],
        mut take: impl FnMut(&[f64], f64),
    ) {
        let mut row = vec![0.0; support.len()];
        for (placed, chance) in self.placed.iter().zip(chances) {
            for (slot, &place) in row.iter_mut().zip(support) {
                let lifetime = self.lifetimes[place];
                let covered = match placed.cell.known {
                    Known::Within { lower, upper } => upper.min(lifetime) - lower.min(lifetime),
                    Known::Exactly(_) => f64::from(u8::from(place >= placed.lower)),
                };
                *slot = covered / (lifetime * chance);
            }
            take(&row, placed.cell.visits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likelihood() -> Likelihood {
        let cell = |known, visits| Cell { known, visits };
        let cells = [
            cell(
                Known::Within {
                    lower: 0.0,
                    upper: 1.5,
                },
                3.0,
            ),
            cell(
                Known::Within {
                    lower: 1.0,
                    upper: 4.0,
                },
                2.0,
            ),
            cell(
                Known::Within {
                    lower: 2.5,
                    upper: f64::INFINITY,
                },
                1.0,
            ),
            cell(Known::Exactly(0.5), 2.0),
        ];
        Likelihood::new(&cells, vec![0.5, 1.0, 2.0, 3.0, 8.0])
    }

    #[test]
    fn one_pass_gives_what_the_double_sum_gives() {
        let likelihood = likelihood();
        let weights = [0.1, 0.2, 0.3, 0.25, 0.15];
        let chances = likelihood.chances(&weights);
        let mut by_rows = Vec::new();
        let mut gradient = [0.0; 5];
        likelihood.rows(&[0, 1, 2, 3, 4], &[1.0; 4], |row, _| {
            by_rows.push(row.iter().zip(weights).map(|(p, w)| p * w).sum::<f64>());
        });
        for (chance, expected) in chances.iter().zip(&by_rows) {
            assert!((chance - expected).abs() < 1e-15);
        }
        likelihood.rows(&[0, 1, 2, 3, 4], &chances, |row, visits| {
            for (sum, share) in gradient.iter_mut().zip(row) {
                *sum += share * visits / 8.0;
            }
        });
        for (ours, expected) in likelihood.gradient(&chances).iter().zip(gradient) {
            assert!((ours - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn an_exact_age_excludes_lifetimes_no_longer_than_it() {
        let mut first = Vec::new();
        likelihood().rows(&[0, 1], &[1.0; 4], |row, _| first = row.to_vec());
        assert_eq!(first, [0.0, 1.0]);
    }
}
