//! How busy a site may be: the levels that are told apart.

use std::sync::LazyLock;

/// Levels of activity at which visits are judged: e^(STEP (i - ONE)) times as
/// busy as usual, from a hundredth to six hundred times; the last is also that of
/// storms.
pub(super) const COARSE: usize = 18;
const ONE: usize = 7;
const STEP: f64 = 0.65;

/// Levels between two of them, for sums; likelihoods are smooth in between.
pub(super) const BETWEEN: usize = 4;
/// How many fine levels there are, and which one stands for "as usual".
pub(super) const FINE: usize = (COARSE - 1) * BETWEEN + 1;
pub(super) const FINE_ONE: usize = ONE * BETWEEN;

/// What two neighbouring fine levels differ by, in logarithms.
pub(super) const LEVEL_STEP: f64 = STEP / BETWEEN as f64;

/// Mass or likelihood at each fine level.
pub(super) type Levels = [f32; FINE];

/// Coarse levels, filled up to whole vectors.
pub(super) const LANES: usize = COARSE.next_multiple_of(8);

/// The fine level of that number.
pub(super) fn fine_level(index: usize) -> f64 {
    (LEVEL_STEP * (index as f64 - FINE_ONE as f64)).exp()
}

/// All fine levels, made once.
pub(super) fn fine_levels() -> &'static Levels {
    static LEVELS: LazyLock<Levels> =
        LazyLock::new(|| std::array::from_fn(|index| fine_level(index) as f32));
    &LEVELS
}

/// The coarse levels, made once; the last is repeated.
pub(super) fn coarse_levels() -> &'static [f32; LANES] {
    static LEVELS: LazyLock<[f32; LANES]> = LazyLock::new(|| {
        std::array::from_fn(|index| fine_level(index.min(COARSE - 1) * BETWEEN) as f32)
    });
    &LEVELS
}

/// Values at the fine levels from those at the coarse ones, by the cubic of
/// Catmull and Rom. The last level stands apart: that of storms may be far away.
pub(super) fn between(coarse: &[f32; COARSE]) -> Levels {
    let [coarse @ .., storm] = coarse;
    let mut fine = [coarse[COARSE - 2]; FINE];
    fine[FINE - 1] = *storm;
    for left in 0..coarse.len() - 1 {
        let (y1, y2) = (coarse[left], coarse[left + 1]);
        let before = if left == 0 {
            2.0 * y1 - y2
        } else {
            coarse[left - 1]
        };
        let after = coarse.get(left + 2).copied().unwrap_or(2.0 * y2 - y1);
        let (slope1, slope2) = ((y2 - before) / 2.0, (after - y1) / 2.0);
        for part in 0..BETWEEN {
            let t = part as f32 / BETWEEN as f32;
            let (t2, t3) = (t * t, t * t * t);
            fine[left * BETWEEN + part] = (2.0 * t3 - 3.0 * t2 + 1.0) * y1
                + (t3 - 2.0 * t2 + t) * slope1
                + (3.0 * t2 - 2.0 * t3) * y2
                + (t3 - t2) * slope2;
        }
    }
    fine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_levels_follow_a_parabola() {
        let parabola = |x: f32| -0.3 * (x - 8.3) * (x - 8.3);
        let coarse = std::array::from_fn(|index| parabola(index as f32));
        for (index, value) in between(&coarse).iter().enumerate().skip(4).take(56) {
            let exact = parabola(index as f32 / BETWEEN as f32);
            assert!((value - exact).abs() < 0.02, "{index}: {value} {exact}");
        }
    }
}
