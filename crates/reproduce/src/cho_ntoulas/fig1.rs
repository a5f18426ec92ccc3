//! Fig. 1: expected ChangeRatio over the sample size, two sites.

use recrawl_chart::{Axis, Series, Stroke};
use recrawl_simulate::Reading;
use statrs::distribution::{Discrete, Hypergeometric};

use super::change_ratio;
use crate::support::arena::{Arena, PAPER_PAGES, Terms};
use crate::support::figures::single;
use crate::support::numbers::largest;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Pages of a site, changed pages of each, downloads a cycle.
const PAGES: u64 = 100;
const CHANGED: [u64; 2] = [70, 20];
const DOWNLOADS: u64 = 100;

/// Sample sizes that are simulated.
const SIMULATED: [u64; 8] = [1, 2, 3, 6, 10, 20, 30, 45];

/// How what is left after sampling is shared.
#[derive(Clone, Copy)]
enum Rule {
    Greedy,
    Proportional,
}

impl Rule {
    const fn name(self) -> &'static str {
        match self {
            Self::Greedy => "greedy",
            Self::Proportional => "proportional",
        }
    }
}

/// Expected ChangeRatio with `samples` pages of each site, exactly: a sum over
/// what the samples show.
fn exact(rule: Rule, samples: u64) -> f64 {
    let chance = |site: usize, seen: u64| {
        Hypergeometric::new(PAGES, CHANGED[site], samples).map_or(f64::NAN, |law| law.pmf(seen))
    };
    let left = (DOWNLOADS - 2 * samples) as f64;
    let mut expected = 0.0;
    for a in 0..=samples {
        for b in 0..=samples {
            let likelihood = chance(0, a) * chance(1, b);
            let to_first = match rule {
                Rule::Greedy if a == b => 0.5,
                Rule::Greedy => f64::from(u8::from(a > b)),
                Rule::Proportional if a + b == 0 => 0.5,
                Rule::Proportional => a as f64 / (a + b) as f64,
            };
            // Of the pages not sampled, the share that changed.
            let rest = |site: usize, seen: u64| {
                (CHANGED[site] - seen.min(CHANGED[site])) as f64 / (PAGES - samples) as f64
            };
            let found = left * (to_first * rest(0, a) + (1.0 - to_first) * rest(1, b));
            expected += likelihood * ((a + b) as f64 + found);
        }
    }
    expected / DOWNLOADS as f64
}

/// The exact curves, and the policies simulated on the same two sites.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let arena = Arena::named(setup, "two sites", "cho-ntoulas-two-sites", 1)?;
    let terms = Terms {
        // Half of the pages: 100 of 200.
        downloads: PAPER_PAGES / 2.0,
        cycles: setup.scale.pick(8_000, 300),
        reading: Reading::PerCycle,
    };
    let texts: Vec<String> = ["greedy", "proportional"]
        .iter()
        .flat_map(|policy| SIMULATED.map(|samples| format!("{policy}:samples={samples}")))
        .chain(["round-robin".to_owned()])
        .collect();
    let ratios: Vec<f64> = arena.run(&texts, terms)?.iter().map(change_ratio).collect();
    let mut judge = Judge::new();
    // A cycle's ratio deviates by less than 0.2.
    let noise = 4.0 * 0.2 / f64::from(terms.cycles).sqrt();
    published(&mut judge, ratios[2 * SIMULATED.len()], noise);
    let mut series = Vec::new();
    for (number, rule) in [Rule::Greedy, Rule::Proportional].into_iter().enumerate() {
        let name = rule.name();
        let ours = &ratios[number * SIMULATED.len()..][..SIMULATED.len()];
        compare(&mut judge, rule, ours, noise);
        let curve = (0..=50)
            .map(|samples| (samples as f64, exact(rule, samples)))
            .collect();
        series.push(Series::line(
            &format!("{name}, exact"),
            Stroke::nth(2 * number),
            curve,
        ));
        let points = SIMULATED
            .iter()
            .zip(ours)
            .map(|(&samples, &ratio)| (samples as f64, ratio))
            .collect();
        series.push(Series::points(
            &format!("{name}, simulated"),
            Stroke::nth(2 * number + 1),
            points,
        ));
    }
    let ends = vec![(0.0, 0.45), (50.0, 0.45)];
    series.push(Series::line("round robin", Stroke::Dotted, ends.clone()));
    series.push(Series::published("published", ends));
    let figure = single(
        "Expected ChangeRatio over the sample size",
        "two sites of 100 pages, 70 and 20 changed, 100 downloads",
        Axis::linear("samples of each site", 0.0, 50.0),
        Axis::linear("ChangeRatio", 0.4, 0.7),
        series,
    );
    Ok(Findings::of(figure, judge, Vec::new()))
}

/// What the text says of the figure and of Example 2.
fn published(judge: &mut Judge, round_robin: f64, noise: f64) {
    let rounding = Grounds {
        tolerance: 0.005,
        basis: "to the digits printed",
        because: "the expectation is another one",
    };
    let simulated = Grounds {
        tolerance: crate::rounded(noise.max(0.005)),
        ..rounding
    };
    judge.published("round robin", 0.45, Some(round_robin), simulated);
    for samples in [0, 50] {
        judge.published(
            format!("greedy, {samples} samples"),
            0.45,
            Some(exact(Rule::Greedy, samples)),
            rounding,
        );
    }
    let best = largest((0..=50).map(|samples| exact(Rule::Greedy, samples)));
    judge.published(
        "best sample size of greedy (“about 5”)",
        5.0,
        best.map(|best| best as f64),
        Grounds {
            tolerance: 1.0,
            basis: "the top is flat: 5 and 7 lose less than 0.003",
            because: "the top lies elsewhere",
        },
    );
    // Example 2: 7 and 2 of ten samples changed, 80 downloads left.
    let (a, b) = (0.7, 0.2);
    let proportional = (9.0 + 80.0 * (a * 7.0 / 9.0 + b * 2.0 / 9.0)) / 100.0;
    judge.published(
        "Example 2, proportional",
        0.56,
        Some(proportional),
        rounding,
    );
    judge.published(
        "Example 2, greedy",
        0.65,
        Some((9.0 + 80.0 * a) / 100.0),
        rounding,
    );
}

/// Judges a simulated policy against its exact expectation.
fn compare(judge: &mut Judge, rule: Rule, ours: &[f64], noise: f64) {
    let name = rule.name();
    for (samples, &ours) in SIMULATED.into_iter().zip(ours) {
        judge.exact(
            format!("{name}: expected ChangeRatio, {samples} samples"),
            exact(rule, samples),
            ours,
            Grounds {
                tolerance: crate::rounded(noise),
                basis: "the simulated policy has the exact expectation to four standard errors",
                because: "farther off than chance allows",
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_curves_are_those_found_in_advance() {
        for (samples, greedy, proportional) in [
            (1, 0.5707, 0.5707),
            (2, 0.6140, 0.5915),
            (6, 0.6560, 0.5773),
            (10, 0.6473, 0.5631),
            (50, 0.45, 0.45),
        ] {
            assert!((exact(Rule::Greedy, samples) - greedy).abs() < 6e-5);
            assert!((exact(Rule::Proportional, samples) - proportional).abs() < 6e-5);
        }
    }
}
