//! M1 and M3 between the tails of lifetimes and ages: [`Sandwich`].

use crate::methods::outline;
use crate::{AgeLaw, Grid, Method, Samples};

/// Tails may cross by this much without speaking against the theorem: noise of
/// curves from some hundred changes.
const SLACK: f64 = 0.03;

/// Visit intervals used for the limit of M1; more change nothing visible.
const MOST_GAPS: usize = 400;

/// Where the curve in the middle comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filling {
    /// M1, from dates.
    M1,
    /// M3, from constant visits.
    M3,
    /// What M1 would tend to with dates, from the law and the visit intervals.
    M1Limit,
}

/// Tails at the points of a grid: for new-worse-than-used updates the tail of
/// M1 or M3 lies above that of lifetimes and below that of ages, for
/// new-better-than-used the other way round (theorems 3 and 4 of Li, Cline,
/// Loguinov).
#[derive(Debug, Clone, PartialEq)]
pub struct Sandwich {
    /// Where the middle comes from.
    pub filling: Filling,
    /// The tails.
    pub layers: Vec<Layer>,
    /// Share of the points at which the middle lies between the others.
    pub between: f64,
}

/// Three tails at one length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// The length.
    pub x: f64,
    /// `1 - F_U(x)`.
    pub update_tail: f64,
    /// The tail of M1 or M3.
    pub middle_tail: f64,
    /// `1 - G_U(x)`.
    pub age_tail: f64,
}

impl Filling {
    /// The word used in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::M1 => "m1",
            Self::M3 => "m3",
            Self::M1Limit => "m1-limit",
        }
    }
}

/// The sandwich of `samples` under a law of ages, at the points of `grid`. The
/// tail of lifetimes is the law's own, `g_U(x) / g_U(0)`, not smoothed: on
/// constant visits it and M3 know the same and all but coincide.
#[must_use]
pub fn sandwich(samples: &Samples, law: &AgeLaw, grid: &Grid) -> Sandwich {
    let (filling, middle) = middle(samples, law, grid);
    let layers: Vec<Layer> = grid
        .xs()
        .zip(middle)
        .map(|(x, middle)| Layer {
            x,
            update_tail: (law.density(x) / law.rate()).clamp(0.0, 1.0),
            middle_tail: 1.0 - middle,
            age_tail: 1.0 - law.cdf(x),
        })
        .collect();
    let inside = layers.iter().filter(|layer| layer.holds()).count();
    Sandwich {
        filling,
        between: inside as f64 / layers.len() as f64,
        layers,
    }
}

impl Layer {
    fn holds(&self) -> bool {
        let low = self.update_tail.min(self.age_tail) - SLACK;
        let high = self.update_tail.max(self.age_tail) + SLACK;
        (low..=high).contains(&self.middle_tail)
    }
}

/// The curve in the middle: measured where it can be, else its limit.
fn middle(samples: &Samples, law: &AgeLaw, grid: &Grid) -> (Filling, Vec<f64>) {
    let measured = |method| {
        let outline = outline(method, samples, grid).ok()?;
        outline.cdf.into_iter().collect::<Option<Vec<f64>>>()
    };
    if samples.ages().all(|age| age.is_some())
        && let Some(curve) = measured(Method::M1)
    {
        return (Filling::M1, curve);
    }
    if samples.constant_interval().is_some()
        && let Some(curve) = measured(Method::M3)
    {
        return (Filling::M3, curve);
    }
    let every = samples.visits().div_ceil(MOST_GAPS);
    let some: Vec<f64> = samples
        .gaps()
        .step_by(every)
        .map(|gap| samples.in_unit(gap))
        .collect();
    (Filling::M1Limit, m1_limit(law, &some, grid))
}

/// What M1 tends to: `1 - E[G_U(x+S) - G_U(x)] / E[G_U(S)]` (theorem 2).
fn m1_limit(law: &AgeLaw, gaps: &[f64], grid: &Grid) -> Vec<f64> {
    let mass = |x: f64| -> f64 { gaps.iter().map(|gap| law.cdf(x + gap) - law.cdf(x)).sum() };
    let all = mass(0.0);
    grid.xs()
        .map(|x| (1.0 - mass(x) / all).clamp(0.0, 1.0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::TimeUnit;

    #[test]
    fn the_limit_of_m1_for_pareto_updates_is_that_of_theorem_2() {
        // S = 1: tail = ((1+x)^-2 - (2+x)^-2) / (3/4).
        let points: Vec<_> = (1..40_000)
            .map(|n| f64::from(n) * 0.002)
            .map(|x| (x, 1.0 - (1.0 + x).powi(-2)))
            .collect();
        let law = AgeLaw::through(&points, Some(2.0));
        let grid = Grid::new(0.5, 4.0, TimeUnit::Day).expect("a grid");
        let ours = m1_limit(&law, &[1.0, 1.0], &grid);
        for (x, ours) in grid.xs().zip(ours) {
            let tail = ((1.0 + x).powi(-2) - (2.0 + x).powi(-2)) / 0.75;
            assert!((ours - (1.0 - tail)).abs() < 1e-4);
        }
    }
}
