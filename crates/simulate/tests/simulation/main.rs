//! Whole simulations: worlds, driver and scores together, through the engine.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

mod bayes;
mod exactness;
mod papers;
mod rules;
mod worlds;

use std::time::Duration;

use recrawl_model::Timestamp;
use recrawl_simulate::{
    CycleBudget, CycleScores, Divergence, Nobody, Purpose, Reading, Settings, Summary,
    SyntheticWorld, World, WorldSpec, compare, run_seed,
};

pub(crate) const MONTH: Duration = Duration::from_secs(30 * 86_400);

pub(crate) fn settings(cycles: u32, budget: CycleBudget) -> Settings {
    Settings {
        start: Timestamp::from_seconds(0),
        cycle: MONTH,
        cycles,
        budget,
        reading: Reading::SinceLast,
        divergence: Divergence::UpdatesMissed,
    }
}

/// Runs one policy on worlds of one recipe.
pub(crate) fn simulate(spec: &WorldSpec, policy: &str, settings: &Settings, runs: u32) -> Summary {
    let worlds = |run| -> Box<dyn World> {
        let seed = run_seed(1, run, Purpose::World);
        Box::new(SyntheticWorld::new(spec, settings.cycle, seed).expect("a checked recipe"))
    };
    let policies = [recrawl_policy::parse(policy).expect("a policy")];
    let standings = compare(&worlds, &policies, settings, runs, 1, &Nobody).expect("it runs");
    standings[0].summary.clone()
}

/// Runs one policy once on a world.
pub(crate) fn run_once(
    world: &mut dyn World,
    policy: &str,
    settings: &Settings,
) -> Vec<CycleScores> {
    let policy = recrawl_policy::parse(policy).expect("a policy");
    recrawl_simulate::run(world, &*policy, settings, 1, &Nobody).expect("it runs")
}
