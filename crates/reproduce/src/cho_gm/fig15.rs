//! Fig. 15: how often to visit to tell weekly from monthly pages.

use recrawl_chart::{Axis, Series, Stroke};

use super::classes::{MONTH, WEEK, classes, classified_monthly, exactly_monthly};
use crate::support::figures::single;
use crate::support::numbers::log_grid;
use crate::{Findings, Judge, ReproduceError, Setup};

/// Visits of each page; the paper's number is lost.
const VISITS: usize = 10;

/// Days between visits of the curves.
const INTERVALS: [f64; 5] = [1.0, 7.0, 10.0, 30.0, 60.0];

/// Share of pages classified as monthly over their rate.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let pages = setup.scale.pick(40_000, 2_000);
    let classes = classes()?;
    let mut judge = Judge::new();
    let mut series = Vec::new();
    let mut errors = Vec::new();
    for (number, days) in INTERVALS.into_iter().enumerate() {
        let mut wrong = 0.0;
        for (place, mean_days) in [MONTH, WEEK].into_iter().enumerate() {
            let exact = exactly_monthly(1.0 / mean_days, days, VISITS);
            let seed = setup.seed + (number * 100 + place) as u64;
            let found = classified_monthly(&classes, 1.0 / mean_days, days, VISITS, pages, seed);
            let error = (exact * (1.0 - exact) / pages as f64).sqrt();
            judge.exact(
                format!(
                    "P(classified monthly), a change every {mean_days} days, visits every {days}"
                ),
                exact,
                found,
                super::chance(error),
            );
            wrong += if place == 0 { 1.0 - found } else { found };
        }
        errors.push(wrong);
        let curve = log_grid(0.005, 1.0, 120)
            .into_iter()
            .map(|rate| (rate, exactly_monthly(rate, days, VISITS)))
            .collect();
        series.push(Series::line(
            &format!("every {days} days"),
            Stroke::nth(number),
            curve,
        ));
    }
    let (inside, outside) = (&errors[1..4], [errors[0], errors[4]]);
    let holds: Vec<bool> = inside
        .iter()
        .flat_map(|inner| outside.iter().map(move |outer| inner < outer))
        .collect();
    judge.claim(
        "fewer pages misplaced with visits every 7 to 30 days than every 1 or 60",
        &holds,
        "the paper's range of good intervals is another one here",
    );
    let figure = single(
        "Pages classified as monthly, by visit interval",
        "classes of 7 and 30 days, ten visits; 1/30 = 0.033 and 1/7 = 0.143 changes a day",
        Axis::logarithmic("rate, changes per day", 0.005, 1.0),
        Axis::linear("P(classified monthly)", 0.0, 1.0),
        series,
    );
    Ok(Findings::of(figure, judge, Vec::new()))
}
