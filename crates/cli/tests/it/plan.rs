//! What holds of every plan.

use std::process::Command;

/// What `recrawl plan` of the sample log answers as JSON.
fn plan(arguments: &[&str]) -> Vec<serde_json::Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_recrawl"))
        .args(["plan", "../../data/sample/visits.csv", "--format", "json"])
        .args(arguments)
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{arguments:?}");
    serde_json::from_slice(&output.stdout).expect("an array")
}

#[test]
fn a_plan_by_any_policy_explains_its_scores_and_keeps_within_its_budget() {
    for entry in recrawl_policy::ENTRIES {
        let policy = recrawl_policy::parse(entry.name).expect("its own name");
        if policy.needs_truth() {
            continue;
        }
        for budget in ["1", "7"] {
            let visits = plan(&["--budget", budget, "--policy", entry.name, "--explain"]);
            assert!(visits.len() <= budget.parse().expect("a number"));
            let mut pages = std::collections::BTreeSet::new();
            for visit in &visits {
                assert!(
                    pages.insert(visit["page"].as_str()),
                    "{} twice",
                    visit["page"]
                );
                assert!(visit["score"].is_number(), "{}: {visit}", entry.name);
                assert_eq!(visit["score"], visit["why"]["value"]);
                let seen = visit["why"]["observations"].as_array();
                assert_eq!(seen.map(Vec::len), Some(10));
            }
        }
    }
}

#[test]
fn the_default_policy_plans_without_being_named() {
    let visits = plan(&["--budget", "4"]);
    assert_eq!(visits.len(), 4);
    let named = plan(&["--budget", "4", "--policy", recrawl_policy::DEFAULT_POLICY]);
    assert_eq!(visits, named);
}

#[test]
fn a_plan_is_written_as_parquet() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plan.parquet");
    let status = Command::new(env!("CARGO_BIN_EXE_recrawl"))
        .args([
            "plan",
            "../../data/sample/visits.csv",
            "--budget",
            "4",
            "--explain",
        ])
        .arg("--output")
        .arg(&file)
        .status()
        .expect("the command runs");
    assert!(status.success());
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(
        std::fs::File::open(&file).expect("it was written"),
    )
    .expect("it is Parquet");
    let fields = reader.schema().fields();
    let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
    let flat = ["page", "site", "score", "visits", "changes", "last_visit"];
    assert_eq!(names[..6], flat);
    assert_eq!(names[6..], ["why", "observations"]);
    let rows = reader.build().expect("readable");
    let rows: usize = rows.map(|batch| batch.expect("rows").num_rows()).sum();
    assert_eq!(rows, 4);
}
