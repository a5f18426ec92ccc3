//! Has the rate changed over the history, and since when?

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use recrawl_model::{History, Interval, Rate, Timestamp};

use crate::likelihood::rate_of_intervals;
use crate::{Evidence, cho_rate};

/// Simulated histories behind a probability: told to about 1 %.
const DRAWS: usize = 499;

/// Intervals a side of a change needs at the least.
const FEWEST_A_SIDE: usize = 2;

/// How much smaller a jump may be, relative, and still count as large as another:
/// equal ones come out different by rounding alone.
const AS_LARGE_WITHIN: f64 = 1e-9;

/// The likeliest moment at which a page's rate changed, and how likely so clear
/// a change is to show by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// Chance that a page of constant rate, visited at the same times, would
    /// look at least as changed. Small means the rate did change.
    pub p_value: f64,
    /// The visit after which the rate is likeliest to have changed.
    pub since: Timestamp,
    /// Rate before, by `cho`.
    pub before: Rate,
    /// Rate from then on, by `cho`.
    pub after: Rate,
    /// Mean interval from then on, in days.
    pub mean_days_after: f64,
}

impl Drift {
    /// Tests one page. `None` where no test is possible: fewer than four
    /// intervals, no change, or nothing but changes.
    ///
    /// Score test of one jump at an unknown moment. With the likeliest constant
    /// rate and y = rate x interval, an interval's score is `y/(exp(y) - 1)` if
    /// changed, `-y` if not, with variance `y^2/(exp(y) - 1)`; the statistic is
    /// the greatest squared, standardised partial sum. Its law is found by
    /// simulating the page at that constant rate on the same visits (a fixed
    /// seed; irregular visits need no table).
    #[must_use]
    pub fn test(history: History<'_>) -> Option<Self> {
        let intervals: Vec<Interval> = history.intervals().collect();
        let seen: Vec<(f64, bool)> = intervals.iter().map(|i| (i.days(), i.changed)).collect();
        let (statistic, split) = greatest_jump(&seen)?;
        let rate = constant_rate(&seen)?;
        let mut random = Pcg64Mcg::seed_from_u64(seen.len() as u64);
        let mut as_clear = 0;
        let mut drawn = seen.clone();
        for _ in 0..DRAWS {
            for interval in &mut drawn {
                interval.1 = random.random::<f64>() < -(-rate * interval.0).exp_m1();
            }
            let jump = greatest_jump(&drawn);
            as_clear += usize::from(jump.is_some_and(|(jump, _)| is_as_large(jump, statistic)));
        }
        let side = |part: &[(f64, bool)]| Evidence::from_intervals(part.iter().copied());
        let (before, after) = (side(&seen[..split]), side(&seen[split..]));
        Some(Self {
            p_value: (as_clear + 1) as f64 / (DRAWS + 1) as f64,
            since: intervals[split].start,
            before: Rate::per_day(cho_rate(&before)?).ok()?,
            after: Rate::per_day(cho_rate(&after)?).ok()?,
            mean_days_after: after.mean_days()?,
        })
    }
}

/// Whether a jump is at least as large as another, but for rounding.
fn is_as_large(jump: f64, other: f64) -> bool {
    jump >= other * (1.0 - AS_LARGE_WITHIN)
}

/// The likeliest constant rate, in changes a day; `None` if it is 0 or has no
/// bound.
fn constant_rate(seen: &[(f64, bool)]) -> Option<f64> {
    let changed: Vec<f64> = seen.iter().filter(|i| i.1).map(|i| i.0).collect();
    let quiet: f64 = seen.iter().filter(|i| !i.1).map(|i| i.0).sum();
    rate_of_intervals(0.0, &changed, quiet).filter(|&rate| rate > 0.0)
}

