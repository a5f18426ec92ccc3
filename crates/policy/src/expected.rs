//! Expected ChangeRatio, exactly: Fig. 1, Example 2 and Theorem 1 of Cho &
//! Ntoulas (VLDB 2002).

use statrs::distribution::{Discrete, Hypergeometric};

use crate::{Allocation, proportional_parts};

/// A site of which it is known how many pages have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownSite {
    /// Pages that have changed.
    pub changed: u32,
    /// All pages.
    pub pages: u32,
}

/// The ChangeRatio expected of a policy that samples `samples` pages of each
/// of two sites at random, without putting back, and may download `budget`
/// pages, samples included. The sum over all outcomes of the two samples,
/// which are hypergeometric. `None` if the samples pass the budget or a site.
#[must_use]
pub fn change_ratio(
    sites: [KnownSite; 2],
    budget: u32,
    samples: u32,
    allocation: Allocation,
) -> Option<f64> {
    let downloads = budget.checked_sub(samples.checked_mul(2)?)?;
    let rest = [
        sites[0].pages.checked_sub(samples)?,
        sites[1].pages.checked_sub(samples)?,
    ];
    let chances = [chances(sites[0], samples)?, chances(sites[1], samples)?];
    let mut found = 0.0;
    for (first, &p) in (0..).zip(&chances[0]) {
        for (second, &q) in (0..).zip(&chances[1]) {
            let seen = [first, second];
            let capacity = rest.map(f64::from);
            let parts = parts(allocation, f64::from(downloads), seen, capacity);
            let mut changes = f64::from(first + second);
            for site in 0..2 {
                let left = f64::from(sites[site].changed.saturating_sub(seen[site]));
                changes += parts[site] * left / capacity[site].max(1.0);
            }
            found += p * q * changes;
        }
    }
    let visited = 2 * samples + downloads.min(rest[0] + rest[1]);
    (visited > 0).then(|| found / f64::from(visited))
}

/// The chance of each number of changed samples, from 0 to all.
fn chances(site: KnownSite, samples: u32) -> Option<Vec<f64>> {
    let (pages, changed) = (u64::from(site.pages), u64::from(site.changed));
    let law = Hypergeometric::new(pages, changed, u64::from(samples)).ok()?;
    Some((0..=u64::from(samples)).map(|x| law.pmf(x)).collect())
}

/// Downloads of each site, in the mean over ties.
fn parts(allocation: Allocation, downloads: f64, seen: [u32; 2], capacity: [f64; 2]) -> [f64; 2] {
    let first_best = |best: usize| {
        let mut parts = [0.0; 2];
        parts[best] = downloads.min(capacity[best]);
        parts[1 - best] = (downloads - parts[best]).min(capacity[1 - best]);
        parts
    };
    match allocation {
        Allocation::Proportional => {
            let parts = proportional_parts(downloads, &seen.map(f64::from), &capacity);
            [parts[0], parts[1]]
        }
        Allocation::BestFirst if seen[0] > seen[1] => first_best(0),
        Allocation::BestFirst if seen[0] < seen[1] => first_best(1),
        Allocation::BestFirst => {
            let (one, other) = (first_best(0), first_best(1));
            [one[0].midpoint(other[0]), one[1].midpoint(other[1])]
        }
    }
}

