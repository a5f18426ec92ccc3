//! Histories made up for tests: three kinds of pages with known laws.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use recrawl_model::Timestamp;
use recrawl_reproduce::{COLLECTIONS, Collection, Collections};
use recrawl_simulate::{Histories, PageLife};

const DAY: f64 = 86_400.0;

/// Five years.
const DAYS: f64 = 1_825.0;

/// When the pages of a kind change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Habit {
    /// By chance, every so many days on average, more often on later sites.
    Poisson(f64),
    /// By the clock, every so many days.
    Clock(f64),
    /// Never; born on the last day.
    Newborn,
}

/// Eighty pages on eight sites with one habit.
pub(crate) fn histories(habit: Habit, seed: u64) -> Histories {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let at = |days: f64| Timestamp::from_seconds((days * DAY) as i64);
    let mut histories = Histories::new();
    for page in 0..80u32 {
        let site = page / 10;
        let mut updates = Vec::new();
        let mut day = 0.0;
        loop {
            day += match habit {
                Habit::Poisson(mean) => {
                    let draw: f64 = 1.0 - random.random::<f64>();
                    -mean / f64::from(site + 1) * draw.ln() + 1e-3
                }
                Habit::Clock(every) => every,
                Habit::Newborn => DAYS,
            };
            if day >= DAYS {
                break;
            }
            updates.push(at(day));
        }
        let life = PageLife {
            site,
            born: match habit {
                Habit::Newborn => at(DAYS - 1.0),
                _ => at(0.0),
            },
            died: None,
            watched_until: Some(at(DAYS)),
            weight: 1.0,
            bytes: None,
        };
        histories.push(life, &updates).expect("in order");
    }
    histories
}

/// All three kinds with one habit.
pub(crate) fn collections(habit: Habit) -> Collections {
    let all = COLLECTIONS
        .into_iter()
        .zip(1..)
        .map(|(name, seed)| Collection {
            name,
            histories: histories(habit, seed),
        })
        .collect();
    Collections { all }
}
