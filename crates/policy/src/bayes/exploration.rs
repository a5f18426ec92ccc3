//! What knowing a page's rate would be worth.

use recrawl_estimate::GammaFilter;

/// Rates, in changes a cycle, over which values are summed: e^-9 to e^6.8.
const RATES: usize = 80;
const FIRST_RATE: f64 = -9.0;
const RATE_STEP: f64 = 0.2;

/// Beliefs for which values are tabled, by the logarithms of shape and weight
/// (in cycles).
const SIDE: usize = 28;
const FIRST_SHAPE: f64 = -4.0;
const SHAPE_STEP: f64 = 0.35;
const FIRST_WEIGHT: f64 = -4.0;
const WEIGHT_STEP: f64 = 0.45;

/// Cycles ahead that are looked at: grows with those behind, up to a limit.
/// Whoever has run for long will run for long, but pages do not stay the same.
const AHEAD_PER_CYCLE: f64 = 0.3;
const MOST_AHEAD: f64 = 10.0;

/// A worth, in changes, that decides nothing.
const NEGLIGIBLE: f64 = 1e-4;

/// Values of knowing the rate for many beliefs, at one price of a visit.
#[derive(Debug, Default)]
pub(super) struct Exploration {
    table: Vec<f32>,
    cycles_ahead: f64,
    cycle_days: f64,
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
        self.cycles_ahead = (AHEAD_PER_CYCLE * f64::from(cycle + 1)).min(MOST_AHEAD);
        self.cycle_days = cycle_days;
        let price = price.clamp(1e-4, 0.9999);
        let wait = wait_worth(price);
        let known: [(f64, f64); RATES] = std::array::from_fn(|index| {
            let log_rate = FIRST_RATE + RATE_STEP * index as f64;
            let rate = log_rate.exp();
            let worth = if rate < wait {
                rate * (-wait).exp()
            } else {
                -(-rate).exp_m1() - price
            };
            (log_rate, worth)
        });
        self.table.clear();
        for shape in 0..SIDE {
            let shape = (FIRST_SHAPE + SHAPE_STEP * shape as f64).exp();
            for weight in 0..SIDE {
                let weight = (FIRST_WEIGHT + WEIGHT_STEP * weight as f64).exp();
                let gain = known_worth(&known, shape, weight) - blind_worth(price, shape, weight);
                self.table.push(gain.max(0.0) as f32);
            }
        }
    }

    /// Whether a price has been named.
    pub(super) fn is_ready(&self) -> bool {
        !self.table.is_empty()
    }

    /// What a visit after so many days is worth for what it tells of the
    /// page's rate: the value of knowing it, over the cycles ahead, times the
    /// share of the doubt that one visit resolves.
    pub(super) fn worth(&self, belief: GammaFilter, days: f64) -> f64 {
        if !self.is_ready() {
            return 0.0;
        }
        let known = self.cycles_ahead * self.look_up(belief);
        if known < NEGLIGIBLE {
            return 0.0;
        }
        let once = 1.0 - belief.change_probability(days);
        let twice = 1.0 - belief.change_probability(2.0 * days);
        let variance = once * (1.0 - once);
        if variance < 1e-12 {
            return 0.0;
        }
        let resolved = ((twice - once * once) / variance).clamp(0.0, 1.0);
        resolved * known
    }

    fn look_up(&self, belief: GammaFilter) -> f64 {
        let place = |log: f64, first: f64, step: f64| {
            let place = ((log - first) / step).clamp(0.0, SIDE as f64 - 1.001);
            (place as usize, place.fract())
        };
        let weight = belief.weight() / self.cycle_days;
        let (row, down) = place(belief.shape().ln(), FIRST_SHAPE, SHAPE_STEP);
        let (column, across) = place(weight.ln(), FIRST_WEIGHT, WEIGHT_STEP);
        let cell = |row: usize, column: usize| f64::from(self.table[row * SIDE + column]);
        let line = |row: usize| (1.0 - across) * cell(row, column) + across * cell(row, column + 1);
        (1.0 - down) * line(row) + down * line(row + 1)
    }
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

    fn belief(shape: f64, mean: f64) -> GammaFilter {
        GammaFilter::new(shape, shape / mean).expect("positive")
    }

    fn prepared() -> Exploration {
        let mut exploration = Exploration::default();
        assert_eq!(exploration.worth(belief(1.0, 1.0), 1.0), 0.0);
        exploration.prepare(0.5, 40, 1.0);
        exploration
    }

    #[test]
    fn the_less_is_known_the_more_a_visit_tells() {
        let exploration = prepared();
        let (unknown, known) = (belief(0.5, 1.0), belief(80.0, 1.0));
        let (much, little) = (
            exploration.worth(unknown, 1.0),
            exploration.worth(known, 1.0),
        );
        assert!(much > 20.0 * little && much > 0.05, "{much} {little}");
    }

    #[test]
    fn a_visit_right_after_another_tells_nothing() {
        let exploration = prepared();
        assert!(exploration.worth(belief(0.5, 1.0), 1e-6) < 1e-4);
    }

    #[test]
    fn the_best_wait_of_a_known_page_is_found() {
        // h(1.678347) = 0.5, by Newton's method elsewhere.
        assert!((wait_worth(0.5) - 1.678_347).abs() < 1e-5);
    }

    #[test]
    fn knowing_is_never_worth_less_than_guessing() {
        for price in [0.05, 0.5, 0.95] {
            let wait = wait_worth(price);
            for (shape, weight) in [(0.1, 0.1), (1.0, 1.0), (50.0, 25.0), (3.0, 0.5)] {
                let known = std::array::from_fn(|index| {
                    let log_rate = FIRST_RATE + RATE_STEP * index as f64;
                    let rate = log_rate.exp();
                    let worth = if rate < wait {
                        rate * (-wait).exp()
                    } else {
                        -(-rate).exp_m1() - price
                    };
                    (log_rate, worth)
                });
                let gain = known_worth(&known, shape, weight) - blind_worth(price, shape, weight);
                assert!(gain > -1e-3, "{price} {shape} {weight}: {gain}");
            }
        }
    }
}
