//! Verdicts break with what they rest on.

use recrawl_reproduce::{
    Collections, EXPERIMENTS, Findings, Grounds, Judge, Scale, Setup, Verdict, find,
};

use crate::made::{Habit, collections, histories};

fn made(name: &str, data: &Collections) -> Findings {
    let setup = Setup {
        scale: Scale::Small,
        seed: 1,
        data,
    };
    let experiment = find(name).expect("it is there");
    experiment.findings(&setup).expect("it is made")
}

fn verdict_of(findings: &Findings, quantity: &str) -> Verdict {
    let row = findings
        .rows
        .iter()
        .find(|row| row.quantity.starts_with(quantity));
    row.unwrap_or_else(|| panic!("no row {quantity}")).verdict
}

/// Replaces one kind of pages.
fn with(mut data: Collections, name: &str, habit: Habit) -> Collections {
    for collection in &mut data.all {
        if collection.name == name {
            collection.histories = histories(habit, 9);
        }
    }
    data
}

#[test]
fn a_number_pushed_outside_its_tolerance_never_matches() {
    let data = collections(Habit::Poisson(60.0));
    for experiment in EXPERIMENTS
        .iter()
        .filter(|one| one.name.starts_with("cho-gm/"))
    {
        for row in made(experiment.name, &data).rows {
            let grounds = Grounds {
                tolerance: row.tolerance,
                basis: "within",
                because: "outside",
            };
            let expected = row.published.or(row.exact).expect("one of them");
            let broken = expected + row.tolerance * 1.01 + 1e-4 * expected.abs().max(1.0);
            let mut judge = Judge::new();
            judge.exact("broken", expected, broken, grounds);
            judge.exact("whole", expected, expected, grounds);
            let verdicts: Vec<Verdict> = judge.rows().iter().map(|row| row.verdict).collect();
            assert_eq!(
                verdicts,
                [Verdict::DoesNotMatch, Verdict::Matches],
                "{}: {}",
                experiment.name,
                row.quantity
            );
        }
    }
}

#[test]
fn pages_by_the_clock_are_not_poisson() {
    let poisson = collections(Habit::Poisson(60.0));
    let clock = with(poisson.clone(), "docs", Habit::Clock(30.0));
    let quantity = "docs: deviation of intervals";
    let before = made("cho-gm/fig1", &poisson);
    assert_eq!(verdict_of(&before, quantity), Verdict::Matches);
    let after = made("cho-gm/fig1", &clock);
    assert_eq!(verdict_of(&after, quantity), Verdict::DoesNotMatch);
    // The other kinds are as they were.
    assert_eq!(
        verdict_of(&after, "terms: deviation of intervals"),
        Verdict::Matches
    );
}

#[test]
fn sites_that_all_change_are_no_v() {
    let data = with(collections(Habit::Poisson(60.0)), "docs", Habit::Clock(3.0));
    let findings = made("cho-ntoulas/fig5", &data);
    let lowest = "docs: share of sites with rho in 0-0.1";
    assert_eq!(verdict_of(&findings, lowest), Verdict::DoesNotMatch);
    let row = findings.rows.iter().find(|row| {
        row.quantity
            .starts_with("docs: share of sites with rho in 0.9")
    });
    assert_eq!(row.and_then(|row| row.ours), Some(1.0));
}

#[test]
fn greedy_gains_nothing_where_every_page_changes() {
    let data = collections(Habit::Clock(3.0));
    let findings = made("cho-ntoulas/fig6", &data);
    let quantity = "docs: greedy and adaptive are ahead";
    assert_eq!(verdict_of(&findings, quantity), Verdict::DoesNotMatch);
}

#[test]
fn pages_by_one_clock_have_equally_many_updates() {
    // Weekly visits to pages that change every ten weeks.
    let data = with(
        collections(Habit::Poisson(60.0)),
        "docs",
        Habit::Clock(70.0),
    );
    let findings = made("singh/table1", &data);
    let row = findings
        .rows
        .iter()
        .find(|row| row.quantity == "docs: deviation of updates a page")
        .expect("a row");
    assert_eq!(row.ours, Some(0.0));
}

#[test]
fn data_that_are_missing_are_named() {
    let none = Collections::default();
    let setup = Setup {
        scale: Scale::Small,
        seed: 1,
        data: &none,
    };
    let experiment = find("cho-ntoulas/fig5").expect("it is there");
    let error = experiment.findings(&setup).expect_err("no data");
    assert!(error.to_string().contains("`docs`"), "{error}");
}

#[test]
fn pages_too_young_for_the_window_are_left_out_and_that_is_said() {
    let data = with(collections(Habit::Poisson(60.0)), "docs", Habit::Newborn);
    for name in ["cho-ntoulas/fig6", "cho-ntoulas/fig13"] {
        let findings = made(name, &data);
        assert!(!findings.rows.is_empty());
        let of_docs = |row: &recrawl_reproduce::Row| row.quantity.starts_with("docs");
        assert!(!findings.rows.iter().any(of_docs), "{name}");
        let said = findings
            .notes
            .iter()
            .any(|note| note.contains("No page of docs"));
        assert!(said, "{name}: {:?}", findings.notes);
    }
}
