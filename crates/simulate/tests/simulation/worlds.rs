//! What synthetic worlds promise.

use rayon::ThreadPoolBuilder;
use recrawl_model::PageId;
use recrawl_simulate::{
    CycleBudget, Nobody, Purpose, Score, SpecError, SyntheticWorld, World, WorldSpec, compare,
    run_seed,
};

use crate::{MONTH, settings, simulate};

fn spec(text: &str) -> WorldSpec {
    let head = "sites = 20\npages_per_site = 50\n";
    WorldSpec::from_toml(&format!("{head}{text}")).expect("a recipe")
}

fn world(text: &str) -> SyntheticWorld {
    SyntheticWorld::new(&spec(text), MONTH, 3).expect("a recipe")
}

/// Changes of each of `cycles` cycles.
fn counts(world: &mut dyn World, cycles: usize) -> Vec<usize> {
    (0..cycles)
        .map(|_| world.next_cycle().changes.len())
        .collect()
}

const HALF: &str = "[rho]\nlaw = \"fixed\"\nvalue = 0.5\n";

#[test]
fn pages_change_as_often_as_their_chance_says() {
    let total: usize = counts(&mut world(HALF), 40).iter().sum();
    assert!((total as f64 / 40_000.0 - 0.5).abs() < 0.01);
}

#[test]
fn every_law_of_gaps_keeps_the_rate() {
    // -ln(1 - 1/2) = .693 changes a cycle, 1,000 pages, 60 cycles.
    for gaps in [
        "law = \"exponential\"",
        "law = \"pareto\"\nshape = 3.0",
        "law = \"weibull\"\nshape = 0.7",
        "law = \"log-normal\"\nsigma = 1.0",
        "law = \"lattice\"\njitter = 0.2\nmissing = 0.1",
    ] {
        let text = format!("{HALF}[time]\nkind = \"continuous\"\n[time.gaps]\n{gaps}\n");
        let per_cycle = counts(&mut world(&text), 60);
        let rate = per_cycle.iter().sum::<usize>() as f64 / 60_000.0;
        assert!((rate - 0.693).abs() < 0.025, "{gaps}: {rate}");
        // In balance from the start: the first cycles are like the others.
        let early = per_cycle[..10].iter().sum::<usize>() as f64 / 10_000.0;
        assert!((early - 0.693).abs() < 0.04, "{gaps}: {early} at first");
    }
}

#[test]
fn lattice_points_keep_their_step() {
    let text = "[rho]\nlaw = \"fixed\"\nvalue = 0.6321205588\n[time]\nkind = \"continuous\"\n\
                [time.gaps]\nlaw = \"lattice\"\njitter = 0.1\n";
    // One point a cycle, shifted by a tenth: a page changes within .2 of the
    // same moment in every cycle.
    let mut world = world(text);
    let mut seen: Vec<f64> = Vec::new();
    for cycle in 0..30 {
        let mine = world.next_cycle().changes.iter();
        let mine = mine.filter(|change| change.page == PageId(7));
        seen.extend(mine.map(|change| f64::from(cycle) + change.at.share()));
    }
    assert!((29..=31).contains(&seen.len()));
    let phase = seen[0];
    for (step, at) in seen.iter().enumerate() {
        assert!((at - phase - step as f64).abs() <= 0.2 + 1e-6);
    }
}

#[test]
fn rates_rise_and_fall_with_a_trend() {
    let trend = |exponent: f64| {
        let text = format!(
            "{HALF}[time]\nkind = \"continuous\"\n[trend]\nexponent = {exponent}\nhorizon = 40.0\n"
        );
        let counts = counts(&mut world(&text), 40);
        let half = |part: &[usize]| part.iter().sum::<usize>() as f64;
        half(&counts[20..]) / half(&counts[..20])
    };
    // Cumulative t^b: (1 - 2^-b)/2^-b = 2^b - 1.
    assert!((trend(2.0) - 3.0).abs() < 0.2);
    assert!((trend(0.5) - 0.414).abs() < 0.03);
}

