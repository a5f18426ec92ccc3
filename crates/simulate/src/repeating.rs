//! A short history for ever: [`RepeatingWorld`].

use std::sync::Arc;

use recrawl_model::PageId;

use crate::recorded::rate_of;
use crate::{Event, Events, Population, World};

/// The first cycles of another world, again and again: what changed in cycle c
/// of n changes in c + n, c + 2n and so on. This is how Cho & Ntoulas run five
/// months of data for a hundred cycles (section 4). Pages are neither born nor
/// do they die here: those not alive at the start stay away.
#[derive(Debug, Clone)]
pub struct RepeatingWorld {
    population: Arc<Population>,
    /// Changes of each cycle of the period.
    period: Arc<Vec<Vec<Event>>>,
    rates: Arc<Vec<f32>>,
    cycle: usize,
}

impl RepeatingWorld {
    /// Records the first `cycles` cycles of `world`.
    #[must_use]
    pub fn record(world: &mut dyn World, cycles: u32) -> Self {
        let population = Arc::clone(world.population());
        let mut period = Vec::new();
        let mut changed = vec![0u32; population.len()];
        let mut last = vec![0u32; population.len()];
        for cycle in 1..=cycles.max(1) {
            let changes = world.next_cycle().changes;
            for change in changes {
                let index = change.page.index();
                if last[index] != cycle {
                    last[index] = cycle;
                    changed[index] += 1;
                }
            }
            period.push(changes.to_vec());
        }
        let rates = changed.iter().map(|&count| rate_of(count, cycles.max(1)));
        Self {
            population,
            rates: Arc::new(rates.collect()),
            period: Arc::new(period),
            cycle: 0,
        }
    }
}

impl World for RepeatingWorld {
    fn population(&self) -> &Arc<Population> {
        &self.population
    }

    fn next_cycle(&mut self) -> Events<'_> {
        let changes = &self.period[self.cycle % self.period.len()];
        self.cycle += 1;
        Events {
            changes,
            ..Events::default()
        }
    }

    fn rate(&self, page: PageId) -> f64 {
        f64::from(self.rates[page.index()])
    }
}