/// The ChangeRatio expected of `parts` downloads of each site once `changed`
/// of its `samples` samples are seen to have changed, if that share of the
/// site has: the reckoning of Example 2 and of the proof of Theorem 1.
#[must_use]
pub fn change_ratio_after_samples(changed: &[u32], samples: u32, parts: &[f64]) -> f64 {
    let sampled = f64::from(samples);
    let seen: f64 = changed.iter().map(|&count| f64::from(count)).sum();
    let sites = changed.iter().zip(parts);
    let further: f64 = sites
        .map(|(&count, part)| f64::from(count) / sampled * part)
        .sum();
    let downloads = sampled * changed.len() as f64 + parts.iter().sum::<f64>();
    (seen + further) / downloads
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const A: KnownSite = KnownSite {
        changed: 70,
        pages: 100,
    };
    const B: KnownSite = KnownSite {
        changed: 20,
        pages: 100,
    };

    #[test]
    fn figure_1_comes_out_to_four_digits() {
        // ALGORITHMS 3.4: sample size, greedy, proportional.
        for (samples, greedy, proportional) in [
            (0, 0.4500, 0.4500),
            (1, 0.5707, 0.5707),
            (2, 0.6140, 0.5915),
            (3, 0.6362, 0.5907),
            (5, 0.6538, 0.5815),
            (6, 0.6560, 0.5773),
            (7, 0.6557, 0.5734),
            (10, 0.6473, 0.5631),
            (20, 0.6000, 0.5334),
            (50, 0.4500, 0.4500),
        ] {
            let ours =
                change_ratio([A, B], 100, samples, Allocation::BestFirst).expect("affordable");
            assert!((ours - greedy).abs() < 5e-5, "greedy {samples}: {ours}");
            let ours =
                change_ratio([A, B], 100, samples, Allocation::Proportional).expect("affordable");
            assert!(
                (ours - proportional).abs() < 5e-5,
                "proportional {samples}: {ours}"
            );
        }
    }

    #[test]
    fn the_best_sample_of_figure_1_is_six() {
        let best = (0..=50u32).max_by(|&one, &other| {
            let ratio = |samples| change_ratio([A, B], 100, samples, Allocation::BestFirst);
            ratio(one).partial_cmp(&ratio(other)).expect("numbers")
        });
        assert_eq!(best, Some(6));
    }

    #[test]
    fn samples_beyond_the_budget_or_the_site_have_no_answer() {
        assert_eq!(change_ratio([A, B], 100, 51, Allocation::BestFirst), None);
        assert_eq!(
            change_ratio([A, B], 1_000, 101, Allocation::BestFirst),
            None
        );
    }

    #[test]
    fn example_2_expects_56_and_65_changes() {
        let parts = proportional_parts(80.0, &[7.0, 2.0], &[90.0, 90.0]);
        let ratio = change_ratio_after_samples(&[7, 2], 10, &parts);
        assert!((ratio - 0.561).abs() < 5e-4, "{ratio}");
        let ratio = change_ratio_after_samples(&[7, 2], 10, &[80.0, 0.0]);
        assert!((ratio - 0.65).abs() < 1e-12, "{ratio}");
    }

    /// Changed pages expected among `part` further ones of a site of which `x`
    /// of `samples` had changed, under a prior over the site's share.
    fn expected_share(prior: &[(f64, f64)], x: u32, samples: u32) -> f64 {
        let likelihood = |share: f64| {
            share.powi(x.cast_signed()) * (1.0 - share).powi((samples - x).cast_signed())
        };
        let mass: f64 = prior.iter().map(|(share, p)| p * likelihood(*share)).sum();
        let moment: f64 = prior
            .iter()
            .map(|(share, p)| share * p * likelihood(*share))
            .sum();
        moment / mass
    }

    proptest! {
        /// Theorem 1, for any prior over shares that the sites have in common:
        /// no allocation after the same samples expects more than whole sites
        /// in order of changed samples.
        #[test]
        fn no_other_allocation_expects_more_than_greedy(
            seen in proptest::collection::vec(0u32..=8, 2..6),
            weights in proptest::collection::vec(0.05..1.0f64, 5),
            moves in proptest::collection::vec((0usize..6, 0usize..6, 0.0..20.0f64), 0..12),
            downloads in 0.0..80.0f64,
        ) {
            let prior: Vec<(f64, f64)> =
                (0..).zip(&weights).map(|(i, &p)| (0.1 + 0.2 * f64::from(i), p)).collect();
            let capacity = 20.0f64;
            let mut best_first: Vec<usize> = (0..seen.len()).collect();
            best_first.sort_by_key(|&site| std::cmp::Reverse(seen[site]));
            let mut greedy = vec![0.0; seen.len()];
            let mut left = downloads;
            for site in best_first {
                greedy[site] = capacity.min(left);
                left -= greedy[site];
            }
            let mut other = greedy.clone();
            for (from, to, amount) in moves {
                let (from, to) = (from % seen.len(), to % seen.len());
                let moved = amount.min(other[from]).min(capacity - other[to]);
                if from != to {
                    other[from] -= moved;
                    other[to] += moved;
                }
            }
            let expect = |parts: &[f64]| -> f64 {
                parts.iter().zip(&seen).map(|(part, &x)| part * expected_share(&prior, x, 8)).sum()
            };
            prop_assert!(expect(&greedy) >= expect(&other) - 1e-9);
            // And by the paper's own reckoning, the share of the sample itself.
            prop_assert!(
                change_ratio_after_samples(&seen, 8, &greedy)
                    >= change_ratio_after_samples(&seen, 8, &other) - 1e-9
            );
        }
    }
}