#[test]
fn a_weekly_rhythm_shows_inside_a_cycle_of_a_week() {
    let text = format!("{HALF}[time]\nkind = \"continuous\"\n[rhythm]\nweekly = 0.9\n");
    let week = std::time::Duration::from_secs(7 * 86_400);
    let mut world = SyntheticWorld::new(&spec(&text), week, 3).expect("a recipe");
    let (mut middle, mut total) = (0.0, 0.0);
    for _ in 0..40 {
        for change in world.next_cycle().changes {
            total += 1.0;
            middle += f64::from(u8::from((0.25..0.75).contains(&change.at.share())));
        }
    }
    // Integral of 1 + .9 cos over the middle half: .5 - .9/pi = .2135.
    assert!((middle / total - 0.2135).abs() < 0.01, "{}", middle / total);
}

#[test]
fn a_burst_strikes_all_pages_of_a_site_at_one_moment() {
    let text = "[rho]\nlaw = \"fixed\"\nvalue = 0.0\n[bursts]\nper_cycle = 0.2\n";
    let mut world = world(text);
    let mut strikes = 0;
    for _ in 0..50 {
        let changes = world.next_cycle().changes;
        assert_eq!(changes.len() % 50, 0);
        strikes += changes.len() / 50;
    }
    assert!((150..250).contains(&strikes)); // 20 sites x 50 cycles x .2
    assert!((world.rate(PageId(0)) - 0.2).abs() < 1e-12);
}

#[test]
fn drift_exchanges_rates_and_says_so() {
    let text = "[rho]\nlaw = \"list\"\nvalues = [0.9, 0.1]\n[drift]\nevery = 3\nshare = 0.5\n";
    let mut world = world(text);
    let before: Vec<f64> = (0..1_000).map(|page| world.rate(PageId(page))).collect();
    let moved: Vec<bool> = (0..7).map(|_| world.next_cycle().rates_moved).collect();
    assert_eq!(moved, [false, false, false, true, false, false, true]);
    let after: Vec<f64> = (0..1_000).map(|page| world.rate(PageId(page))).collect();
    assert_ne!(before, after);
    let sum = |rates: &[f64]| rates.iter().sum::<f64>();
    assert!((sum(&before) - sum(&after)).abs() < 1e-9);
}

#[test]
fn liars_deceive_who_compares_bytes_and_nobody_who_compares_content() {
    let ratio = |detector: &str| {
        let text = format!(
            "[rho]\nlaw = \"list\"\nvalues = [0.9, 0.0]\n[liars]\nshare = 0.9\ndetector = \"{detector}\"\n"
        );
        let settings = settings(10, CycleBudget::Ratio(0.3));
        let summary = simulate(&spec(&text), "greedy:samples=5", &settings, 2);
        summary.mean(Score::ChangeRatio).expect("downloads").value
    };
    let (bytes, content) = (ratio("bytes"), ratio("content"));
    assert!(bytes < content - 0.05, "{bytes} against {content}");
}

#[test]
fn the_answer_is_the_same_for_any_number_of_threads_and_another_for_another_seed() {
    let recipe = spec(HALF);
    let play = |threads, seed| {
        let worlds = |run| -> Box<dyn World> {
            let seed = run_seed(seed, run, Purpose::World);
            Box::new(SyntheticWorld::new(&recipe, MONTH, seed).expect("a recipe"))
        };
        let policies = ["greedy:samples=3", "random"]
            .map(|policy| recrawl_policy::parse(policy).expect("a policy"));
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let settings = settings(4, CycleBudget::Ratio(0.3));
        let standings = pool
            .expect("threads")
            .install(|| compare(&worlds, &policies, &settings, 3, seed, &Nobody));
        let standings = standings.expect("it runs").into_iter();
        standings
            .map(|standing| standing.summary)
            .collect::<Vec<_>>()
    };
    assert_eq!(play(1, 1), play(3, 1));
    assert_ne!(play(1, 1), play(1, 2));
}

#[test]
fn unknown_keys_and_numbers_out_of_range_are_refused() {
    let refuse = |text: &str| WorldSpec::from_toml(text).expect_err("refused").to_string();
    let text = refuse("sites = 3\npages_per_site = 5\ncolour = 1\n");
    assert!(text.starts_with("line 3: unknown field `colour`"), "{text}");
    let text = refuse("sites = 3\npages_per_site = 5\n[rho]\nlaw = \"fixed\"\nvalue = 1.5\n");
    assert_eq!(text, "`rho.value` is 1.5, which must be between 0 and 1");
    let needs = WorldSpec::from_toml("sites = 3\npages_per_site = 5\n[rhythm]\ndaily = 0.5\n");
    assert_eq!(needs, Err(SpecError::NeedsContinuousTime("rhythm")));
}
