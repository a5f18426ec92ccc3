//! Table 1: how many updates the pages have.

use recrawl_chart::{Axis, Series, Stroke};

use super::data_note;
use super::pages::{Print, datasets};
use crate::support::figures::{at_places, single};
use crate::support::numbers::Moments;
use crate::{Findings, Grounds, Judge, Member, ReproduceError, Setup, Table, number};

const COLUMNS: [&str; 4] = ["min", "max", "mean", "deviation"];

/// Published minimum, maximum, mean and deviation of updates a page, and what
/// tells a stand-in.
const SYNTHETIC: [f64; 4] = [4.0, 201.0, 103.0, 45.85];
const REAL: [f64; 4] = [4.0, 57.0, 27.0, 11.46];

/// Updates seen a page in each data set.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let datasets = datasets(setup)?;
    let mut table = Table::new(&["dataset", "min", "max", "mean", "deviation", "pages"]);
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (place, set) in datasets.iter().enumerate() {
        let counts: Vec<f64> = set
            .pages
            .iter()
            .map(|page| page.changed.len() as f64)
            .collect();
        if counts.is_empty() {
            continue;
        }
        let moments = Moments::of(&counts);
        let least = counts.iter().copied().fold(f64::INFINITY, f64::min);
        let most = counts.iter().copied().fold(0.0, f64::max);
        let ours = [least, most, moments.mean, moments.deviation];
        let mut row = vec![set.name.to_owned()];
        row.extend(ours.map(number));
        row.push(counts.len().to_string());
        table.rows.push(row);
        let print = match set.stands_for {
            Print::Synthetic => SYNTHETIC,
            Print::Real => REAL,
        };
        let members: Vec<Member> = (0..4)
            .map(|column| Member {
                quantity: format!("{}: {} of updates a page", set.name, COLUMNS[column]),
                published: print[column],
                ours: ours[column],
            })
            .collect();
        judge.family(&members, grounds(set.stands_for));
        series.push(Series::bars(set.name, Stroke::nth(place), at_places(&ours)));
    }
    for (label, print) in [
        ("published, synthetic", SYNTHETIC),
        ("published, real", REAL),
    ] {
        series.push(Series::published(label, at_places(&print)));
    }
    let figure = single(
        "Updates seen a page",
        "pages with at least four; diamonds are the paper's two data sets",
        Axis::names("", &COLUMNS),
        Axis::linear("updates", 0.0, 210.0),
        series,
    );
    Ok(Findings {
        table,
        figure,
        rows: judge.rows(),
        notes: vec![
            data_note(&datasets),
            "The law of the synthetic pages was chosen to have the paper's mean and deviation."
                .to_owned(),
        ],
    })
}

fn grounds(print: Print) -> Grounds<'static> {
    match print {
        Print::Synthetic => Grounds {
            tolerance: 8.0,
            basis: "the stand-in has the updates of the paper's pages to within 8",
            because: "the stand-in differs from the paper's pages here",
        },
        Print::Real => Grounds {
            tolerance: 2.0,
            basis: "as in the paper to within 2",
            because: "these are other pages, watched for longer",
        },
    }
}
