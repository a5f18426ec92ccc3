//! Sums over pages, as they stand and over the time of a cycle.
//!
//! Integrals over a cycle from 0 to 1 start from what stands at its beginning,
//! and every event adds the part from its moment u on: a page that turns stale
//! at u adds 1-u to the stale time and (1-u)^2/2 to the age.

/// Sums over the pages alive, each weighted by importance.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Standing {
    pub(super) alive: f64,
    pub(super) stale: f64,
    /// Sum of the moments at which the stale ones became so, in cycles.
    pub(super) since: f64,
    pub(super) divergence: f64,
}

impl Standing {
    /// What a cycle that starts at `start` would add up to without an event.
    pub(super) fn over_cycle(&self, start: f64) -> Integrals {
        Integrals {
            alive: self.alive,
            stale: self.stale,
            age: self.stale * (start + 0.5) - self.since,
            divergence: self.divergence,
        }
    }

    pub(super) fn join(&mut self, weight: f64) {
        self.alive += weight;
    }

    pub(super) fn leave(&mut self, weight: f64) {
        self.alive -= weight;
    }

    pub(super) fn turn_stale(&mut self, weight: f64, since: f64) {
        self.stale += weight;
        self.since += weight * since;
    }

    pub(super) fn turn_fresh(&mut self, weight: f64, since: f64) {
        self.stale -= weight;
        self.since -= weight * since;
    }
}

/// Sums over pages, integrated over the time of one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Integrals {
    alive: f64,
    pub(super) stale: f64,
    pub(super) age: f64,
    pub(super) divergence: f64,
}

impl Integrals {
    pub(super) fn join(&mut self, weight: f64, rest: f64) {
        self.alive += weight * rest;
    }

    pub(super) fn leave(&mut self, weight: f64, rest: f64) {
        self.alive -= weight * rest;
    }

    pub(super) fn turn_stale(&mut self, weight: f64, rest: f64) {
        self.stale += weight * rest;
        self.age += weight * rest * rest / 2.0;
    }

    /// A stale page leaves `rest` before the end; `mean_age` is the age it
    /// would have had on average from then on.
    pub(super) fn stop_ageing(&mut self, weight: f64, rest: f64, mean_age: f64) {
        self.stale -= weight * rest;
        self.age -= weight * rest * mean_age;
    }

    /// The mean over pages alive and time; 0 where nobody was alive.
    pub(super) fn mean(&self, integral: f64) -> f64 {
        if self.alive > 0.0 {
            (integral / self.alive).max(0.0) // rounding may fall below
        } else {
            0.0
        }
    }
}
