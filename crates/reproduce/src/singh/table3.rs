//! Table 3: in what share of windows one estimator beats another.

use recrawl_chart::{Axis, Series, Stroke};
use recrawl_estimate::WeibullVariant;

use super::pages::{Print, datasets};
use super::windows::{Judged, judged};
use super::{ESTIMATORS, OTHER_DATA, data_note};
use crate::support::figures::single;
use crate::{Findings, Grounds, Judge, Member, ReproduceError, Setup, Table, number};

const COLUMNS: [&str; 8] = [
    "dataset",
    "weibull",
    "estimator",
    "beats_all",
    "beats_cho",
    "beats_matloff",
    "beats_weibull",
    "beats_duane",
];

/// Published shares in which an estimator beats all the others.
const SYNTHETIC_BEST: [f64; 4] = [0.00002, 0.0, 0.915, 0.085];
const REAL_BEST: [f64; 4] = [0.00002, 0.0, 0.906, 0.094];

/// Published shares in which the first beats the second: row, column, share.
const SYNTHETIC_PAIRS: [(usize, usize, f64); 5] = [
    (2, 0, 0.988),
    (2, 1, 0.99),
    (2, 3, 0.915),
    (3, 0, 0.976),
    (3, 1, 0.985),
];
const REAL_PAIRS: [(usize, usize, f64); 5] = [
    (2, 0, 0.988),
    (2, 1, 0.99),
    (2, 3, 0.906),
    (3, 0, 0.984),
    (3, 1, 0.991),
];

/// Share of windows in which `one` has a smaller error than `other`.
fn beats(windows: &[Judged], one: usize, other: usize) -> f64 {
    let won = windows
        .iter()
        .filter(|window| window.errors[one] < window.errors[other]);
    won.count() as f64 / windows.len().max(1) as f64
}

/// Share of windows in which an estimator has the smallest error of all.
fn best(windows: &[Judged], one: usize) -> f64 {
    let won = windows.iter().filter(|window| {
        (0..4).all(|other| other == one || window.errors[one] < window.errors[other])
    });
    won.count() as f64 / windows.len().max(1) as f64
}

/// The pairwise matrix of every data set, Weibull as the paper chose it and
/// as it does best.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let datasets = datasets(setup)?;
    let mut table = Table::new(&COLUMNS);
    let mut judge = Judge::new();
    let mut series: Vec<Series> = Vec::new();
    let names: Vec<&str> = datasets.iter().map(|set| set.name).collect();
    for (variant, named) in [
        (WeibullVariant::Check, "check"),
        (WeibullVariant::Tilde, "tilde"),
    ] {
        let mut shares = Vec::new();
        for (place, set) in datasets.iter().enumerate() {
            let windows = judged(set, variant)?;
            if windows.is_empty() {
                continue;
            }
            fill(&mut table, (set.name, named), &windows);
            let (bests, pairs) = match set.stands_for {
                Print::Synthetic => (SYNTHETIC_BEST, SYNTHETIC_PAIRS),
                Print::Real => (REAL_BEST, REAL_PAIRS),
            };
            compare(
                &mut judge,
                &format!("{}, {named}", set.name),
                &windows,
                bests,
                pairs,
            );
            shares.push((place as f64, best(&windows, 2)));
        }
        let stroke = Stroke::nth(series.len());
        series.push(Series::bars(
            &format!("Weibull {named} best of all"),
            stroke,
            shares,
        ));
    }
    let printed = datasets
        .iter()
        .enumerate()
        .map(|(place, set)| match set.stands_for {
            Print::Synthetic => (place as f64, SYNTHETIC_BEST[2]),
            Print::Real => (place as f64, REAL_BEST[2]),
        });
    series.push(Series::published("published", printed.collect()));
    let figure = single(
        "Windows in which Weibull has the least error",
        "share of consistent windows, threshold 3",
        Axis::names("data", &names),
        Axis::linear("share of windows", 0.0, 1.0),
        series,
    );
    Ok(Findings {
        table,
        figure,
        rows: judge.rows(),
        notes: vec![data_note(&datasets)],
    })
}

fn compare(
    judge: &mut Judge,
    set: &str,
    windows: &[Judged],
    bests: [f64; 4],
    pairs: [(usize, usize, f64); 5],
) {
    let grounds = Grounds {
        tolerance: 0.03,
        basis: "within 3 % of the windows",
        because: OTHER_DATA,
    };
    let members: Vec<Member> = (0..4)
        .map(|one| Member {
            quantity: format!(
                "{set}: share of windows in which {} is best",
                ESTIMATORS[one]
            ),
            published: bests[one],
            ours: best(windows, one),
        })
        .collect();
    judge.family(&members, grounds);
    let members: Vec<Member> = pairs
        .into_iter()
        .map(|(one, other, published)| Member {
            quantity: format!(
                "{set}: share of windows in which {} beats {}",
                ESTIMATORS[one], ESTIMATORS[other]
            ),
            published,
            ours: beats(windows, one, other),
        })
        .collect();
    judge.family(&members, grounds);
}

/// The matrix of one data set.
fn fill(table: &mut Table, (set, weibull): (&str, &str), windows: &[Judged]) {
    for (one, estimator) in ESTIMATORS.into_iter().enumerate() {
        let mut row = vec![set.to_owned(), weibull.to_owned(), estimator.to_owned()];
        row.push(number(best(windows, one)));
        row.extend((0..4).map(|other| number(beats(windows, one, other))));
        table.rows.push(row);
    }
}
