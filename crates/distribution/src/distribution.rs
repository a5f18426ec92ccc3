//! A method's answer: [`Distribution`].

use crate::methods::outline;
use crate::phase_lock::phase_lock;
use crate::{AgeLaw, DistributionError, Grid, Method, Samples, Warning};

/// Detected changes below which the shape of a curve means little.
const FEW_CHANGES: usize = 10;

/// The distribution of a page's ages and lifetimes by one method.
#[derive(Debug, Clone)]
pub struct Distribution {
    /// The method.
    pub method: Method,
    /// The curve at bin, 2 bin, … max.
    pub points: Vec<Point>,
    /// Mean time between updates, `E[U]`, where the method gives it.
    pub mean_update: Option<f64>,
    /// Updates per unit of time, 1 / `mean_update`.
    pub rate: Option<f64>,
    /// The papers' p: share of intervals between visits that saw a change.
    pub retained: f64,
    /// Values the curve was made from: ages, lengths, pairs or visits.
    pub kept: u64,
    /// Their mean, for methods that keep lengths: `E[D]` of the paper.
    pub mean_kept: Option<f64>,
    /// The smallest lifetime allowed, for maximum likelihood.
    pub smallest_lifetime: Option<f64>,
    /// `G_U` for staleness and policies, where the method gives it.
    pub law: Option<AgeLaw>,
    /// Reasons to doubt the answer.
    pub warnings: Vec<Warning>,
}

/// A curve at one point; `None` where the method cannot tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The length.
    pub x: f64,
    /// The method's own curve as the paper defines it.
    pub cdf: Option<f64>,
    /// `G_U(x)`, the distribution of ages.
    pub age_cdf: Option<f64>,
    /// `F_U(x)`, the distribution of lifetimes.
    pub update_cdf: Option<f64>,
}

/// The distribution by `method` at the points of `grid`.
///
/// # Errors
/// Ages missing for an age method, or too few changes for M3 and M5.
pub fn estimate(
    method: Method,
    samples: &Samples,
    grid: &Grid,
) -> Result<Distribution, DistributionError> {
    let outline = outline(method, samples, grid)?;
    let mut warnings = samples.warnings();
    warnings.extend(doubts(method, samples));
    warnings.extend(outline.warnings);
    let points = (0..grid.points())
        .map(|n| Point {
            x: grid.x(n + 1),
            cdf: outline.cdf[n],
            age_cdf: outline.age.as_ref().map(|curve| curve[n]),
            update_cdf: outline.update.as_ref().map(|curve| curve[n]),
        })
        .collect();
    let rate = outline.law.as_ref().map(AgeLaw::rate);
    Ok(Distribution {
        method,
        points,
        mean_update: rate.map(f64::recip),
        rate,
        retained: samples.retained(),
        kept: outline.kept,
        mean_kept: outline.mean_kept,
        smallest_lifetime: outline.smallest_lifetime,
        law: outline.law,
        warnings,
    })
}

/// What the visits give reason to doubt, whatever the curve.
fn doubts(method: Method, samples: &Samples) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = phase_lock(samples).into_iter().collect();
    if samples.changes() < FEW_CHANGES {
        warnings.push(Warning::FewChanges {
            changes: samples.changes(),
        });
    }
    let missing = samples.ages().filter(Option::is_none).count();
    if method.needs_ages() {
        if missing > 0 {
            warnings.push(Warning::MissingAges {
                missing,
                visits: samples.visits(),
            });
        }
    } else if let Some(interval) = samples.constant_interval()
        && (missing > 0 || method != Method::Npmle)
    {
        warnings.push(Warning::UnseenBelow {
            visit_interval: samples.in_unit(interval),
        });
    }
    warnings
}
