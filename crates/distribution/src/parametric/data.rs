//! The cells of all visits, laid out so that one law after another can be
//! tried on them quickly.

use super::laws::Law;
use crate::npmle::{Cell, Known};

/// Lengths at which a law is worked out; between them straight lines, whose
/// error stays below 1e-4 of a cell's chance.
const MOST_NODES: usize = 600;

/// Chances below this count as this: a law that excludes what was seen is
/// bad, not infinitely so, and the search can walk away from it.
const LEAST_CHANCE: f64 = 1e-12;

/// Cells with their ends as places between nodes.
#[derive(Debug)]
pub(super) struct Data {
    nodes: Vec<f64>,
    placed: Vec<Placed>,
    visits: f64,
}

#[derive(Debug)]
struct Placed {
    lower: Between,
    /// `None` for an exact age.
    upper: Option<Between>,
    visits: f64,
}

/// A place between node `before` and the next.
#[derive(Debug, Clone, Copy)]
struct Between {
    before: usize,
    share: f64,
}

impl Data {
    pub(super) fn new(cells: &[Cell]) -> Self {
        let nodes = nodes(cells);
        let placed = cells
            .iter()
            .map(|cell| match cell.known {
                Known::Within { lower, upper } => Placed {
                    lower: Between::of(lower, &nodes),
                    upper: Some(Between::of(upper, &nodes)),
                    visits: cell.visits,
                },
                Known::Exactly(age) => Placed {
                    lower: Between::of(age, &nodes),
                    upper: None,
                    visits: cell.visits,
                },
            })
            .collect();
        Self {
            nodes,
            placed,
            visits: cells.iter().map(|cell| cell.visits).sum(),
        }
    }

    /// The finite lengths above zero at which laws are compared.
    pub(super) fn lengths(&self) -> impl Iterator<Item = f64> + '_ {
        self.nodes
            .iter()
            .copied()
            .filter(|x| *x > 0.0 && x.is_finite())
    }

    /// The mean log-likelihood of a visit's cell under a law of ages.
    pub(super) fn mean_log_likelihood(&self, law: &Law) -> f64 {
        let chances: Vec<f64> = self.nodes.iter().map(|&x| law.age_cdf(x)).collect();
        let exact = self.placed.iter().any(|cell| cell.upper.is_none());
        let densities: Vec<f64> = if exact {
            self.nodes.iter().map(|&x| law.age_density(x)).collect()
        } else {
            Vec::new()
        };
        let sum: f64 = self
            .placed
            .iter()
            .map(|cell| {
                let chance = match cell.upper {
                    Some(upper) => upper.read(&chances) - cell.lower.read(&chances),
                    None => cell.lower.read(&densities),
                };
                cell.visits * chance.max(LEAST_CHANCE).ln()
            })
            .sum();
        sum / self.visits
    }
}

impl Between {
    fn of(x: f64, nodes: &[f64]) -> Self {
        let before = nodes.partition_point(|&node| node <= x).max(1) - 1;
        let share = match nodes.get(before + 1) {
            Some(next) if next.is_finite() => (x - nodes[before]) / (next - nodes[before]),
            _ => 0.0,
        };
        Self { before, share }
    }

    fn read(self, values: &[f64]) -> f64 {
        let low = values[self.before];
        match values.get(self.before + 1) {
            Some(high) if self.share > 0.0 => low + (high - low) * self.share,
            _ => low,
        }
    }
}

/// All ends of cells if they are few, else equal steps in the logarithm; zero
/// and infinity are always nodes.
fn nodes(cells: &[Cell]) -> Vec<f64> {
    let mut ends: Vec<f64> = cells
        .iter()
        .flat_map(|cell| match cell.known {
            Known::Within { lower, upper } => [lower, upper],
            Known::Exactly(age) => [age, age],
        })
        .filter(|end| *end > 0.0 && end.is_finite())
        .collect();
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    if ends.len() > MOST_NODES {
        let (least, most) = (ends[0], ends[ends.len() - 1]);
        let ratio = (most / least).ln();
        let step = |k: usize| least * (ratio * k as f64 / (MOST_NODES - 1) as f64).exp();
        ends = (0..MOST_NODES).map(step).collect();
        ends.push(most * (1.0 + 1e-9));
    }
    ends.insert(0, 0.0);
    ends.push(f64::INFINITY);
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_cells_on_nodes_give_the_likelihood_of_the_cells_themselves() {
        let cells: Vec<Cell> = (0..2_000)
            .map(|n| {
                let lower = f64::from(n) * 0.003;
                let upper = if n == 7 { f64::INFINITY } else { lower + 0.4 };
                let known = if n % 5 == 0 {
                    Known::Exactly(lower + 0.001)
                } else {
                    Known::Within { lower, upper }
                };
                Cell { known, visits: 1.0 }
            })
            .collect();
        let law = Law::Lomax {
            shape: 3.0,
            scale: 1.0,
        };
        let expected: f64 = cells
            .iter()
            .map(|cell| match cell.known {
                Known::Within { lower, upper } => (law.age_cdf(upper) - law.age_cdf(lower)).ln(),
                Known::Exactly(age) => law.age_density(age).ln(),
            })
            .sum::<f64>()
            / 2_000.0;
        let ours = Data::new(&cells).mean_log_likelihood(&law);
        assert!((ours - expected).abs() < 1e-4, "{ours} {expected}");
    }
}
