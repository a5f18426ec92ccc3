//! Figures in the forms that recur.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series};

/// A figure of one panel.
pub(crate) fn single(title: &str, subtitle: &str, x: Axis, y: Axis, series: Vec<Series>) -> Figure {
    Figure {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        layout: Layout::Stacked,
        panels: vec![Panel {
            title: String::new(),
            x,
            y,
            series,
        }],
    }
}

/// Values at the places 0, 1, … of an axis of names.
pub(crate) fn at_places(values: &[f64]) -> Vec<(f64, f64)> {
    let places = values.iter().enumerate();
    places
        .map(|(place, &value)| (place as f64, value))
        .collect()
}

/// Points of a curve whose x are whole numbers.
pub(crate) fn over(xs: &[u32], values: &[f64]) -> Vec<(f64, f64)> {
    let pairs = xs.iter().zip(values);
    pairs.map(|(&x, &value)| (f64::from(x), value)).collect()
}
