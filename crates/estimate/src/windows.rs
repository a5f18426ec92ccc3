//! Consistent windows: stretches of a history in which the rate is constant,
//! rises or falls (Singh section 4).

use std::ops::Range;

/// Points that give a new window its state.
const FIRST_POINTS: usize = 3;

/// Windows of fewer points are shared out between their neighbours.
const FEWEST_POINTS: usize = 4;

/// What the rate does within a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Gaps between updates stay alike.
    Constant,
    /// Gaps shrink: the rate rises.
    Increasing,
    /// Gaps grow: the rate falls.
    Decreasing,
}

impl State {
    /// The word used in output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Increasing => "increasing",
            Self::Decreasing => "decreasing",
        }
    }

    /// Gaps of the first three points: alike at both ends, growing, shrinking.
    fn of(gaps: &[f64]) -> Self {
        let (Some(&first), Some(&last)) = (gaps.first(), gaps.last()) else {
            return Self::Constant;
        };
        // Equal to rounding: times are told in microseconds.
        if (last - first).abs() <= 1e-9 * first.abs().max(last.abs()) {
            Self::Constant
        } else if last > first {
            Self::Decreasing
        } else {
            Self::Increasing
        }
    }
}

/// What a window tolerates before it ends. The paper names a threshold but
/// does not define the measure; `docs/math.md` has both readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// The discrepancies of all gaps since the first three add up.
    #[default]
    RunningSum,
    /// Each gap is judged alone.
    PerPoint,
}

/// From which end windows grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// From the first three points on.
    #[default]
    Forward,
    /// From the last three points back, so that the newest window is whole.
    Backward,
}

/// Settings of the cut into windows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Windowing {
    /// Discrepancy a window may reach, in access units (mean visit intervals).
    /// Default 3, the paper's.
    pub threshold: f64,
    /// How discrepancies count. Default the running sum.
    pub reading: Reading,
    /// From which end. Default forward.
    pub direction: Direction,
}

impl Default for Windowing {
    fn default() -> Self {
        Self {
            threshold: 3.0,
            reading: Reading::default(),
            direction: Direction::default(),
        }
    }
}

/// A stretch of update points with one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Which update points it holds.
    pub points: Range<usize>,
    /// What the rate does in it.
    pub state: State,
}

impl Windowing {
    /// Cuts update points, known by the gap before each (in one unit, the first
    /// gap from the origin), into windows that cover them all. `access_unit` is
    /// the mean visit interval in the same unit.
    #[must_use]
    pub fn cut(&self, gaps: &[f64], access_unit: f64) -> Vec<Window> {
        let threshold = self.threshold * access_unit;
        let windows = match self.direction {
            Direction::Forward => self.grow(gaps, threshold),
            Direction::Backward => {
                let mirrored: Vec<f64> = gaps.iter().rev().copied().collect();
                let mut windows = self.grow(&mirrored, threshold);
                windows.reverse();
                for window in &mut windows {
                    let Range { start, end } = window.points;
                    window.points = gaps.len() - end..gaps.len() - start;
                    window.state = match window.state {
                        State::Constant => State::Constant,
                        State::Increasing => State::Decreasing,
                        State::Decreasing => State::Increasing,
                    };
                }
                windows
            }
        };
        share_out_small(windows)
    }

    /// Windows from the first point on: three points, then each next one as
    /// long as it fits.
    fn grow(&self, gaps: &[f64], threshold: f64) -> Vec<Window> {
        let mut windows = Vec::new();
        let mut start = 0;
        while start < gaps.len() {
            let mut end = (start + FIRST_POINTS).min(gaps.len());
            let state = State::of(&gaps[start..end]);
            let mut total = 0.0;
            let mut sum: f64 = gaps[start..end].iter().sum();
            while end < gaps.len() {
                let (gap, previous) = (gaps[end], gaps[end - 1]);
                let mean = sum / (end - start) as f64;
                let discrepancy = match state {
                    State::Constant => (gap - mean).abs(),
                    State::Increasing => (gap - previous).max(0.0),
                    State::Decreasing => (previous - gap).max(0.0),
                };
                let counted = match self.reading {
                    Reading::RunningSum => total + discrepancy,
                    Reading::PerPoint => discrepancy,
                };
                if counted > threshold {
                    break;
                }
                total = counted;
                sum += gap;
                end += 1;
            }
            windows.push(Window {
                points: start..end,
                state,
            });
            start = end;
        }
        windows
    }
}

