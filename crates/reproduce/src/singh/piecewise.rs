//! Synthetic pages whose rate is constant, rises and falls piece by piece.

use rand::RngExt;
use rand_distr::{Beta, Distribution, Exp1};
use rand_pcg::Pcg64Mcg;

/// Access units of a page, as in the paper.
pub(super) const UNITS: u32 = 200;

/// Law of the share of units with an update if the rate stayed the same. With
/// pieces that bunch updates, mean and spread come out as in the paper's table
/// 1, 103 and 45.85 of 200.
const SHARE: (f64, f64) = (1.75, 1.4);

/// Shortest and longest piece, in access units.
const PIECE: (f64, f64) = (12.0, 45.0);

/// How much the rate of a piece may differ from the page's, up or down, as a
/// logarithm.
const SPREAD: f64 = 0.7;

/// Most changes a unit: above it nothing more is seen.
const FASTEST: f64 = 4.0;

/// What the rate does in a piece, as the exponent of a power law.
fn exponent(random: &mut Pcg64Mcg) -> f64 {
    match random.random_range(0..3) {
        0 => 1.0,
        1 => random.random_range(1.5..3.0),
        _ => random.random_range(0.35..0.7),
    }
}

/// Update times of one page, in access units.
pub(super) fn updates(random: &mut Pcg64Mcg) -> Vec<f64> {
    let end = f64::from(UNITS);
    let share: f64 = Beta::new(SHARE.0, SHARE.1).map_or(0.5, |law| law.sample(random));
    let base = (-(-share).ln_1p()).min(FASTEST);
    let mut updates = Vec::new();
    let mut start = 0.0;
    while start < end {
        let length = random.random_range(PIECE.0..PIECE.1);
        let rate = (base * random.random_range(-SPREAD..SPREAD).exp()).min(FASTEST);
        let power = exponent(random);
        // Arrivals of a power law with `rate x length` updates in the piece.
        let expected = rate * length;
        let mut count = 0.0;
        loop {
            let gap: f64 = Exp1.sample(random);
            count += gap;
            let at = start + length * (count / expected).powf(1.0 / power);
            if count > expected || at >= end {
                break;
            }
            updates.push(at);
        }
        start += length;
    }
    updates
}
