//! Each experiment, small.

use recrawl_reproduce::{
    Collections, ERRATA, EXPERIMENTS, Experiment, Findings, LEFT_OUT, Paper, Row, Scale, Setup,
    Verdict, find,
};

use crate::made::{Habit, collections};

fn made(experiment: &Experiment, data: &Collections, seed: u64) -> Findings {
    let setup = Setup {
        scale: Scale::Small,
        seed,
        data,
    };
    experiment
        .findings(&setup)
        .unwrap_or_else(|error| panic!("{}: {error}", experiment.name))
}

/// Makes every experiment of a paper and looks at what it found.
fn check(paper: Paper) {
    let data = collections(Habit::Poisson(60.0));
    for experiment in EXPERIMENTS.iter().filter(|one| one.paper() == paper) {
        let findings = made(experiment, &data, 1);
        assert!(!findings.rows.is_empty(), "{} has no row", experiment.name);
        check_data(experiment.name, &findings);
        for row in &findings.rows {
            check_row(experiment.name, row);
        }
    }
}

fn check_data(name: &str, findings: &Findings) {
    let table = &findings.table;
    assert!(!table.rows.is_empty(), "{name} has no data");
    let width = table.columns.len();
    assert!(table.rows.iter().all(|row| row.len() == width), "{name}");
    assert!(!findings.figure.panels.is_empty(), "{name} has no panel");
    for panel in &findings.figure.panels {
        let drawn = panel.series.iter().any(|series| !series.points.is_empty());
        assert!(drawn, "{name}: {}", panel.title);
        let (x, y) = (&panel.x, &panel.y);
        assert!(x.low < x.high && y.low < y.high, "{name}: {}", panel.title);
    }
}

/// A row matches if and only if it is within its tolerance of what is
/// published, or of what is exact.
fn check_row(name: &str, row: &Row) {
    let what = format!("{name}: {}", row.quantity);
    assert!(!row.reason.is_empty(), "{what}");
    assert!(row.published.is_some() != row.exact.is_some(), "{what}");
    let expected = row.published.or(row.exact).expect("one of them");
    let within = row
        .ours
        .is_some_and(|ours| (ours - expected).abs() <= row.tolerance + 1e-9);
    assert_eq!(within, row.verdict == Verdict::Matches, "{what}");
}

#[test]
fn every_figure_of_cho_and_garcia_molina_is_made_and_judged() {
    check(Paper::ChoGarciaMolina);
}

#[test]
fn every_table_of_singh_is_made_and_judged() {
    check(Paper::Singh);
}

#[test]
fn every_figure_of_cho_and_ntoulas_is_made_and_judged() {
    check(Paper::ChoNtoulas);
}

#[test]
fn every_figure_of_li_cline_and_loguinov_is_made_and_judged() {
    check(Paper::Li);
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_others() {
    let data = collections(Habit::Poisson(60.0));
    for name in [
        "cho-gm/fig5",
        "singh/table4",
        "cho-ntoulas/fig6",
        "li/fig15",
    ] {
        let experiment = find(name).expect("it is there");
        let bytes = |seed| {
            let findings = made(experiment, &data, seed);
            (findings.table.to_csv(), findings.figure.to_svg())
        };
        assert_eq!(bytes(1), bytes(1), "{name}");
        assert_ne!(bytes(1), bytes(2), "{name}");
    }
}

#[test]
fn names_are_unique_and_nothing_is_both_made_and_left_out() {
    for (place, one) in EXPERIMENTS.iter().enumerate() {
        assert!(
            EXPERIMENTS[place + 1..]
                .iter()
                .all(|other| other.name != one.name)
        );
        assert!(LEFT_OUT.iter().all(|left_out| left_out.name != one.name));
        assert!(one.name.starts_with(one.paper().name()), "{}", one.name);
    }
}

#[test]
fn every_erratum_is_shown_by_an_experiment() {
    for erratum in ERRATA {
        let experiment = find(erratum.shown_by).expect("an experiment");
        assert_eq!(experiment.paper(), erratum.paper);
    }
}
