//! Li, Cline, Loguinov: Temporal Update Dynamics under Blind Sampling. Updates
//! are Pareto with shape 3 and scale 1, two a unit of time, unless said.

pub(crate) mod fig12;
pub(crate) mod fig14;
pub(crate) mod fig15;
pub(crate) mod fig4;
pub(crate) mod fig5;
pub(crate) mod fig6;
pub(crate) mod fig7;
pub(crate) mod fig8;
pub(crate) mod fig9;
pub(crate) mod table1;

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};
use recrawl_distribution::{Grid, Method, Samples, estimate};

use crate::{Grounds, Judge, ReproduceError};

/// What a simulated curve may be off by.
const NOISE: f64 = 0.01;

/// Points a curve is judged at.
const JUDGED: [f64; 3] = [0.5, 1.0, 3.0];

/// A method's own curve at bin, 2 bin, … max.
fn curve(
    method: Method,
    samples: &Samples,
    bin: f64,
    max: f64,
) -> Result<Vec<(f64, f64)>, ReproduceError> {
    let grid = Grid::new(bin, max, samples.unit())?;
    let distribution = estimate(method, samples, &grid)?;
    Ok(distribution
        .points
        .iter()
        .filter_map(|point| Some((point.x, point.cdf?)))
        .collect())
}

/// One minus a curve, where anything is left of it.
fn tail(curve: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let tails = curve.iter().map(|&(x, cdf)| (x, 1.0 - cdf));
    tails.filter(|point| point.1 > 0.0).collect()
}

/// The tail of a law at some places.
fn exact_tail(places: &[f64], cdf: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    places.iter().map(|&x| (x, 1.0 - cdf(x))).collect()
}

/// Judges a curve against the exact one at [`JUDGED`].
fn judge_curve(
    judge: &mut Judge,
    what: &str,
    ours: &[(f64, f64)],
    exact: impl Fn(f64) -> f64,
    tolerance: f64,
) {
    let mut last = 0.0;
    for place in JUDGED {
        let Some(&(x, value)) = ours.iter().find(|point| point.0 >= place * (1.0 - 1e-9)) else {
            continue;
        };
        if x == last {
            continue; // a coarse curve has one point for two places
        }
        last = x;
        judge.exact(
            format!("{what} at x = {}", crate::rounded(x)),
            exact(x),
            value,
            Grounds {
                tolerance,
                basis: "within the noise of one simulated path",
                because: "farther off than the noise of one path",
            },
        );
    }
}

/// A panel of tails on logarithmic axes.
fn tails_panel(title: &str, series: Vec<Series>) -> Panel {
    Panel {
        title: title.to_owned(),
        x: Axis::logarithmic("x", 0.1, 20.0),
        y: Axis::logarithmic("probability of exceeding x", 1e-3, 1.0),
        series,
    }
}

/// A figure of panels side by side.
fn figure(title: &str, subtitle: &str, panels: Vec<Panel>) -> Figure {
    Figure {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        layout: Layout::SideBySide,
        panels,
    }
}

/// A reference line.
fn reference(label: &str, points: Vec<(f64, f64)>) -> Series {
    Series::line(label, Stroke::Dotted, points)
}
