//! Cost of each estimator an observation: `cargo bench -p recrawl-estimate --bench estimators`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use recrawl_estimate::{Drift, LocalRates, Method, Settings, Windowing};
use recrawl_model::{HistoryBuf, Observation, Outcome, Timestamp};

fn main() {
    divan::main();
}

/// Pages in a sample; each is visited 20 times, irregularly, and has dates.
const PAGES: usize = 1_000;
const VISITS: usize = 20;

fn pages() -> Vec<HistoryBuf> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    (0..PAGES)
        .map(|_| {
            let rate = random.random_range(-3.0f64..1.0).exp();
            let mut history = HistoryBuf::new();
            let mut at = 0.0;
            for visit in 0..=VISITS {
                let moment = |days: f64| Timestamp::from_micros((days * 8.64e10) as i64);
                let days = random.random_range(0.2..2.0);
                let age = -(1.0 - random.random::<f64>()).ln() / rate;
                let outcome = match visit {
                    0 => Outcome::First,
                    _ if age < days => Outcome::Changed,
                    _ => Outcome::Unchanged,
                };
                at += days;
                let mut seen = Observation::new(moment(at), outcome);
                if outcome == Outcome::Changed {
                    seen = seen.with_last_modified(moment(at - age));
                }
                if history.push(seen).is_err() {
                    unreachable!("visits move forward");
                }
            }
            history
        })
        .collect()
}

#[divan::bench(args = Method::ALL)]
fn estimate(bencher: Bencher<'_, '_>, method: Method) {
    let pages = pages();
    let Ok(estimator) = method.build(&Settings::default()) else {
        unreachable!("defaults are sound");
    };
    bencher.counter(ItemsCount::new(PAGES * VISITS)).bench(|| {
        for page in &pages {
            black_box(estimator.estimate(black_box(page.view())));
        }
    });
}

#[divan::bench]
fn windows(bencher: Bencher<'_, '_>) {
    let pages = pages();
    let Ok(rates) = LocalRates::new(Windowing::default(), Settings::default()) else {
        unreachable!("defaults are sound");
    };
    bencher.counter(ItemsCount::new(PAGES * VISITS)).bench(|| {
        for page in &pages {
            black_box(rates.report(black_box(page.view())));
        }
    });
}

#[divan::bench(sample_count = 10)]
fn drift(bencher: Bencher<'_, '_>) {
    let pages = pages();
    bencher.counter(ItemsCount::new(PAGES * VISITS)).bench(|| {
        for page in &pages {
            black_box(Drift::test(black_box(page.view())));
        }
    });
}
