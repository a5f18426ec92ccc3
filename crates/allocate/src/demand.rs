//! What pages ask for at a price: the loop over all pages.

use pulp::Arch;

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
    // Each arm is a loop of its own, with its measure known when compiled.
    match pages.measure {
        measure if price.value() == 0.0 => sweep(pages, room, |rate, weight| {
            price.visits(measure, rate, weight)
        }),
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
        Measure::MemorylessFreshness => closed(pages, price, room, Measure::MemorylessFreshness),
        Measure::Harmonic => closed(pages, price, room, Measure::Harmonic),
        Measure::HarmonicWithFeed => closed(pages, price, room, Measure::HarmonicWithFeed),
    }
}

/// [`priced`] for a measure with a closed form.
#[inline(always)] // the measure must be known inside the loop
fn closed<N: Copy + Into<f64>>(
    pages: &Pages<'_, N>,
    price: Price,
    room: Option<&mut [f32]>,
    measure: Measure,
) -> f64 {
    let merit = |rate, weight| measure.merit(rate, weight);
    priced(pages, price, room, merit, |worth| {
        measure.visits_per_change(worth)
    })
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
    mut room: Option<&mut [f32]>,
    visits: impl Fn(f64, f64) -> f64,
) -> f64 {
    let most = pages.most;
    Arch::new().dispatch(|| {
        let mut values = [0.0; BLOCK];
        let mut total = 0.0;
        let columns = pages.rates.chunks(BLOCK).zip(pages.weights.chunks(BLOCK));
        for (block, (rates, weights)) in columns.enumerate() {
            let values = &mut values[..rates.len()];
            for ((value, &rate), &weight) in values.iter_mut().zip(rates).zip(weights) {
                let (rate, weight) = (rate.into(), weight.into());
                let wanted = visits(rate, weight).min(most);
                *value = if counts(rate, weight) { wanted } else { 0.0 };
            }
            total += sum(values);
            if let Some(room) = room.as_deref_mut() {
                let room = &mut room[block * BLOCK..][..values.len()];
                for (place, &value) in room.iter_mut().zip(&*values) {
                    *place = value as f32;
                }
            }
        }
        total
    })
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
