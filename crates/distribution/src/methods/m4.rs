//! M4: ages rounded up to whole visit intervals, constant visits.

use super::lattice::{Lattice, interpolate};
use super::{Outline, from_age};
use crate::{Grid, Method, Samples};

/// Keeps Δ at a visit that saw a change and one Δ more at each that did not,
/// from the first detected change on (equation 19). At `x_n = n Δ` the share
/// of values up to x tends to `G_U(x_n)` (theorem 7).
pub(super) fn outline(samples: &Samples, grid: &Grid) -> Outline {
    let lattice = Lattice::of(samples);
    let times = samples.times();
    let mut values: Vec<u64> = Vec::with_capacity(samples.visits());
    for run in &samples.runs()[1..] {
        let before = times[run.visits.start - 1];
        values.extend(
            times[run.visits.clone()]
                .iter()
                .map(|at| lattice.steps(at - before)),
        );
    }
    let mut at_step = vec![0u64; values.iter().max().map_or(0, |&most| most as usize)];
    for &value in &values {
        at_step[value as usize - 1] += 1;
    }
    let total = values.len() as f64;
    let curve: Vec<f64> = at_step
        .iter()
        .scan(0, |below, &count| {
            *below += count;
            Some(*below as f64 / total)
        })
        .collect();
    let mut outline = of_curve(&lattice, &curve, grid);
    outline.kept = values.len() as u64;
    outline.mean_kept = Some(values.iter().sum::<u64>() as f64 / total * lattice.length);
    outline.warnings.extend(lattice.warning(Method::M4));
    outline
}

/// The outline of a curve of ages known at whole visit intervals.
pub(super) fn of_curve(lattice: &Lattice, curve: &[f64], grid: &Grid) -> Outline {
    let mut outline = Outline {
        cdf: lattice
            .steps_at(grid)
            .map(|steps| Some(interpolate(curve, steps as f64)))
            .collect(),
        age: Some(
            lattice
                .steps_at(grid)
                .zip(grid.xs())
                .map(|(steps, x)| interpolate(curve, (x / lattice.length).max(steps as f64)))
                .collect(),
        ),
        ..Outline::default()
    };
    let corners: Vec<_> = curve
        .iter()
        .enumerate()
        .map(|(step, &cdf)| ((step + 1) as f64 * lattice.length, cdf))
        .collect();
    let value = |x: f64| interpolate(curve, x / lattice.length);
    from_age::finish(
        &mut outline,
        grid,
        &corners,
        value,
        lattice.slope_steps(curve),
    );
    outline
}
