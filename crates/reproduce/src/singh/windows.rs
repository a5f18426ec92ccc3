//! Errors of the four estimators in every consistent window.

use rayon::prelude::*;
use recrawl_estimate::{
    DuaneVariant, LocalRates, LocalWindow, Method, Settings, State, WeibullVariant, Windowing,
};

use super::pages::Dataset;
use crate::ReproduceError;

/// Fewest points of a window that counts.
const LEAST_POINTS: usize = 4;

/// One consistent window and the mean square error, in access units squared,
/// of Cho, Matloff, Weibull and Duane in it.
pub(super) struct Judged {
    pub(super) state: State,
    pub(super) points: usize,
    pub(super) errors: [f64; 4],
}

/// Every window of every page, threshold 3.
pub(super) fn judged(
    dataset: &Dataset,
    weibull: WeibullVariant,
) -> Result<Vec<Judged>, ReproduceError> {
    let settings = Settings {
        weibull,
        duane: DuaneVariant::Cumulative,
        ..Settings::default()
    };
    let rates = LocalRates::new(Windowing::default(), settings)?;
    let found: Vec<Vec<Judged>> = dataset
        .pages
        .par_iter()
        .map(|page| {
            let report = rates.report(page.history.view());
            report
                .windows
                .iter()
                .filter(|window| window.updates >= LEAST_POINTS)
                .filter_map(|window| errors(window, dataset.unit_days))
                .collect()
        })
        .collect();
    Ok(found.into_iter().flatten().collect())
}

fn errors(window: &LocalWindow, unit_days: f64) -> Option<Judged> {
    let of = |method: Method| {
        let rate = window
            .rates
            .iter()
            .find(|rate| rate.method == method.name())?;
        Some(rate.mean_square_error? / unit_days.powi(2))
    };
    // Where every visit saw a change Matloff's rate is infinite: it expects
    // the next update at once, and every gap is one unit.
    let matloff = of(Method::Matloff).unwrap_or(1.0);
    Some(Judged {
        state: window.state,
        points: window.updates,
        errors: [
            of(Method::Cho)?,
            matloff,
            of(Method::Weibull)?,
            of(Method::Duane)?,
        ],
    })
}

/// Mean error of each estimator over the windows that `wanted` names; `None`
/// of none.
pub(super) fn mean_errors(
    windows: &[Judged],
    wanted: impl Fn(&Judged) -> bool,
) -> Option<[f64; 4]> {
    let mut sums = [0.0; 4];
    let mut count = 0.0;
    for window in windows.iter().filter(|window| wanted(window)) {
        count += 1.0;
        for (sum, error) in sums.iter_mut().zip(window.errors) {
            *sum += error;
        }
    }
    (count > 0.0).then(|| sums.map(|sum| sum / count))
}
