//! Fig. 14: how surely Bayes tells weekly from monthly pages, by visits.

use recrawl_chart::Axis;
use recrawl_estimate::Evidence;

use super::classes::{MONTH, WEEK, classes, classified_monthly, exactly_monthly};
use super::exact_and_simulated;
use crate::support::figures::single;
use crate::support::numbers::log_grid;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Days between visits; the paper's number is lost.
const DAYS: f64 = 10.0;

/// Share of pages classified as monthly over their rate, and the example of
/// section 6.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let pages = setup.scale.pick(40_000, 2_000);
    let classes = classes()?;
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (number, visits) in [3usize, 10, 20].into_iter().enumerate() {
        let mut ours = Vec::new();
        for (place, mean_days) in [60.0, MONTH, 14.0, WEEK, 4.0].into_iter().enumerate() {
            let rate = 1.0 / mean_days;
            let exact = exactly_monthly(rate, DAYS, visits);
            let seed = setup.seed + (number * 100 + place) as u64;
            let found = classified_monthly(&classes, rate, DAYS, visits, pages, seed);
            if mean_days == MONTH || mean_days == WEEK {
                let error = (exact * (1.0 - exact) / pages as f64).sqrt();
                judge.exact(
                    format!(
                        "P(classified monthly), a change every {mean_days} days, {visits} visits"
                    ),
                    exact,
                    found,
                    super::chance(error),
                );
            }
            ours.push((rate, found));
        }
        let curve = log_grid(0.01, 1.0, 120)
            .into_iter()
            .map(|rate| (rate, exactly_monthly(rate, DAYS, visits)))
            .collect();
        series.extend(exact_and_simulated(
            &format!("{visits} visits"),
            number,
            curve,
            ours,
        ));
    }
    example(&mut judge, &classes);
    let figure = single(
        "Pages classified as monthly",
        "classes of 7 and 30 days, a visit every 10 days; 1/30 = 0.033 and 1/7 = 0.143 changes a day",
        Axis::logarithmic("rate, changes per day", 0.01, 1.0),
        Axis::linear("P(classified monthly)", 0.0, 1.0),
        series,
    );
    Ok(Findings::of(figure, judge, vec!["The visit interval and the numbers of visits are lost; 10 days and 3, 10, 20 visits are ours.".to_owned()]))
}

/// Two changes in visits five days apart.
fn example(judge: &mut Judge, classes: &recrawl_estimate::Category) {
    let grounds = Grounds {
        tolerance: 1e-9,
        basis: "Bayes' theorem itself",
        because: "the classifier is not Bayes' theorem",
    };
    let chance = |mean_days: f64| -(-5.0 / mean_days).exp_m1();
    for changes in [1, 2] {
        let (week, month) = (chance(WEEK).powi(changes), chance(MONTH).powi(changes));
        let seen = Evidence::from_intervals((0..changes).map(|_| (5.0, true)));
        judge.exact(
            format!("example: P(weekly) after {changes} changes in visits 5 days apart"),
            week / (week + month),
            classes.probabilities(&seen)[0],
            grounds,
        );
    }
}
