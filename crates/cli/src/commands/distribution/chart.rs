//! The tails as a picture.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Shape, Stroke};
use recrawl_distribution::parametric::LawKind;
use recrawl_distribution::{Estimates, Grid};

use super::record::{Answered, PointRecord};

/// The least tail an axis shows: below it lies noise.
const LOWEST_TAIL: f64 = 1e-4;

/// The tails of ages and lifetimes on logarithmic axes, with intervals, and
/// the exponential law for comparison. For a method that tells neither, its own
/// tail, between the two it lies between.
pub(super) fn tails(answered: &Answered<'_>, grid: &Grid) -> Figure {
    let distribution = &answered.study.distribution;
    let points = answered.points();
    let mut series = match distribution.method.estimates() {
        Estimates::Age => own_tails(&points),
        Estimates::Neither => neither_tails(answered, &points),
    };
    let exponential = answered
        .study
        .parametric
        .iter()
        .find(|fit| fit.law.kind() == LawKind::Exponential);
    if let Some(fit) = exponential {
        series.push(Series {
            label: "fitted exponential law".to_owned(),
            points: grid.xs().map(|x| (x, fit.law.update_tail(x))).collect(),
            band: Vec::new(),
            stroke: Stroke::Dotted,
            shape: Shape::Line,
        });
    }
    let unit = answered.unit;
    let banded = if answered.study.bands.is_some() {
        format!("; hatched: {:.0} % intervals", answered.confidence * 100.0)
    } else {
        String::new()
    };
    Figure {
        title: format!("Ages and lifetimes of {}", shortened(answered.page)),
        subtitle: format!(
            "method {}, {} visits, {} saw a change{banded}",
            distribution.method,
            answered.samples.visits(),
            answered.samples.changes()
        ),
        layout: Layout::Stacked,
        panels: vec![Panel {
            title: String::new(),
            x: Axis::logarithmic(
                &format!("length x, {unit}s"),
                grid.bin(),
                grid.max().max(grid.bin() * 2.0),
            ),
            y: Axis::logarithmic("probability of exceeding x", lowest(&series), 1.0),
            series,
        }],
    }
}

fn own_tails(points: &[PointRecord]) -> Vec<Series> {
    vec![
        Series {
            label: "age, 1 - G(x)".to_owned(),
            points: points
                .iter()
                .filter_map(|p| Some((p.x, 1.0 - p.age_cdf?)))
                .collect(),
            band: points
                .iter()
                .filter_map(|p| Some((p.x, 1.0 - p.age_high?, 1.0 - p.age_low?)))
                .collect(),
            stroke: Stroke::Solid,
            shape: Shape::Line,
        },
        Series {
            label: "lifetime, 1 - F(x)".to_owned(),
            points: points
                .iter()
                .filter_map(|p| Some((p.x, 1.0 - p.update_cdf?)))
                .collect(),
            band: points
                .iter()
                .filter_map(|p| Some((p.x, 1.0 - p.update_high?, 1.0 - p.update_low?)))
                .collect(),
            stroke: Stroke::Dashed,
            shape: Shape::Line,
        },
    ]
}

/// A method that tells neither lies between ages and lifetimes, which come
/// from maximum likelihood here.
fn neither_tails(answered: &Answered<'_>, points: &[PointRecord]) -> Vec<Series> {
    let layers = &answered.study.sandwich.layers;
    vec![
        Series::line(
            "age, 1 - G(x), by npmle",
            Stroke::Solid,
            layers
                .iter()
                .map(|layer| (layer.x, layer.age_tail))
                .collect(),
        ),
        Series::line(
            "lifetime, 1 - F(x), by npmle",
            Stroke::Dashed,
            layers
                .iter()
                .map(|layer| (layer.x, layer.update_tail))
                .collect(),
        ),
        Series {
            label: format!("{}, neither", answered.study.distribution.method),
            points: points
                .iter()
                .filter_map(|p| Some((p.x, 1.0 - p.cdf?)))
                .collect(),
            band: points
                .iter()
                .filter_map(|p| Some((p.x, 1.0 - p.cdf_high?, 1.0 - p.cdf_low?)))
                .collect(),
            stroke: Stroke::DashDot,
            shape: Shape::Line,
        },
    ]
}

/// The decade below the smallest tail of a measured curve, within reason.
fn lowest(series: &[Series]) -> f64 {
    let smallest = series
        .iter()
        .filter(|series| series.stroke != Stroke::Dotted)
        .flat_map(|series| &series.points)
        .map(|point| point.1)
        .filter(|&tail| tail > LOWEST_TAIL)
        .fold(0.5, f64::min);
    10f64.powf(smallest.log10().floor()).max(LOWEST_TAIL)
}

/// A name that fits above a chart.
fn shortened(page: &str) -> String {
    const MOST: usize = 60;
    if page.chars().count() <= MOST {
        return page.to_owned();
    }
    let kept: String = page.chars().take(MOST - 1).collect();
    format!("{kept}…")
}
