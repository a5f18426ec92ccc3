//! Table 2: mean square error of the estimators by kind of window.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};
use recrawl_estimate::{State, WeibullVariant};

use super::pages::{Dataset, Print, datasets};
use super::windows::{Judged, judged, mean_errors};
use super::{ESTIMATORS, OTHER_DATA, data_note, error_axis};
use crate::{Findings, Grounds, Judge, Member, ReproduceError, Setup, Table, number};

const COLUMNS: [&str; 8] = [
    "dataset",
    "weibull",
    "class",
    "cho",
    "matloff",
    "weibull_error",
    "duane",
    "windows",
];

const CLASSES: [&str; 4] = ["total", "constant", "increasing", "decreasing"];

/// Published errors of Cho, Matloff, Weibull and Duane by class.
const SYNTHETIC: [[f64; 4]; 4] = [
    [3.849, 3.925, 2.363, 2.956],
    [0.639, 0.745, 0.2488, 0.339],
    [13.094, 13.174, 7.955, 10.307],
    [5.19, 5.248, 3.274, 4.059],
];
const REAL: [[f64; 4]; 4] = [
    [2.379, 2.471, 1.363, 1.802],
    [0.642, 0.753, 0.245, 0.348],
    [5.9, 5.979, 4.069, 4.633],
    [4.23, 4.296, 2.513, 3.359],
];

const VARIANTS: [(WeibullVariant, &str); 2] = [
    (WeibullVariant::Check, "check, the paper's choice"),
    (WeibullVariant::Tilde, "tilde"),
];

fn of_class(windows: &[Judged], class: usize) -> Option<[f64; 4]> {
    let wanted = [
        None,
        Some(State::Constant),
        Some(State::Increasing),
        Some(State::Decreasing),
    ][class];
    mean_errors(windows, |window| {
        wanted.is_none_or(|state| window.state == state)
    })
}

/// Errors by class of window, for every data set and two Weibull rates.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let datasets = datasets(setup)?;
    let mut table = Table::new(&COLUMNS);
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for set in &datasets {
        for (variant, named) in VARIANTS {
            let windows = judged(set, variant)?;
            let errors: Vec<Option<[f64; 4]>> =
                (0..4).map(|class| of_class(&windows, class)).collect();
            for (class, errors) in errors.iter().enumerate() {
                let Some(errors) = errors else { continue };
                let mut row = vec![
                    set.name.to_owned(),
                    named.to_owned(),
                    CLASSES[class].to_owned(),
                ];
                row.extend(errors.map(number));
                row.push(windows.len().to_string());
                table.rows.push(row);
            }
            if variant == WeibullVariant::Check {
                compare(&mut judge, set, &errors);
                panels.push(panel(set, &errors));
            }
            judge.claim(
                format!(
                    "{}: Weibull < Duane < Cho < Matloff in every class, Weibull {named}",
                    set.name
                ),
                &in_order(&errors),
                "the order of the table is not that of these windows",
            );
        }
    }
    let figure = Figure {
        title: "Error of the estimators by kind of window".to_owned(),
        subtitle: "mean square error in access units squared, threshold 3, Weibull check"
            .to_owned(),
        layout: Layout::SideBySide,
        panels,
    };
    Ok(Findings {
        table,
        figure,
        rows: judge.rows(),
        notes: vec![
            data_note(&datasets),
            "The paper's own choice, check, corrects the rate and not the time between updates: with four points it \
             halves the one and doubles the other, which costs more than it gains."
                .to_owned(),
        ],
    })
}

fn printed(set: &Dataset) -> [[f64; 4]; 4] {
    match set.stands_for {
        Print::Synthetic => SYNTHETIC,
        Print::Real => REAL,
    }
}

fn compare(judge: &mut Judge, set: &Dataset, errors: &[Option<[f64; 4]>]) {
    for (class, errors) in errors.iter().enumerate() {
        let Some(errors) = errors else { continue };
        let print = printed(set)[class];
        let members: Vec<Member> = (0..4)
            .map(|place| Member {
                quantity: format!(
                    "{}: error of {}, {} windows",
                    set.name, ESTIMATORS[place], CLASSES[class]
                ),
                published: print[place],
                ours: errors[place],
            })
            .collect();
        let grounds = Grounds {
            tolerance: crate::rounded(0.15 * print[2]),
            basis: "within 15 % of the least error printed for the class",
            because: OTHER_DATA,
        };
        judge.family(&members, grounds);
    }
}

/// Whether each neighbouring pair is in the printed order, class by class.
fn in_order(errors: &[Option<[f64; 4]>]) -> Vec<bool> {
    let pairs = |errors: &[f64; 4]| {
        [
            errors[2] < errors[3],
            errors[3] < errors[0],
            errors[0] < errors[1],
        ]
    };
    errors.iter().flatten().flat_map(pairs).collect()
}

fn panel(set: &Dataset, errors: &[Option<[f64; 4]>]) -> Panel {
    let print = printed(set);
    let place = |class: usize, estimator: usize| class as f64 + (estimator as f64 - 1.5) * 0.2;
    let mut series: Vec<Series> = (0..4)
        .map(|estimator| {
            let points = (0..4)
                .filter_map(|class| Some((class as f64, errors[class]?[estimator])))
                .collect();
            Series::bars(ESTIMATORS[estimator], Stroke::nth(estimator), points)
        })
        .collect();
    let diamonds: Vec<(f64, f64)> = (0..16)
        .map(|cell| (place(cell / 4, cell % 4), print[cell / 4][cell % 4]))
        .collect();
    let highest = series
        .iter()
        .flat_map(|series| &series.points)
        .chain(&diamonds);
    let y = error_axis(set, highest.map(|point| point.1));
    series.push(Series::published("published", diamonds));
    Panel {
        title: set.name.to_owned(),
        x: Axis::names("kind of window", &CLASSES),
        y,
        series,
    }
}
