//! Fig. 1: mean square error over the size of the window.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};
use recrawl_estimate::WeibullVariant;

use super::pages::datasets;
use super::windows::{judged, mean_errors};
use super::{ESTIMATORS, data_note, error_axis};
use crate::{Findings, Judge, ReproduceError, Setup};

/// Sizes that are taken together: from, to (inclusive).
const SIZES: [(usize, usize); 8] = [
    (4, 4),
    (5, 5),
    (6, 7),
    (8, 9),
    (10, 14),
    (15, 19),
    (20, 24),
    (25, 30),
];

/// Sizes the text calls small.
const SMALL: usize = 4;

/// Errors by size for every data set. The paper's curves have no numbers; its
/// three sentences about them are judged.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let datasets = datasets(setup)?;
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for set in &datasets {
        for (variant, named) in [
            (WeibullVariant::Check, "check"),
            (WeibullVariant::Tilde, "tilde"),
        ] {
            let windows = judged(set, variant)?;
            let by_size: Vec<(f64, [f64; 4])> = SIZES
                .into_iter()
                .filter_map(|(from, to)| {
                    let errors =
                        mean_errors(&windows, |window| (from..=to).contains(&window.points))?;
                    Some((f64::midpoint(from as f64, to as f64), errors))
                })
                .collect();
            if by_size.len() < 2 {
                continue;
            }
            let label = format!("{}, Weibull {named}", set.name);
            claims(&mut judge, &label, &by_size);
            let series: Vec<Series> = (0..4)
                .map(|estimator| {
                    let points = by_size
                        .iter()
                        .map(|(size, errors)| (*size, errors[estimator]))
                        .collect();
                    Series::line(ESTIMATORS[estimator], Stroke::nth(estimator), points)
                })
                .collect();
            let values = series
                .iter()
                .flat_map(|series| &series.points)
                .map(|point| point.1);
            panels.push(Panel {
                title: label,
                x: Axis::linear("update points in the window", 0.0, 30.0),
                y: error_axis(set, values),
                series,
            });
        }
    }
    let figure = Figure {
        title: "Error over the size of the window".to_owned(),
        subtitle: "mean square error in access units squared, threshold 3".to_owned(),
        layout: Layout::SideBySide,
        panels,
    };
    Ok(Findings::of(figure, judge, vec![
            data_note(&datasets),
            "The paper prints curves without numbers: its error axes reach 9 (synthetic) and 5 (real).".to_owned(),
        ]))
}

fn claims(judge: &mut Judge, label: &str, by_size: &[(f64, [f64; 4])]) {
    let lowest: Vec<bool> = by_size
        .iter()
        .map(|(_, errors)| (0..4).all(|other| errors[2] <= errors[other]))
        .collect();
    judge.claim(
        format!("{label}: Weibull has the least error at every size"),
        &lowest,
        "another estimator is ahead at some sizes",
    );
    let halved: Vec<bool> = by_size
        .iter()
        .take(SMALL)
        .map(|(_, errors)| errors[2] <= 0.6 * errors[0].min(errors[1]))
        .collect();
    judge.claim(
        format!("{label}: in small windows Weibull has about half the error of Cho and Matloff (at most 0.6)"),
        &halved,
        "it gains less, or nothing, in small windows",
    );
    let falling: Vec<bool> = (0..4)
        .map(|estimator| by_size[by_size.len() - 1].1[estimator] < by_size[0].1[estimator])
        .collect();
    judge.claim(
        format!("{label}: errors are smaller in the largest windows than in the smallest"),
        &falling,
        "large windows of these pages are long, slow ones with large errors",
    );
}
