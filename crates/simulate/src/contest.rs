//! Policies on identical worlds, side by side: [`compare`].

use std::time::Duration;

use rayon::prelude::*;
use recrawl_policy::Policy;

use crate::{CycleScores, Settings, SimulationError, Summary, Watcher, World, run};

/// Draws the world of a run, the same whenever it is asked for the same run.
pub type WorldSource<'a> = dyn Fn(u32) -> Box<dyn World> + Sync + 'a;

/// What became of one policy.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// Its runs.
    pub summary: Summary,
    /// Time its runs took, added up, by the clock of the watcher.
    pub elapsed: Duration,
}

/// Runs every policy on the same `runs` worlds, on all cores. The answer does
/// not depend on the number of threads: each run has its own seed, made from
/// `seed` and its number, and policies see the same worlds.
///
/// # Errors
/// The first [`SimulationError`] in order of policies and runs.
pub fn compare(
    worlds: &WorldSource<'_>,
    policies: &[Box<dyn Policy>],
    settings: &Settings,
    runs: u32,
    seed: u64,
    watcher: &dyn Watcher,
) -> Result<Vec<Standing>, SimulationError> {
    let jobs: Vec<(usize, u32)> = (0..policies.len())
        .flat_map(|policy| (0..runs).map(move |run| (policy, run)))
        .collect();
    let finished: Vec<Result<(Vec<CycleScores>, Duration), SimulationError>> = jobs
        .par_iter()
        .map(|&(policy, number)| {
            let begun = watcher.clock();
            let mut world = worlds(number);
            let seed = run_seed(seed, number, Purpose::Policy);
            let cycles = run(&mut *world, &*policies[policy], settings, seed, watcher)?;
            Ok((cycles, watcher.clock().saturating_sub(begun)))
        })
        .collect();
    let mut standings: Vec<Standing> = policies.iter().map(|_| Standing::default()).collect();
    for (&(policy, _), result) in jobs.iter().zip(finished) {
        let (cycles, elapsed) = result?;
        let standing = &mut standings[policy];
        standing.elapsed += elapsed;
        if !cycles.is_empty() {
            standing.summary.runs.push(cycles);
        }
    }
    Ok(standings)
}

/// What a seed is for: worlds and policies must not share their chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Drawing a world.
    World,
    /// Decisions of a policy.
    Policy,
}

/// The seed of run `run`, spread over all bits by the finaliser of SplitMix64
/// (Steele, Lea & Flood 2014), so that neighbouring runs have nothing in common.
#[must_use]
pub fn run_seed(seed: u64, run: u32, purpose: Purpose) -> u64 {
    let number = u64::from(run) * 2 + u64::from(purpose == Purpose::Policy) + 1;
    let mut bits = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
