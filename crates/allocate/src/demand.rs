//! What pages ask for at a price: the loop over all pages.

use pulp::{Arch, NullaryFnOnce};

use crate::measure::Measure;
use crate::pages::{Pages, counts};
use crate::price::Price;
use crate::response::{age, age_table, regular, regular_table};

/// Pages taken at a time: their values stay in the nearest cache.
const BLOCK: usize = 512;

/// Partial sums, so that vectors can add: one after the other would wait.
const LANES: usize = 8;

/// Visits of all pages at a price, summed in `f64` before they are rounded and,
/// where there is room, written to it.
pub(crate) fn demand<N: Copy + Into<f64>>(
    pages: &Pages<'_, N>,
    price: Price,
    room: Option<&mut [f32]>,
) -> f64 {
    // Each arm is a loop of its own: closures that name their measure instead of
    // carrying it let the compiler see through them.
    let measure = pages.measure;
    if price.value() == 0.0 {
        let all = |rate, weight| price.visits(measure, rate, weight);
        return sweep(pages, room, all);
    }
    match measure {
        Measure::Freshness => {
            let table = regular_table();
            let merit = |rate, weight| Measure::Freshness.merit(rate, weight);
            priced(pages, price, room, merit, |worth| regular(table, worth))
        }
        Measure::Changes => {
            let table = regular_table();
            let merit = |rate, weight| Measure::Changes.merit(rate, weight);
            priced(pages, price, room, merit, |worth| regular(table, worth))
        }
        Measure::Age => {
            let table = age_table();
            let merit = |rate, weight| Measure::Age.merit(rate, weight);
            priced(pages, price, room, merit, |worth| age(table, worth))
        }
        Measure::MemorylessFreshness => {
            let merit = |rate, weight| Measure::MemorylessFreshness.merit(rate, weight);
            let visits = |worth| Measure::MemorylessFreshness.visits_per_change(worth);
            priced(pages, price, room, merit, visits)
        }
        Measure::Harmonic => {
            let merit = |rate, weight| Measure::Harmonic.merit(rate, weight);
            let visits = |worth| Measure::Harmonic.visits_per_change(worth);
            priced(pages, price, room, merit, visits)
        }
        Measure::HarmonicWithFeed => {
            let merit = |rate, weight| Measure::HarmonicWithFeed.merit(rate, weight);
            let visits = |worth| Measure::HarmonicWithFeed.visits_per_change(worth);
            priced(pages, price, room, merit, visits)
        }
    }
}

/// [`sweep`] at one price, or between two.
#[inline(always)]
fn priced<N: Copy + Into<f64>>(
    pages: &Pages<'_, N>,
    price: Price,
    room: Option<&mut [f32]>,
    merit: impl Fn(f64, f64) -> f64,
    visits_per_change: impl Fn(f64) -> f64,
) -> f64 {
    let (cheap, dear, most) = (price.cheap.recip(), price.dear.recip(), pages.most);
    if price.is_exact() {
        sweep(pages, room, |rate, weight| {
            rate * visits_per_change(merit(rate, weight) * dear)
        })
    } else {
        sweep(pages, room, |rate, weight| {
            let merit = merit(rate, weight);
            let least = (rate * visits_per_change(merit * dear)).min(most);
            let more = (rate * visits_per_change(merit * cheap)).min(most);
            least + price.share * (more - least)
        })
    }
}

/// Runs `visits` over all pages, on the widest vectors the machine has.
#[inline(always)]
fn sweep<N: Copy + Into<f64>>(
    pages: &Pages<'_, N>,
    room: Option<&mut [f32]>,
    visits: impl Fn(f64, f64) -> f64,
) -> f64 {
    Arch::new().dispatch(Sweep {
        pages,
        room,
        visits,
    })
}

/// The loop itself: a type, because a closure is not always made part of the
/// function that has the vectors.
struct Sweep<'a, 'b, N, V> {
    pages: &'a Pages<'b, N>,
    room: Option<&'a mut [f32]>,
    visits: V,
}

impl<N: Copy + Into<f64>, V: Fn(f64, f64) -> f64> NullaryFnOnce for Sweep<'_, '_, N, V> {
    type Output = f64;

    #[inline(always)]
    fn call(mut self) -> f64 {
        let (pages, most) = (self.pages, self.pages.most);
        let mut values = [0.0; BLOCK];
        let mut total = 0.0;
        let columns = pages.rates.chunks(BLOCK).zip(pages.weights.chunks(BLOCK));
        for (block, (rates, weights)) in columns.enumerate() {
            let values = &mut values[..rates.len()];
            for ((value, &rate), &weight) in values.iter_mut().zip(rates).zip(weights) {
                let (rate, weight) = (rate.into(), weight.into());
                let wanted = (self.visits)(rate, weight).min(most);
                *value = if counts(rate, weight) { wanted } else { 0.0 };
            }
            total += sum(values);
            if let Some(room) = self.room.as_deref_mut() {
                let room = &mut room[block * BLOCK..][..values.len()];
                for (place, &value) in room.iter_mut().zip(&*values) {
                    *place = value as f32;
                }
            }
        }
        total
    }
}

/// The sum of a block, in [`LANES`] parts.
#[inline(always)]
fn sum(values: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let blocks = values.chunks_exact(LANES);
    let rest: f64 = blocks.remainder().iter().sum();
    for block in blocks {
        for (lane, &value) in lanes.iter_mut().zip(block) {
            *lane += value;
        }
    }
    lanes.iter().sum::<f64>() + rest
}
