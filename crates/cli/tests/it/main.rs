//! Every command as a user runs it: output, errors and exit codes.
//!
//! `TRYCMD=overwrite cargo test -p recrawl` accepts new output; read the diff.

#[cfg(test)]
mod killed;
#[cfg(test)]
mod plan;
#[cfg(test)]
mod store;

use std::process::{Command, Stdio};

#[test]
fn commands_print_what_the_snapshots_say() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}

/// Each ```console block of the README: a command after `$`, then what it
/// prints, run from the root of the project.
#[test]
fn the_readme_tells_the_truth() {
    let readme = std::fs::read_to_string("../../README.md").expect("a README");
    let blocks: Vec<&str> = readme
        .split("```console\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert!(!blocks.is_empty(), "the README shows commands");
    for block in blocks {
        let (command, expected) = block.split_once('\n').expect("a command and its output");
        let mut words = command
            .strip_prefix("$ recrawl ")
            .expect("our command")
            .split(' ');
        let output = Command::new(env!("CARGO_BIN_EXE_recrawl"))
            .args(&mut words)
            .current_dir("../..")
            .output()
            .expect("the command runs");
        let printed = String::from_utf8(output.stdout).expect("text");
        assert_eq!(printed.trim_end(), expected.trim_end(), "{command}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_recrawl"))
        .args([
            "estimate",
            "../../data/sample/visits.csv",
            "--format",
            "ndjson",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take()); // nobody reads
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn parquet_output_reads_back_as_parquet() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("rates.parquet");
    let status = Command::new(env!("CARGO_BIN_EXE_recrawl"))
        .args([
            "estimate",
            "../../data/sample/visits.csv",
            "--method",
            "cho",
            "--output",
        ])
        .arg(&file)
        .status()
        .expect("the command runs");
    assert!(status.success());
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(
        std::fs::File::open(&file).expect("it was written"),
    )
    .expect("it is Parquet");
    let names: Vec<String> = reader
        .schema()
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect();
    assert_eq!(&names[..4], ["page", "site", "method", "rate"]);
    let rows: usize = reader
        .build()
        .expect("readable")
        .map(|batch| batch.expect("rows").num_rows())
        .sum();
    assert_eq!(rows, 10);
}

#[test]
fn a_failure_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("bad.csv");
    std::fs::write(&log, "page,time,changed\na,0,\na,soon,1\n").expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_recrawl"))
        .arg("estimate")
        .arg(&log)
        .arg("--output")
        .arg(folder.path().join("rates.csv"))
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(2));
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .collect();
    assert_eq!(left.len(), 1, "only the log: {left:?}");
}

/// Runs `reproduce cho-gm/appendix` into `out`.
#[expect(clippy::expect_used, reason = "a test that cannot run has failed")]
fn reproduce(out: &std::path::Path, more: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_recrawl"))
        .args(["reproduce", "cho-gm/appendix", "--format", "json", "--out"])
        .arg(out)
        .args(more)
        .output()
        .expect("the command runs")
}

#[test]
fn an_experiment_is_written_reported_and_not_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("papers");
    let first = reproduce(&out, &[]);
    assert_eq!(first.status.code(), Some(0));
    let rows: serde_json::Value = serde_json::from_slice(&first.stdout).expect("JSON");
    let row = &rows[0];
    assert_eq!(row["experiment"], "cho-gm/appendix");
    assert_eq!(row["published"], serde_json::Value::Null);
    assert_eq!(row["verdict"], "matches");
    assert!(row["ours"].is_f64() && row["tolerance"].is_f64());
    for file in [
        "cho-gm/appendix.csv",
        "cho-gm/appendix.svg",
        "verdicts.json",
    ] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let report = std::fs::read_to_string(out.join("report.html")).expect("a report");
    assert!(report.contains("cho-gm/appendix") && report.contains("</html>"));

    // A mark on the CSV shows whether it is made again.
    let csv = out.join("cho-gm/appendix.csv");
    let made = std::fs::read(&csv).expect("it was written");
    let marked = |more: &[&str]| {
        std::fs::write(&csv, "marked").expect("written");
        let again = reproduce(&out, more);
        assert_eq!(again.status.code(), Some(0));
        std::fs::read(&csv).expect("it is there") == b"marked"
    };
    assert!(marked(&[]), "what is finished is left alone");
    assert!(!marked(&["--force"]), "--force makes it again");
    assert_eq!(
        std::fs::read(&csv).expect("it is there"),
        made,
        "the same bytes"
    );
    assert!(!marked(&["--seed", "2"]), "another seed makes it again");
}

#[test]
fn a_folder_without_histories_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("papers");
    let data = folder.path().to_str().expect("text").to_owned();
    let output = reproduce(&out, &["--data", &data]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("has no folder `docs`"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(!out.exists());
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "real data is found by the environment, and missing it is said loudly"
)]
fn real_histories_are_read_where_they_are() {
    let Ok(data) = std::env::var("RECRAWL_DATA") else {
        eprintln!("SKIPPED: set RECRAWL_DATA to the folder of real histories");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_recrawl"))
        .args([
            "reproduce",
            "cho-gm/fig1",
            "--format",
            "json",
            "--data",
            &data,
        ])
        .arg("--out")
        .arg(folder.path())
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(0));
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // A check on Poisson pages and three kinds of real ones, two numbers each.
    assert_eq!(rows.as_array().map(Vec::len), Some(8));
}
