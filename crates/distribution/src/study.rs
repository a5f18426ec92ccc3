//! All there is to say about a page's law: [`Study`].

use crate::ageing::{Ageing, lean};
use crate::bootstrap::{Band, Bootstrap, LEAST_RUNS};
use crate::npmle::Npmle;
use crate::parametric::{Fit, fit_all};
use crate::sandwich::{Sandwich, sandwich};
use crate::{Distribution, DistributionError, Grid, Method, Samples, Warning, estimate};

/// A method's distribution with intervals and company.
#[derive(Debug, Clone)]
pub struct Study {
    /// The method's answer.
    pub distribution: Distribution,
    /// Intervals, unless runs are too few.
    pub bands: Option<Bands>,
    /// Laws of few numbers, best first.
    pub parametric: Vec<Fit>,
    /// How ages lean, unless runs are too few to say.
    pub ageing: Option<Ageing>,
    /// M1 or M3 between the tails of lifetimes and ages.
    pub sandwich: Sandwich,
}

/// Intervals by resampling runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Bands {
    /// Of the mean update.
    pub mean_update: Option<Band>,
    /// Of the rate.
    pub rate: Option<Band>,
    /// At each point.
    pub points: Vec<PointBands>,
}

/// Intervals at one point, `None` where the method gives no value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointBands {
    /// Of the method's own curve.
    pub cdf: Option<Band>,
    /// Of `G_U`.
    pub age_cdf: Option<Band>,
    /// Of `F_U`.
    pub update_cdf: Option<Band>,
}

impl Study {
    /// Studies `samples` by `method` at the points of `grid`.
    ///
    /// # Errors
    /// As [`estimate`].
    pub fn new(
        method: Method,
        samples: &Samples,
        grid: &Grid,
        bootstrap: Bootstrap,
    ) -> Result<Self, DistributionError> {
        let mut distribution = estimate(method, samples, grid)?;
        let shape_free = Npmle::fit(samples);
        let law = distribution.law.clone().unwrap_or_else(|| shape_free.law());
        let (bands, ageing) = resampled(method, samples, grid, bootstrap).unzip();
        if bands.is_none() {
            distribution.warnings.push(Warning::NoIntervals {
                runs: samples.changes(),
                needed: LEAST_RUNS,
            });
        }
        Ok(Self {
            parametric: fit_all(samples, &shape_free),
            sandwich: sandwich(samples, &law, grid),
            distribution,
            bands,
            ageing: ageing.flatten(),
        })
    }
}

/// Intervals and leaning from resampled paths; `None` if runs are too few.
fn resampled(
    method: Method,
    samples: &Samples,
    grid: &Grid,
    bootstrap: Bootstrap,
) -> Option<(Bands, Option<Ageing>)> {
    if samples.changes() < LEAST_RUNS || bootstrap.replicates == 0 {
        return None;
    }
    let mut drawn: Vec<Distribution> = Vec::with_capacity(bootstrap.replicates);
    let mut leans = Vec::with_capacity(bootstrap.replicates);
    for path in bootstrap.paths(samples) {
        let Ok(distribution) = estimate(method, &path, grid) else {
            continue;
        };
        leans.push(match (method, &distribution.law) {
            (Method::Npmle, Some(law)) => lean(law),
            _ => lean(&Npmle::fit(&path).law()),
        });
        drawn.push(distribution);
    }
    let band = |value: &dyn Fn(&Distribution) -> Option<f64>| {
        bootstrap.band(drawn.iter().filter_map(value).collect())
    };
    let points = (0..grid.points())
        .map(|n| PointBands {
            cdf: band(&|one| one.points[n].cdf),
            age_cdf: band(&|one| one.points[n].age_cdf),
            update_cdf: band(&|one| one.points[n].update_cdf),
        })
        .collect();
    let bands = Bands {
        mean_update: band(&|one| one.mean_update),
        rate: band(&|one| one.rate),
        points,
    };
    let ageing = bootstrap.band(leans).map(Ageing::from_band);
    Some((bands, ageing))
}
