//! Changes in continuous time: [`Renewals`].

use rand::Rng;
use rand_pcg::Pcg64Mcg;
use recrawl_model::PageId;

use super::clock::Clock;
use super::laws::{GapLaw, unit};
use crate::Event;
use crate::world::Tick;

/// Every page renews itself after gaps drawn from one law, in balance from the
/// start on. Times are operational, in cycles.
#[derive(Debug, Clone)]
pub(super) struct Renewals {
    law: GapLaw,
    clock: Clock,
    /// Changes per cycle of operational time.
    rates: Vec<f32>,
    /// The next update of each page.
    next: Vec<f64>,
    /// A point of each page's lattice; empty for other laws.
    phases: Vec<f64>,
}

impl Renewals {
    pub(super) fn new(law: GapLaw, clock: Clock, rates: Vec<f32>, rng: &mut Pcg64Mcg) -> Self {
        let phases = match law {
            GapLaw::Lattice { .. } => vec![0.0; rates.len()],
            _ => Vec::new(),
        };
        let mut renewals = Self {
            law,
            clock,
            next: vec![0.0; rates.len()],
            rates,
            phases,
        };
        for page in 0..renewals.rates.len() {
            renewals.restart(page, 0.0, rng);
        }
        renewals
    }

    /// Draws the next update of a page as seen by somebody who comes by `now`.
    fn restart(&mut self, page: usize, now: f64, rng: &mut Pcg64Mcg) {
        let rate = f64::from(self.rates[page]);
        self.next[page] = if rate <= 0.0 {
            f64::INFINITY
        } else if let GapLaw::Lattice { jitter, missing } = self.law {
            let step = (1.0 - missing) / rate;
            self.phases[page] = now + unit(rng) * step;
            lattice_point(self.phases[page], step, jitter, missing, -1.0, now, rng)
        } else {
            now + self.law.residual(rng) / rate
        };
    }

    fn after(&self, page: usize, at: f64, rng: &mut Pcg64Mcg) -> f64 {
        let rate = f64::from(self.rates[page]);
        if let GapLaw::Lattice { jitter, missing } = self.law {
            let (phase, step) = (self.phases[page], (1.0 - missing) / rate);
            let index = ((at - phase) / step).round();
            return lattice_point(phase, step, jitter, missing, index, at, rng);
        }
        at + self.law.gap(rng) / rate
    }

    pub(super) fn rate(&self, page: usize, cycle: u32) -> f64 {
        let start = f64::from(cycle);
        let slope = self.clock.operational(start + 1.0) - self.clock.operational(start);
        f64::from(self.rates[page]) * slope
    }

    pub(super) fn moves(&self) -> bool {
        self.clock.moves()
    }

    /// Two pages exchange rates at the start of `cycle`.
    pub(super) fn swap(&mut self, one: usize, other: usize, cycle: u32, rng: &mut Pcg64Mcg) {
        self.rates.swap(one, other);
        let now = self.clock.operational(f64::from(cycle));
        self.restart(one, now, rng);
        self.restart(other, now, rng);
    }

    /// All updates of one cycle, page by page.
    pub(super) fn run(
        &mut self,
        cycle: u32,
        changes: &mut Vec<Event>,
        rng: &mut Pcg64Mcg,
    ) -> usize {
        changes.clear();
        let start = f64::from(cycle);
        let end = self.clock.operational(start + 1.0);
        for page in 0..self.next.len() {
            let mut at = self.next[page];
            while at < end {
                let share = self.clock.real(at) - start;
                changes.push(Event {
                    page: PageId(page as u32),
                    at: Tick::at(share),
                });
                at = self.after(page, at, rng);
            }
            self.next[page] = at;
        }
        changes.len()
    }
}

/// The first point after `index` that is not missing and, shifted, lies after
/// `at`.
fn lattice_point(
    phase: f64,
    step: f64,
    jitter: f64,
    missing: f64,
    mut index: f64,
    at: f64,
    rng: &mut impl Rng,
) -> f64 {
    loop {
        index += 1.0;
        let shift = jitter * (2.0 * unit(rng) - 1.0);
        let point = phase + (index + shift) * step;
        if unit(rng) >= missing && point > at {
            return point;
        }
    }
}