/// The greatest standardised squared partial sum of scores, and the index of
/// the first interval after it.
fn greatest_jump(seen: &[(f64, bool)]) -> Option<(f64, usize)> {
    if seen.len() < 2 * FEWEST_A_SIDE {
        return None;
    }
    let rate = constant_rate(seen)?;
    let variance = |days: f64| {
        let y = rate * days;
        y * y / y.exp_m1()
    };
    let total: f64 = seen.iter().map(|&(days, _)| variance(days)).sum();
    let (mut score, mut information) = (0.0, 0.0);
    let mut best = None;
    for (index, &(days, changed)) in seen[..seen.len() - FEWEST_A_SIDE].iter().enumerate() {
        let y = rate * days;
        score += if changed { y / y.exp_m1() } else { -y };
        information += variance(days);
        let jump = score * score * total / (information * (total - information));
        if index + 1 >= FEWEST_A_SIDE && best.is_none_or(|(most, _)| jump > most) {
            best = Some((jump, index + 1));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::{HistoryBuf, Observation, Outcome};

    /// Daily visits to a page of the given rates, one a visit.
    fn page(random: &mut Pcg64Mcg, rates: &[f64]) -> HistoryBuf {
        let at = |day: usize| Timestamp::from_seconds(day as i64 * 86_400);
        let mut history = HistoryBuf::new();
        history
            .push(Observation::new(at(0), Outcome::First))
            .expect("in order");
        for (day, rate) in rates.iter().enumerate() {
            let changed = random.random::<f64>() < -(-rate).exp_m1();
            let outcome = if changed {
                Outcome::Changed
            } else {
                Outcome::Unchanged
            };
            history
                .push(Observation::new(at(day + 1), outcome))
                .expect("in order");
        }
        history
    }

    #[test]
    fn a_constant_page_is_seldom_said_to_drift() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let runs = 200;
        let tests: Vec<f64> = (0..runs)
            .filter_map(|_| Drift::test(page(&mut random, &[0.4; 30]).view()))
            .map(|drift| drift.p_value)
            .collect();
        assert!(tests.len() > 190);
        let alarms = tests.iter().filter(|&&p| p <= 0.1).count() as f64 / tests.len() as f64;
        assert!((0.03..0.18).contains(&alarms), "{alarms}");
    }

    #[test]
    fn a_jump_is_found_near_where_it_happened() {
        let mut random = Pcg64Mcg::seed_from_u64(2);
        let rates: Vec<f64> = (0..80)
            .map(|day| if day < 50 { 0.05 } else { 1.5 })
            .collect();
        let found = (0..20)
            .filter(|_| {
                let drift = Drift::test(page(&mut random, &rates).view()).expect("testable");
                let day = drift.since.seconds() / 86_400.0;
                drift.p_value < 0.01 && (45.0..55.0).contains(&day) && drift.after > drift.before
            })
            .count();
        assert!(found >= 18, "{found}");
    }

    #[test]
    fn rounding_does_not_decide_which_jumps_are_as_large() {
        let seen = [true, false, false, true, false, true].map(|changed| (1.0, changed));
        let mirrored: Vec<_> = seen.iter().rev().copied().collect();
        let jump = |seen: &[(f64, bool)]| greatest_jump(seen).expect("testable").0;
        let (forth, back) = (jump(&seen), jump(&mirrored));
        for jump in [forth.next_down(), forth, forth.next_up(), back] {
            assert!(is_as_large(jump, forth) && is_as_large(forth, jump));
        }
        assert!(!is_as_large(forth * (1.0 - 1e-6), forth));
    }

    #[test]
    fn the_last_bit_of_the_lengths_does_not_move_the_p_value() {
        let mut random = Pcg64Mcg::seed_from_u64(4);
        let history = page(&mut random, &[0.4; 12]);
        let shifted = {
            let mut shifted = HistoryBuf::new();
            for mut seen in history.view().observations() {
                // Ten times as far apart: the same jumps but for rounding.
                let seconds = seen.at.seconds() as i64 * 10;
                seen.at = Timestamp::from_seconds(seconds);
                shifted.push(seen).expect("in order");
            }
            shifted
        };
        let p_value = |history: &HistoryBuf| Drift::test(history.view()).map(|d| d.p_value);
        assert!(p_value(&history).is_some());
        assert_eq!(p_value(&history), p_value(&shifted));
    }

    #[test]
    fn nothing_to_compare_is_no_test() {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        assert_eq!(Drift::test(page(&mut random, &[0.0; 20]).view()), None);
        assert_eq!(Drift::test(page(&mut random, &[1e9; 20]).view()), None);
        assert_eq!(Drift::test(page(&mut random, &[0.5; 3]).view()), None);
    }
}
