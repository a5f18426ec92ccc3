//! Moments at which a page is taken to have changed, for the methods that
//! follow a rate through time.

use recrawl_model::{History, Timestamp};

use crate::{Estimate, Evidence, Tally};

/// Where in an interval with a change, but without a usable date, the update
/// is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// Halfway (Singh section 1.2).
    #[default]
    Middle,
    /// At the visit that saw it.
    End,
}

/// Update points of a history in order of time: the last-modified time where
/// it lies inside the interval that changed, else a point placed in it.
///
/// At most one update an interval is seen (Singh section 1.1).
pub fn update_points(
    history: History<'_>,
    placement: Placement,
) -> impl Iterator<Item = Timestamp> + '_ {
    history
        .intervals()
        .filter(|interval| interval.changed)
        .map(move |interval| {
            let inside = |date: &Timestamp| *date > interval.start && *date <= interval.end;
            interval
                .last_modified
                .filter(inside)
                .unwrap_or_else(|| match placement {
                    Placement::Middle => interval.start.midpoint(interval.end),
                    Placement::End => interval.end,
                })
        })
}

/// Why methods that follow one page's clock do not pool.
const NOT_POOLED: &str =
    "follows one page through time and cannot pool several; ask by page, or use cho";

/// The counts and the update points, in days from the first usable visit, that
/// [`crate::Weibull`] and [`crate::Duane`] start from; the answer to give where
/// there is no single page or nothing to compare.
pub(crate) fn points_of_one_page(
    method: &'static str,
    histories: &[History<'_>],
    placement: Placement,
) -> Result<(Tally, Vec<f64>), Box<Estimate>> {
    let tally = Evidence::of(histories).tally();
    let [history] = histories else {
        return Err(Box::new(Estimate::none(method, tally, NOT_POOLED)));
    };
    let Some(origin) = history.intervals().next().map(|interval| interval.start) else {
        return Err(Box::new(Estimate::no_interval(method, tally)));
    };
    let points = update_points(*history, placement)
        .map(|at| at.days_since(origin))
        .collect();
    Ok((tally, points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::{HistoryBuf, Observation, Outcome};

    #[test]
    fn dates_inside_the_interval_are_taken_and_others_placed() {
        let at = Timestamp::from_seconds;
        let mut history = HistoryBuf::new();
        for seen in [
            Observation::new(at(0), Outcome::First),
            Observation::new(at(10), Outcome::Changed).with_last_modified(at(3)),
            Observation::new(at(20), Outcome::Changed).with_last_modified(at(3)),
            Observation::new(at(30), Outcome::Unchanged),
            Observation::new(at(40), Outcome::Changed),
        ] {
            history.push(seen).expect("in order");
        }
        let points = |placement| -> Vec<_> { update_points(history.view(), placement).collect() };
        assert_eq!(points(Placement::Middle), [at(3), at(15), at(35)]);
        assert_eq!(points(Placement::End), [at(3), at(20), at(40)]);
    }
}
