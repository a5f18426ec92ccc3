//! `bayes` against the policies it is to replace, on worlds that each ask for
//! something else. Full-size tables are printed by `bench/bayes.py`.

use recrawl_simulate::{CycleBudget, Score, Settings, WorldSpec};

use crate::{settings, simulate};

fn world(recipe: &str) -> WorldSpec {
    WorldSpec::from_toml(recipe).expect("a good recipe")
}

fn mean(spec: &WorldSpec, policy: &str, settings: &Settings, score: Score) -> f64 {
    let summary = simulate(spec, policy, settings, 2);
    summary.mean(score).expect("downloads").value
}

fn assert_ahead(spec: &WorldSpec, settings: &Settings, others: &[&str], margin: f64) {
    let ours = mean(spec, "bayes", settings, Score::ChangeRatio);
    for other in others {
        let theirs = mean(spec, other, settings, Score::ChangeRatio);
        assert!(ours > theirs + margin, "bayes {ours}, {other} {theirs}");
    }
}

const UNLIKE_PAGES: &str = r#"
    sites = 50
    pages_per_site = 50
    [rho]
    law = "deciles"
    weights = [35, 19, 10, 6, 4, 2, 2, 2, 2, 18]
    [pages]
    law = "beta"
    concentration = 2
"#;

#[test]
fn sites_and_pages_are_both_learned() {
    // Sampling policies win the first cycles here, frequency later ones.
    let settings = settings(30, CycleBudget::Ratio(0.28));
    let others = ["frequency", "greedy", "adaptive", "round-robin"];
    assert_ahead(&world(UNLIKE_PAGES), &settings, &others, 0.03);
}

#[test]
fn bursts_that_strike_a_site_are_noticed_while_they_last() {
    let bursty = world(
        r#"
        sites = 40
        pages_per_site = 60
        [rho]
        law = "fixed"
        value = 0.02
        [bursts]
        per_cycle = 0.05
        strength = 0.8
    "#,
    );
    let settings = settings(30, CycleBudget::Ratio(0.1));
    assert_ahead(
        &bursty,
        &settings,
        &["frequency", "round-robin", "rate-oracle"],
        0.03,
    );
    // It samples every site in every cycle: no bad idea here.
    assert_ahead(&bursty, &settings, &["adaptive"], 0.0);
}

#[test]
fn pages_that_change_their_ways_are_followed() {
    let drifting = world(&format!("{UNLIKE_PAGES}\n[drift]\nevery = 5\nshare = 0.1"));
    let settings = settings(80, CycleBudget::Ratio(0.28));
    assert_ahead(
        &drifting,
        &settings,
        &["frequency", "greedy", "adaptive"],
        0.02,
    );
    let [ours, frequency, rates] = ["bayes", "frequency", "rate-oracle"]
        .map(|policy| mean(&drifting, policy, &settings, Score::ChangeRatio));
    let closed = (ours - frequency) / (rates - frequency);
    assert!(
        closed > 1.0 / 3.0,
        "of the gap to known rates: {closed} ({ours}, {frequency}, {rates})"
    );
}

#[test]
fn the_objective_decides_what_is_won() {
    let spec = world(UNLIKE_PAGES);
    let settings = settings(20, CycleBudget::Ratio(0.28));
    let freshness = |policy: &str| mean(&spec, policy, &settings, Score::Freshness);
    let ours = freshness("bayes:objective=freshness");
    for other in ["bayes", "round-robin", "frequency", "optimal-freshness"] {
        assert!(
            ours > freshness(other),
            "{ours}, {other} {}",
            freshness(other)
        );
    }
    let age = |policy: &str| mean(&spec, policy, &settings, Score::Age);
    assert!(age("bayes:objective=age") < age("bayes:objective=freshness"));
}

/// Pages that seldom change.
const SLOW_PAGES: &str = r#"
    sites = 30
    pages_per_site = 40
    [rho]
    law = "fixed"
    value = 0.05
"#;

#[test]
fn an_honest_sitemap_is_used_and_a_lying_one_is_found_out() {
    let settings = settings(25, CycleBudget::Ratio(0.05));
    let hinted = |of_changed: f64, of_unchanged: f64| {
        let hints = format!("[hints]\nof_changed = {of_changed}\nof_unchanged = {of_unchanged}");
        let spec = world(&format!("{SLOW_PAGES}\n{hints}"));
        mean(&spec, "bayes", &settings, Score::ChangeRatio)
    };
    let alone = mean(&world(SLOW_PAGES), "bayes", &settings, Score::ChangeRatio);
    let honest = hinted(0.9, 0.02);
    assert!(honest > alone + 0.1, "alone {alone}, honest {honest}");
    for (of_changed, of_unchanged) in [(1.0, 1.0), (0.3, 0.3)] {
        let lying = hinted(of_changed, of_unchanged);
        assert!(lying > alone - 0.03, "alone {alone}, lying {lying}");
    }
}
