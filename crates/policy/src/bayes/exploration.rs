//! What knowing a page's rate would be worth.

use super::elementary::{ln, whole_and_rest};

/// Rates, in changes a cycle, over which values are summed: e^-9 to e^6.8.
const RATES: usize = 80;
const FIRST_RATE: f64 = -9.0;
const RATE_STEP: f64 = 0.2;

/// Beliefs for which values are tabled, by the logarithms of shape and weight
/// (in cycles).
const SIDE: usize = 28;
/// A side of the table as memory has it, so that places are found by their bits.
const ROOM: usize = SIDE.next_power_of_two();
const FIRST_SHAPE: f64 = -4.0;
const SHAPE_STEP: f64 = 0.35;
const FIRST_WEIGHT: f64 = -4.0;
const WEIGHT_STEP: f64 = 0.45;

/// Cycles ahead that are looked at: grows with those behind, up to a limit.
/// Whoever has run for long will run for long, but pages do not stay the same.
const AHEAD_PER_CYCLE: f64 = 0.5;
const MOST_AHEAD: f64 = 20.0;

/// Values of knowing the rate for many beliefs, at one price of a visit.
#[derive(Debug, Default)]
pub(super) struct Exploration {
    /// By shape, then weight.
    table: Option<Box<[[f32; ROOM]; ROOM]>>,
    cycles_ahead: f32,
    cycle_days: f32,
}

impl Exploration {
    /// Tables the values where a visit costs `price`, in the coin of
    /// `h(x) = 1 - (1+x) exp(-x)`, in the given cycle (from 1).
    ///
    /// A page of known rate r, visited f times a cycle at most once, is worth
    /// at best `s(r) = max f (1 - exp(-r/f) - price)`: `r exp(-x)` where
    /// h(x) = price and r < x, else `1 - exp(-r) - price`. Not knowing r, one f
    /// must do for all. The difference, expected, is what knowing is worth.
    pub(super) fn prepare(&mut self, price: f64, cycle: u32, cycle_days: f64) {
        self.cycles_ahead = (AHEAD_PER_CYCLE * f64::from(cycle + 1)).min(MOST_AHEAD) as f32;
        self.cycle_days = cycle_days as f32;
        let price = price.clamp(1e-4, 0.9999);
        let known = known_rates(price);
        let table = self.table.get_or_insert_default();
        for (row, values) in table[..SIDE].iter_mut().enumerate() {
            let shape = (FIRST_SHAPE + SHAPE_STEP * row as f64).exp();
            for (column, value) in values[..SIDE].iter_mut().enumerate() {
                let weight = (FIRST_WEIGHT + WEIGHT_STEP * column as f64).exp();
                let gain = known_worth(&known, shape, weight) - blind_worth(price, shape, weight);
                *value = gain.max(0.0) as f32;
            }
        }
    }

    /// Whether a price has been named.
    pub(super) fn is_ready(&self) -> bool {
        self.table.is_some()
    }

    /// What knowing the rates of pages is worth over the cycles ahead, given
    /// shapes and weights (days) of the beliefs about them.
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    pub(super) fn of_knowing<const N: usize>(
        &self,
        shapes: &[f32; N],
        weights: &[f32; N],
    ) -> [f32; N] {
        let place = |log: f32, first: f64, step: f64| {
            let place = (log - first as f32) * (1.0 / step) as f32;
            place.clamp(0.0, SIDE as f32 - 1.001)
        };
        let Some(table) = &self.table else {
            return [0.0; N];
        };
        let (mut rows, mut columns) = ([0.0; N], [0.0; N]);
        let (mut tops, mut lefts) = ([0; N], [0; N]);
        let days = 1.0 / self.cycle_days;
        for index in 0..N {
            let row = place(ln(shapes[index]), FIRST_SHAPE, SHAPE_STEP);
            let column = place(ln(weights[index] * days), FIRST_WEIGHT, WEIGHT_STEP);
            (tops[index], rows[index]) = whole_and_rest(row);
            (lefts[index], columns[index]) = whole_and_rest(column);
        }
        let mut corners = [[0.0; N]; 4];
        for index in 0..N {
            let (top, left) = (tops[index] as usize, lefts[index] as usize);
            let [upper, lower] = [top, top + 1].map(|row| &table[row % ROOM]);
            let (left, right) = (left % ROOM, (left + 1) % ROOM);
            corners[0][index] = upper[left];
            corners[1][index] = upper[right];
            corners[2][index] = lower[left];
            corners[3][index] = lower[right];
        }
        let mut worths = [0.0; N];
        for (index, worth) in worths.iter_mut().enumerate() {
            let (down, across) = (rows[index], columns[index]);
            let upper = corners[0][index] + across * (corners[1][index] - corners[0][index]);
            let lower = corners[2][index] + across * (corners[3][index] - corners[2][index]);
            *worth = self.cycles_ahead * (upper + down * (lower - upper));
        }
        worths
    }
}