/// Gives the points of windows with fewer than four away: the first half,
/// rounded up, to the window before, the rest to the one after; all to the only
/// neighbour at either end. A history of one window keeps it, however small.
fn share_out_small(windows: Vec<Window>) -> Vec<Window> {
    let mut kept: Vec<Window> = Vec::new();
    let mut carried = 0; // points waiting for the window after
    let count = windows.len();
    for (index, mut window) in windows.into_iter().enumerate() {
        window.points.start -= carried;
        carried = 0;
        if window.points.len() >= FEWEST_POINTS || count == 1 {
            kept.push(window);
            continue;
        }
        let last = index + 1 == count;
        match kept.last_mut() {
            Some(left) if last => left.points.end = window.points.end,
            Some(left) => {
                let middle = window.points.start + window.points.len().div_ceil(2);
                left.points.end = middle;
                carried = window.points.end - middle;
            }
            None if last => kept.push(window),
            None => carried = window.points.len(),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(gaps: &[f64]) -> Vec<(Range<usize>, State)> {
        let windows = Windowing::default().cut(gaps, 1.0);
        windows
            .into_iter()
            .map(|window| (window.points, window.state))
            .collect()
    }

    #[test]
    fn the_first_three_gaps_give_the_state() {
        assert_eq!(cut(&[2.0; 6]), [(0..6, State::Constant)]);
        assert_eq!(cut(&[1.0, 1.5, 2.0, 2.5, 3.0]), [(0..5, State::Decreasing)]);
        assert_eq!(cut(&[3.0, 2.5, 2.0, 1.5, 1.0]), [(0..5, State::Increasing)]);
        assert_eq!(cut(&[2.0, 7.0, 2.0, 3.0]), [(0..4, State::Constant)]);
    }

    #[test]
    fn discrepancies_add_up_to_the_threshold() {
        // After three gaps of 1, gaps of 2.4 are 1.4, 1.05 and 0.84 above the
        // running mean: in sum 3.29, so the third of them starts a window.
        let gaps = [1.0, 1.0, 1.0, 2.4, 2.4, 2.4, 2.4, 2.4, 2.4];
        assert_eq!(
            cut(&gaps),
            [(0..5, State::Constant), (5..9, State::Constant)]
        );
        let alone = Windowing {
            reading: Reading::PerPoint,
            ..Windowing::default()
        };
        assert_eq!(alone.cut(&gaps, 1.0).len(), 1, "each alone is within 3");
        assert_eq!(
            Windowing::default().cut(&gaps, 2.0).len(),
            1,
            "3 access units of 2"
        );
    }

    #[test]
    fn a_jump_in_the_gaps_starts_a_window() {
        let gaps = [1.0, 1.0, 1.0, 1.0, 9.0, 9.0, 9.0, 9.0, 9.0];
        assert_eq!(
            cut(&gaps),
            [(0..4, State::Constant), (4..9, State::Constant)]
        );
    }

    #[test]
    fn small_windows_are_shared_between_their_neighbours() {
        let windows = vec![
            Window {
                points: 0..5,
                state: State::Constant,
            },
            Window {
                points: 5..8,
                state: State::Increasing,
            },
            Window {
                points: 8..12,
                state: State::Decreasing,
            },
        ];
        let shared = share_out_small(windows);
        assert_eq!(shared[0].points, 0..7);
        assert_eq!(shared[1].points, 7..12);
        assert_eq!(shared[1].state, State::Decreasing);
    }

    #[test]
    fn backward_windows_leave_the_remainder_at_the_beginning() {
        let gaps = [9.0, 9.0, 9.0, 9.0, 9.0, 1.0, 1.0, 1.0, 1.0];
        let backward = Windowing {
            direction: Direction::Backward,
            ..Windowing::default()
        };
        let windows = backward.cut(&gaps, 1.0);
        assert_eq!(
            windows.last().map(|window| window.points.clone()),
            Some(5..9)
        );
        let rising = [4.0, 3.0, 2.5, 2.0, 1.0];
        assert_eq!(backward.cut(&rising, 1.0)[0].state, State::Increasing);
    }

    proptest! {
        #[test]
        fn windows_cover_every_point_once(
            gaps in prop::collection::vec(0.1f64..10.0, 0..60),
            backward: bool, per_point: bool, threshold in 0.0f64..5.0,
        ) {
            let windowing = Windowing {
                threshold,
                reading: if per_point { Reading::PerPoint } else { Reading::RunningSum },
                direction: if backward { Direction::Backward } else { Direction::Forward },
            };
            let windows = windowing.cut(&gaps, 1.0);
            let mut next = 0;
            for window in &windows {
                prop_assert_eq!(window.points.start, next);
                prop_assert!(!window.points.is_empty());
                next = window.points.end;
            }
            prop_assert_eq!(next, gaps.len());
            if windows.len() > 1 {
                prop_assert!(windows.iter().all(|window| window.points.len() >= FEWEST_POINTS));
            }
        }
    }
}
