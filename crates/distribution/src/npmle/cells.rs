//! What each visit says about the age of the page: [`Cell`].

use crate::Samples;

/// What is known of an age: it lies in a stretch, or it is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Known {
    /// At least `lower` and below `upper`, which is infinite before the first
    /// detected change.
    Within {
        /// Time since the version was first seen.
        lower: f64,
        /// Time since the visit before that one.
        upper: f64,
    },
    /// Told by a last-modified date.
    Exactly(f64),
}

/// What is known of the age at one or more visits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The age.
    pub known: Known,
    /// How many visits know it alike.
    pub visits: f64,
}

/// One cell for each visit, those that say the same taken together.
///
/// At visit j the last detected change lies in `(s_{d-1}, s_d]`, so the age
/// lies in `[s_j - s_d, s_j - s_{d-1})`. The ends of all cells a visit could
/// fall into come from visit times alone, so the censoring tells nothing about
/// the age (case-k interval censoring; Turnbull 1976).
#[must_use]
pub fn cells(samples: &Samples) -> Vec<Cell> {
    let times = samples.times();
    let mut keys: Vec<(i64, i64)> = Vec::with_capacity(times.len());
    for run in samples.runs() {
        let start = run.visits.start;
        for &at in &times[run.visits.clone()] {
            keys.push(match (run.modified, start) {
                (Some(date), _) => (at - date, at - date),
                (None, 0) => (at - times[0], i64::MAX),
                (None, start) => (at - times[start], at - times[start - 1]),
            });
        }
    }
    keys.sort_unstable();
    keys.chunk_by(|a, b| a == b)
        .filter(|alike| alike[0] != (0, i64::MAX)) // an age of anything says nothing
        .map(|alike| Cell {
            known: known(samples, alike[0]),
            visits: alike.len() as f64,
        })
        .collect()
}

fn known(samples: &Samples, (lower, upper): (i64, i64)) -> Known {
    if lower == upper {
        return Known::Exactly(samples.in_unit(lower));
    }
    Known::Within {
        lower: samples.in_unit(lower),
        upper: if upper == i64::MAX {
            f64::INFINITY
        } else {
            samples.in_unit(upper)
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::TimeUnit;

    #[test]
    fn cells_reach_from_first_sight_back_to_the_visit_before() {
        let second = 1_000_000;
        let times = [0, 3, 5, 10, 14, 20].map(|at| at * second).to_vec();
        let changed = vec![false, false, true, false, true, false];
        let samples = Samples::from_path(times, changed, TimeUnit::Second)
            .expect("mixed")
            .with_run_dates(&[None, None, Some(11 * second)]);
        let within = |lower, upper| Known::Within { lower, upper };
        let known: Vec<_> = cells(&samples).iter().map(|cell| cell.known).collect();
        assert_eq!(
            known,
            [
                within(0.0, 2.0),
                Known::Exactly(3.0),
                within(3.0, f64::INFINITY),
                within(5.0, 7.0),
                Known::Exactly(9.0),
            ]
        );
    }

    #[test]
    fn visits_that_say_the_same_are_one_cell() {
        let times = (0..7).map(|at| at * 1_000_000).collect();
        let changed = vec![false, true, false, true, false, true, false];
        let samples = Samples::from_path(times, changed, TimeUnit::Second).expect("mixed");
        let visits: Vec<_> = cells(&samples).iter().map(|cell| cell.visits).collect();
        assert_eq!(visits, [3.0, 3.0]);
    }
}