/// Logarithms of rates, and what a page of each rate is worth once it is known.
fn known_rates(price: f64) -> [(f64, f64); RATES] {
    let wait = wait_worth(price);
    std::array::from_fn(|index| {
        let log_rate = FIRST_RATE + RATE_STEP * index as f64;
        let rate = log_rate.exp();
        let worth = if rate < wait {
            rate * (-wait).exp()
        } else {
            -(-rate).exp_m1() - price
        };
        (log_rate, worth)
    })
}

/// The x with h(x) = price, by bisection of its logarithm.
fn wait_worth(price: f64) -> f64 {
    let (mut low, mut high) = (1e-6f64, 60.0f64);
    for _ in 0..50 {
        let x = (low * high).sqrt();
        if 1.0 - (1.0 + x) * (-x).exp() > price {
            high = x;
        } else {
            low = x;
        }
    }
    (low * high).sqrt()
}

/// Expected worth of a page whose rate will be known.
fn known_worth(known: &[(f64, f64); RATES], shape: f64, weight: f64) -> f64 {
    let logs = known.map(|(log_rate, _)| shape * log_rate - weight * log_rate.exp());
    let best = logs.iter().copied().fold(f64::MIN, f64::max);
    let (mut mass, mut sum) = (0.0, 0.0);
    for (log, (_, worth)) in logs.iter().zip(known) {
        let density = (log - best).exp();
        mass += density;
        sum += density * worth;
    }
    sum / mass
}

/// Best expected worth of a page that is visited evenly whatever its rate.
fn blind_worth(price: f64, shape: f64, weight: f64) -> f64 {
    let mut best = 0.0f64;
    let mut visits = 1.0;
    while visits > 0.005 {
        let changed = -(-shape * (1.0 / (visits * weight)).ln_1p()).exp_m1();
        best = best.max(visits * (changed - price));
        visits *= 0.8;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared() -> Exploration {
        let mut exploration = Exploration::default();
        assert!(!exploration.is_ready());
        exploration.prepare(0.5, 40, 1.0);
        exploration
    }

    /// What knowing is worth of a page of that shape and mean, a cycle a day.
    fn worth(exploration: &Exploration, shape: f32, mean: f32) -> f32 {
        exploration.of_knowing(&[shape], &[shape / mean])[0]
    }

    #[test]
    fn the_less_is_known_the_more_knowing_is_worth() {
        let exploration = prepared();
        let (much, little) = (
            worth(&exploration, 0.5, 1.0),
            worth(&exploration, 80.0, 1.0),
        );
        assert!(much > 20.0 * little && much > 0.2, "{much} {little}");
    }

    #[test]
    fn values_are_those_of_the_table_and_lie_between() {
        let exploration = prepared();
        let known = known_rates(0.5);
        let at = |row: f64, column: f64| {
            let shape = (FIRST_SHAPE + SHAPE_STEP * row).exp();
            let weight = (FIRST_WEIGHT + WEIGHT_STEP * column).exp();
            let [told] = exploration.of_knowing(&[shape as f32], &[weight as f32]);
            let gain = known_worth(&known, shape, weight) - blind_worth(0.5, shape, weight);
            (f64::from(told), MOST_AHEAD * gain.max(0.0))
        };
        for (row, column) in [(0.0, 0.0), (5.0, 9.0), (12.0, 7.0), (26.0, 26.0)] {
            let (told, exact) = at(row, column);
            assert!(
                (told - exact).abs() < 1e-3,
                "{row} {column}: {told} {exact}"
            );
        }
        for (row, column) in [(10.0, 10.0), (14.0, 12.0)] {
            let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
                .map(|(down, across)| at(row + down, column + across).1);
            let (told, middle) = (
                at(row + 0.5, column + 0.5).0,
                corners.iter().sum::<f64>() / 4.0,
            );
            assert!(
                (told - middle).abs() < 1e-3,
                "{row} {column}: {told} {middle}"
            );
        }
    }

    #[test]
    fn the_best_wait_of_a_known_page_is_found() {
        // h(1.678347) = 0.5, by Newton's method elsewhere.
        assert!((wait_worth(0.5) - 1.678_347).abs() < 1e-5);
    }

    #[test]
    fn knowing_is_never_worth_less_than_guessing() {
        for price in [0.05, 0.5, 0.95] {
            let known = known_rates(price);
            for (shape, weight) in [(0.1, 0.1), (1.0, 1.0), (50.0, 25.0), (3.0, 0.5)] {
                let gain = known_worth(&known, shape, weight) - blind_worth(price, shape, weight);
                assert!(gain > -1e-3, "{price} {shape} {weight}: {gain}");
            }
        }
    }
}
