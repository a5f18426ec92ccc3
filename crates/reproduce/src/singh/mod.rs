//! Singh: Estimating the Rate of Web Page Updates. The UCLA and proxy data are
//! lost; piecewise synthetic pages and real pages of today stand in.

pub(crate) mod corrections;
pub(crate) mod fig1;
pub(crate) mod table1;
pub(crate) mod table2;
pub(crate) mod table3;
pub(crate) mod table4;

mod pages;
mod piecewise;
mod prediction;
mod windows;

use recrawl_chart::Axis;

/// The four estimators in the order of the paper's tables.
const ESTIMATORS: [&str; 4] = ["Cho", "Matloff", "Weibull", "Duane"];

/// Why levels differ, whatever the table.
const OTHER_DATA: &str =
    "the data are others: the paper's are lost, and its test of consistency is not fully defined";

/// An axis of errors: linear from 0, as printed, for synthetic pages; for real
/// ones logarithmic, because one window of few points can hold a huge error.
fn error_axis(set: &pages::Dataset, values: impl Iterator<Item = f64>) -> Axis {
    const LABEL: &str = "mean square error";
    if set.stands_for == pages::Print::Synthetic {
        return Axis::from_zero(LABEL, values);
    }
    let shown = values.filter(|value| *value > 0.0);
    let (low, high) = shown.fold((1.0f64, 1.0f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    Axis::logarithmic(LABEL, low / 2.0, high * 2.0)
}

/// What is said under every table about the data.
fn data_note(datasets: &[pages::Dataset]) -> String {
    let told: Vec<String> = datasets
        .iter()
        .map(|set| format!("{} ({})", set.name, set.about))
        .collect();
    format!(
        "Data: {}. Pages with fewer than four updates seen are left out, as in the paper.",
        told.join("; ")
    )
}
