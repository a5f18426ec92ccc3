//! Time averages against plain integration, page by page.

use std::sync::Arc;

use proptest::prelude::*;
use recrawl_model::PageId;
use recrawl_simulate::{Copies, CycleScores, Divergence, Event, Events, Population, Reading, Tick};

const PAGES: usize = 4;

/// What happens in a cycle: updates (page, share of the cycle), then visits.
type Script = Vec<(Vec<(usize, f64)>, Vec<usize>)>;

fn scripts() -> impl Strategy<Value = Script> {
    let updates = proptest::collection::vec((0..PAGES, 0.0..1.0f64), 0..12);
    let visits = proptest::sample::subsequence((0..PAGES).collect::<Vec<_>>(), 0..PAGES);
    proptest::collection::vec((updates, visits), 1..6)
}

fn play(script: &Script, weights: &[f64], divergence: &Divergence) -> Vec<CycleScores> {
    let population = Population::new(vec![0; PAGES]).with_weights(weights.to_vec());
    let mut copies = Copies::new(Arc::new(population), Reading::SinceLast, divergence.clone());
    let mut outcomes = Vec::new();
    let mut scores = Vec::new();
    for (cycle, (updates, visits)) in script.iter().enumerate() {
        let mut changes: Vec<Event> = updates
            .iter()
            .map(|&(page, share)| Event {
                page: PageId(page as u32),
                at: Tick::at(share),
            })
            .collect();
        changes.sort_by_key(|change| (change.page, change.at));
        let events = Events {
            changes: &changes,
            ..Events::default()
        };
        copies.begin_cycle(cycle as u32, events);
        let pages: Vec<PageId> = visits.iter().map(|&page| PageId(page as u32)).collect();
        copies.download(&pages, &mut outcomes);
        scores.push(copies.end_cycle());
    }
    scores
}

/// Freshness, age and divergence of one cycle by the definition: each page's
/// updates since its last visit are laid out and integrated piece by piece.
fn integrate(script: &Script, weights: &[f64], cycle: usize, power: f64) -> (f64, f64, f64) {
    let (mut fresh, mut age, mut distance) = (0.0, 0.0, 0.0);
    for (page, weight) in weights.iter().enumerate() {
        let copied = (0..cycle)
            .rev()
            .find(|&earlier| script[earlier].1.contains(&page))
            .map_or(0, |visited| visited + 1);
        let mut missed: Vec<f64> = (copied..=cycle)
            .flat_map(|c| {
                let updates = script[c].0.iter().filter(|update| update.0 == page);
                updates.map(move |update| c as f64 + Tick::at(update.1).share())
            })
            .collect();
        missed.sort_by(f64::total_cmp);
        let (start, end) = (cycle as f64, cycle as f64 + 1.0);
        let first = missed.first().copied().unwrap_or(end).max(start);
        fresh += weight * (first - start);
        if let Some(&since) = missed.first() {
            age += weight * ((end - since).powi(2) - (first - since).powi(2)) / 2.0;
        }
        for (index, &update) in missed.iter().enumerate() {
            let step = ((index + 1) as f64).powf(power) - (index as f64).powf(power);
            distance += weight * step * (end - update.max(start));
        }
    }
    let total: f64 = weights.iter().sum();
    (fresh / total, age / total, distance / total)
}

fn assert_same(scores: &[CycleScores], script: &Script, weights: &[f64], power: f64) {
    for (cycle, scored) in scores.iter().enumerate() {
        let (fresh, age, distance) = integrate(script, weights, cycle, power);
        assert!((scored.freshness - fresh).abs() < 1e-9);
        assert!((scored.age - age).abs() < 1e-9);
        assert!((scored.divergence - distance).abs() < 1e-9);
    }
}

proptest! {
    #[test]
    fn averages_are_exact_where_pages_weigh_the_same(script in scripts()) {
        let weights = [1.0; PAGES];
        let scores = play(&script, &weights, &Divergence::UpdatesMissed);
        assert_same(&scores, &script, &weights, 1.0);
    }

    #[test]
    fn averages_are_exact_with_weights_and_any_divergence(
        script in scripts(), weights in proptest::collection::vec(0.1..9.0f64, PAGES),
    ) {
        let square = Divergence::Custom(Arc::new(|missed| f64::from(missed).powi(2)));
        let scores = play(&script, &weights, &square);
        assert_same(&scores, &script, &weights, 2.0);
    }

    #[test]
    fn the_quick_way_and_the_general_way_agree(script in scripts()) {
        let weights = [1.0; PAGES];
        let quick = play(&script, &weights, &Divergence::UpdatesMissed);
        let identity = Divergence::Custom(Arc::new(f64::from));
        let general = play(&script, &weights, &identity);
        for (one, other) in quick.iter().zip(&general) {
            prop_assert_eq!((one.changed, one.downloads), (other.changed, other.downloads));
            prop_assert_eq!(one.ever_changed_and_visited, other.ever_changed_and_visited);
            prop_assert!((one.delay - other.delay).abs() < 1e-9);
            prop_assert!((one.freshness - other.freshness).abs() < 1e-9);
            prop_assert!((one.age - other.age).abs() < 1e-9);
        }
    }
}

#[test]
fn a_heavy_page_moves_the_weighted_ratio_and_not_the_plain_one() {
    use recrawl_simulate::Score;
    let script = vec![(vec![(0, 0.5)], vec![0, 1, 2])];
    let scores = play(&script, &[7.0, 1.0, 2.0, 5.0], &Divergence::UpdatesMissed);
    assert_eq!(Score::ChangeRatio.of(&scores[0]), Some(1.0 / 3.0));
    assert_eq!(Score::WeightedChangeRatio.of(&scores[0]), Some(0.7));
}
